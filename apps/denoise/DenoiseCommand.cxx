// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoise/DenoiseCommand.h"

#include "files/images/SeriesFile.h"
#include "files/maps/LimitedVoxels.h"
#include "files/output/StagedFiles.h"
#include "files/system/SystemFile.h"
#include "cudaneuro/Parameters.h"
#include "itkCudaNeuroDetail.h"
#include "shared/CommandOptions.h"
#include "shared/ImageOptions.h"
#include "shared/SlicerDescription.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <sstream>
#include <system_error>

namespace
{

itk::IOComponentEnum
OutputTypeOf(const DenoiseOptions & options, const OpenedImage & input)
{
  const std::string & type = options.outputType.empty() ? options.usualType : options.outputType;
  return type.empty() ? input.pixelType : PixelTypes().GetValue(type);
}

/** A number, "auto", "map" or the file of a map. */
NoiseChoice
MakeNoiseChoice(const std::string & text)
{
  NoiseChoice choice;
  double      number = 0.0;
  if (CLI::detail::lexical_cast(text, number))
  {
    choice.number = number;
  }
  else if (text == "map")
  {
    choice.isEstimatedMap = true;
  }
  else if (text != "auto")
  {
    choice.mapFile = text;
  }
  return choice;
}

/** Requires that there is a file where the noise is neither a number nor a word.
 * \throws UserError */
void
RequireMapFile(const std::string & path)
{
  std::error_code error;
  if (!path.empty() && !std::filesystem::exists(ToPath(path), error))
  {
    throw UserError("--noise-standard-deviation must be a number, auto, map or a file; it is " + path +
                    ", and there is no such file");
  }
}

/** Whether a message of the library is of the value of a parameter that is a multiple of the noise. */
bool
IsOfMultiple(const std::string & message)
{
  const auto begins = [&](const std::string & name) { return message.rfind(name + " is ", 0) == 0; };
  return begins("RangeSigma") || begins("Kappa") || begins("SmoothingParameter");
}

} // namespace

void
AddDenoiseFiles(CLI::App & app, DenoiseOptions & options, const std::string & output)
{
  options.command = &app;
  app.add_option("INPUT", options.input, "The image: NIfTI, MetaImage or NRRD, 2D or 3D, or a NIfTI series")
    ->option_text(" ")
    ->type_name("image input")
    ->required();
  app.add_option(output, options.output, "The file to write; its ending decides the format")
    ->option_text(" ")
    ->type_name("image output reference=input")
    ->required();
  const std::string group = "Files";
  app.add_option("-m,--mask", options.mask, "An image on the same grid; " + maskHelp)
    ->option_text("FILE")
    ->type_name("image input")
    ->group(group);
  const std::string usual = options.usualType.empty() ? "that of the input" : options.usualType;
  AddChoice(app, "--output-type", options.outputType, PixelTypes().GetNames(), "Pixel type to write", usual)
    ->group(group);
  AddImageOptions(app, options.opened, group);
  AddJsonFile(app, options.json, group);
  AddComputeOptions(app, options.compute);
}

CLI::Option *
AddDenoiseOptions(CLI::App & app, DenoiseOptions & options, const std::string & usualNoise)
{
  AddDenoiseFiles(app, options, "OUTPUT");
  DeclareResults(app,
                 { { "noise_level",
                     "/noise",
                     "Standard deviation of the noise, where it was asked for; the mean of an estimated map" } });
  app
    .add_option(
      "--output-residual", options.residual, "What was taken away: input less output, of float, to be written")
    ->option_text("FILE")
    ->type_name("image output reference=input")
    ->group("Files");
  options.noise = MakeNoiseChoice(usualNoise);
  return app
    .add_option_function<std::string>(
      "--noise-standard-deviation,--noise",
      [&options](const std::string & text) { options.noise = MakeNoiseChoice(text); },
      "Standard deviation of the noise, in intensity units: a number,\n"
      "a FILE with that of each voxel, map for a map estimated from the\n"
      "image, where the noise varies, or auto for a number estimated\n"
      "from the image. Voxels where a map is 0 are left as they are.\n"
      "Default: " +
        usualNoise)
    ->check(Positive())
    ->option_text("X|auto|map|FILE")
    ->default_str(usualNoise)
    ->group("Filter");
}

DenoiseJob::DenoiseJob(const std::string & filterName, const DenoiseOptions & options)
  : m_Options(options)
  , m_OutputFile(this->AddFiles())
  , m_ResidualFile(this->AddResidual())
  , m_JsonFile(m_Files.AddTextOutput(options.json))
  , m_Input(options.opened->OpenWithSeries(options.input))
  , m_OutputType(OutputTypeOf(options, m_Input))
  , m_IsFormatKept(CheckOutputFormat(options.output) == m_Input.format)
{
  const itk::ComputeDevice device = options.compute.GetDevice();
  WarnOfUnusedMemoryLimit(options.compute);
  this->RequireFormatOfSeries();
  if (m_Input.componentType != m_Input.pixelType)
  {
    PrintWarning(options.input + " has pixels of type " +
                 itk::ImageIOBase::GetComponentTypeAsString(m_Input.componentType) + ", which are read as " +
                 NameOf(m_Input.pixelType));
  }
  m_Report.Set("/filter", filterName);
  m_Report.Set("/input", options.input);
  m_Report.Set("/input_description", Describe(m_Input));
  m_Report.Set("/output", options.output);
  if (!options.residual.empty())
  {
    m_Report.Set("/residual", options.residual);
  }
  m_Report.Set("/output_type", NameOf(m_OutputType));
  m_Report.SetDevice(device);
}

void
DenoiseJob::RequireFormatOfSeries() const
{
  for (const std::string & path : { m_Options.output, m_Options.residual })
  {
    if (IsSeries(m_Input) && !path.empty())
    {
      CheckSeriesFormat(path, m_Input);
    }
  }
}

OutputFile
DenoiseJob::AddFiles()
{
  RequireMapFile(m_Options.noise.mapFile);
  CheckOutputFormat(m_Options.output);
  m_Files.AddInput(m_Options.input);
  m_Files.AddInput(m_Options.mask);
  m_Files.AddInput(m_Options.noise.mapFile);
  return m_Files.AddOutput(m_Options.output);
}

std::unique_ptr<OutputFile>
DenoiseJob::AddResidual()
{
  if (m_Options.residual.empty())
  {
    return nullptr;
  }
  CheckOutputFormat(m_Options.residual);
  return std::make_unique<OutputFile>(m_Files.AddOutput(m_Options.residual));
}

void
DenoiseJob::Write(const ImageToWrite & output, const ImageToWrite * residual)
{
  const Stopwatch writing;
  StagedFiles     files;
  files.Start([&] { return StageImage(m_OutputFile, output); });
  if (residual != nullptr)
  {
    files.Start([&] { return StageImage(*m_ResidualFile, *residual); });
  }
  files.Commit();
  m_Report.Set("/seconds/writing", writing.GetSeconds());
}

void
DenoiseJob::Finish()
{
  WarnOfLimitedVoxels(m_Options.output, m_Report.GetNumberOfLimitedVoxels(), NameOf(m_OutputType));
  m_Report.WriteAndPrint(m_Options.json, m_JsonFile.get(), m_Options.compute.isQuiet);
}

void
RunWithNoiseMap(const NoiseChoice & noise, const std::function<void()> & run)
{
  try
  {
    run();
  }
  catch (itk::ExceptionObject & error)
  {
    const std::string text = error.GetDescription();
    const std::string subject = "NoiseMap ";
    const std::string given = "--noise-standard-deviation " + (noise.isEstimatedMap ? "map" : noise.mapFile);
    if (!noise.mapFile.empty() && text.rfind(subject, 0) == 0)
    {
      error.SetDescription(given + ' ' + text.substr(subject.size()));
    }
    else if (noise.IsMap() && IsOfMultiple(text))
    {
      error.SetDescription("where " + given + " is largest, " + text);
    }
    throw;
  }
}

NoiseLevel::NoiseLevel(const NoiseChoice &     choice,
                       const std::string &     name,
                       DenoiseReport &         report,
                       std::function<double()> estimate)
  : m_Name(name)
  , m_Report(report)
  , m_Estimate(std::move(estimate))
  , m_Value(choice.number)
{}

double
NoiseLevel::Get()
{
  if (!m_Value)
  {
    m_Value = m_Estimate();
    if (!(*m_Value > 0.0))
    {
      throw UserError(
        "the noise of " + m_Name +
        " is estimated to be 0, from which nothing can be derived: its bright parts are smooth, or no voxel takes part "
        "with all of its neighbors; set --noise-standard-deviation to a number");
    }
    m_Report.Set("/noise_is_estimated", true);
  }
  m_Report.Set("/noise", *m_Value);
  return *m_Value;
}

double
NoiseLevel::Times(const MultipleOfNoise & multiple)
{
  const double       noise = this->Get();
  const double       value = multiple.factor * noise * multiple.response;
  std::ostringstream name;
  name << "the " << multiple.name << " of --noise-standard-deviation " << noise
       << (m_Report.IsNoiseEstimated() ? " (auto)" : "") << " and " << multiple.option << ' ' << multiple.factor;
  itk::CudaNeuroDetail::Call([&] { cudaneuro::RequireInRange(name.str(), value, cudaneuro::intensityScaleRange); });
  return value;
}
