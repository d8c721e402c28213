// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/RegisterCommand.h"

#include "files/TransformFile.h"

namespace
{

using cudaneuro::RegistrationMetric;

const Choice<RegistrationMetric> &
Metrics()
{
  static const Choice<RegistrationMetric> choice({ { "mean-squares", RegistrationMetric::MeanSquares },
                                                   { "local-correlation", RegistrationMetric::LocalCorrelation } });
  return choice;
}

void
AddFile(CLI::App & app, const std::string & name, std::string & path, const std::string & what, const char * group)
{
  app.add_option(name, path, what)->option_text("FILE")->group(group);
}

void
AddOutputOptions(CLI::App & app, RegisterOptions & options, OptionModes & modes)
{
  const char * const group = "Outputs (at least one; the ending decides the format)";
  AddFile(app, "-o,--output-warped", options.outputWarped, "The moving image on the fixed one's grid", group);
  AddFile(app, "--output-field", options.outputField, "Displacements in mm, from fixed to moving, LPS", group);
  AddFile(app, "--output-inverse-field", options.outputInverseField, "Those of the inverse map", group);
  AddFile(app, "--output-jacobian", options.outputJacobian, "Jacobian determinant of the map, without unit", group);
  AddFile(app,
          "--output-transform",
          options.outputTransform,
          "Composite transform of the initial transform and the\n"
          "displacements: .h5, or .tfm or .txt, which are large",
          group);
  AddFile(app, "--output-labels", options.outputLabels, "The moving labels on the fixed image's grid", group);
  AddFile(app, "--json", options.json, "Write what was done as JSON; - is standard output", group);
  const std::string choice = "that of the moving image";
  options.outputType = choice;
  modes.Add(
    AddChoice(app, "--output-type", options.outputType, PixelTypes().GetNames(), "Pixel type of the warped image")
      ->group(group),
    "--output-warped",
    [&options] { return !options.outputWarped.empty(); });
  options.outputType.clear();
}

void
AddInputOptions(CLI::App & app, RegisterOptions & options, OptionModes & modes)
{
  const char * const group = "Inputs";
  app.add_option("FIXED", options.fixed, "The image whose grid the results have: NIfTI, MetaImage or NRRD, 2D or 3D")
    ->option_text(" ")
    ->required();
  app.add_option("MOVING", options.moving, "The image that is deformed; its grid may be another")
    ->option_text(" ")
    ->required();
  app
    .add_option("-i,--initial-transform",
                options.initialTransforms,
                "From fixed to moving points: an affine or composite transform\n"
                "(.h5, .tfm, .txt, .mat), or an image of displacements. Several\n"
                "are applied to a point one after the other, the first first")
    ->option_text("FILE")
    ->allow_extra_args(false)
    ->group(group);
  AddFile(app,
          "--initial-field",
          options.initialField,
          "Displacements in mm to start from, on the fixed image's grid",
          group);
  AddFile(app, "--fixed-mask", options.fixedMask, "Where it is 0 the images exert no force", group);
  AddFile(app, "--moving-mask", options.movingMask, "Where it is 0 the moving image has no value", group);
  AddFile(app, "--moving-labels", options.movingLabels, "Labels on the moving image's grid, to warp along", group);
  modes.Add(app.get_option("--moving-labels"), "--fixed-labels or --output-labels", [&options] {
    return !options.fixedLabels.empty() || !options.outputLabels.empty();
  });
  AddFile(app,
          "--fixed-labels",
          options.fixedLabels,
          "Labels on the fixed image's grid: the report tells how the\n"
          "moving labels overlap with them, before and after",
          group);
  app.get_option("--fixed-labels")->needs("--moving-labels");
  app.get_option("--output-labels")->needs("--moving-labels");
}

void
AddMethodOptions(CLI::App & app, RegisterOptions & options, OptionModes & modes)
{
  const std::string group = "Registration";
  AddChoice(app,
            "--metric",
            options.metric,
            Metrics().GetNames(),
            "What makes the images alike: the first for images of one\n"
            "scanner and sequence, the second where contrast or shading\n"
            "differ")
    ->group(group);
  const auto isMetric = [&options](const char * name) { return [&options, name] { return options.metric == name; }; };
  modes.Add(app
              .add_option("-r,--radius",
                          options.correlationRadius,
                          "Half-width of the neighborhood in voxels, 1 to 8. Default: 3")
              ->check(AtLeast(1))
              ->option_text("N")
              ->group(group),
            "--metric local-correlation",
            isMetric("local-correlation"));
  modes.Add(app
              .add_flag("--match-intensities",
                        options.matchIntensities,
                        "First map the moving image's intensities to the fixed\nimage's by their quantiles")
              ->group(group),
            "--metric mean-squares",
            isMetric("mean-squares"));
  CLI::Option * const levels =
    app
      .add_option("-l,--levels",
                  options.levels,
                  "Number of resolutions, from coarse to fine, each half as fine\nas the next. Default: 4")
      ->check(AtLeast(1))
      ->option_text("N")
      ->group(group);
  app
    .add_option(
      "--shrink-factors", options.shrinkFactors, "The same, spelled out, in voxels of the image: 4,2,1 for example")
    ->delimiter(',')
    ->allow_extra_args(false)
    ->check(AtLeast(1))
    ->option_text("N[,N...]")
    ->excludes(levels)
    ->group(group);
  app
    .add_option("-n,--iterations",
                options.iterations,
                "Largest number of iterations of a level, one value or one a\nlevel. Default: 100")
    ->delimiter(',')
    ->allow_extra_args(false)
    ->check(AtLeast(0))
    ->option_text("N[,N...]")
    ->group(group);
  app.add_option("--step", options.step, "Voxels that the fastest voxel moves in an iteration, up to 1.\nDefault: 0.5")
    ->check(Positive())
    ->option_text("X")
    ->group(group);
  app
    .add_option(
      "--convergence",
      options.convergence,
      "End a level when the energy falls by less than this fraction\nin 10 iterations. Default: 0, which runs all")
    ->check(AtLeast(0))
    ->option_text("X")
    ->group(group);
  AddAxisValues(
    app,
    "--field-sigma",
    options.fieldSigma,
    "Standard deviation, in voxels, of a Gaussian that smooths the\ndisplacements in each iteration. Default: 0, none")
    ->check(AtLeast(0))
    ->group(group);
}

std::string
DescribeFile(const std::string & path, const RegisterJob & job, const std::string & imagePath)
{
  const ImageFileInformation information = ReadImageInformation(path);
  if (information.dimension != job.GetDimension())
  {
    throw ProgramError(path + " has " + std::to_string(information.dimension) + " axes, and " + imagePath + " " +
                       std::to_string(job.GetDimension()));
  }
  return Describe(information);
}

/** The type to write labels as: that of their file if it is supported, else float, which holds all accepted labels. */
itk::IOComponentEnum
LabelTypeOf(const std::string & path)
{
  const ImageFileInformation information = ReadImageInformation(path);
  const bool                 isOwn = information.componentType == information.pixelType;
  return isOwn ? information.pixelType : itk::IOComponentEnum::FLOAT;
}

} // namespace

void
AddRegisterOptions(CLI::App & app, RegisterOptions & options, OptionModes & modes)
{
  AddOutputOptions(app, options, modes);
  AddInputOptions(app, options, modes);
  AddMethodOptions(app, options, modes);
  AddComputeOptions(app, options.compute);
}

RegisterJob::RegisterJob(const std::string & methodName, const RegisterOptions & options)
  : m_Options(options)
  , m_Fixed(ReadImageInformation(options.fixed))
  , m_Moving(ReadImageInformation(options.moving))
{
  const itk::ComputeDevice device = options.compute.GetDevice();
  WarnOfUnusedMemoryLimit(options.compute);
  DescribeFile(options.moving, *this, options.fixed);
  for (const std::string & path : { options.fixedMask, options.fixedLabels })
  {
    path.empty() ? "" : DescribeFile(path, *this, options.fixed);
  }
  for (const std::string & path : { options.movingMask, options.movingLabels })
  {
    path.empty() ? "" : DescribeFile(path, *this, options.moving);
  }
  m_WarpedType = options.outputType.empty() ? m_Moving.pixelType : PixelTypes().GetValue(options.outputType);
  m_LabelType = options.movingLabels.empty() ? itk::IOComponentEnum::FLOAT : LabelTypeOf(options.movingLabels);
  this->AddFiles();
  m_Report.Set("/method", methodName);
  m_Report.Set("/fixed", options.fixed);
  m_Report.Set("/fixed_description", Describe(m_Fixed));
  m_Report.Set("/moving", options.moving);
  m_Report.Set("/moving_description", Describe(m_Moving));
  m_Report.Set("/device", device.GetName());
  m_Report.Set("/device_description", device.GetDescription());
  this->NoteFiles();
}

void
RegisterJob::AddFiles()
{
  for (const std::string & path : { m_Options.fixed,
                                    m_Options.moving,
                                    m_Options.initialField,
                                    m_Options.fixedMask,
                                    m_Options.movingMask,
                                    m_Options.fixedLabels,
                                    m_Options.movingLabels })
  {
    m_Files.AddInput(path);
  }
  for (const std::string & path : m_Options.initialTransforms)
  {
    m_Files.AddInput(path);
  }
  this->AddOutput("warped", m_Options.outputWarped);
  this->AddOutput("field", m_Options.outputField);
  this->AddOutput("inverse_field", m_Options.outputInverseField);
  this->AddOutput("jacobian", m_Options.outputJacobian);
  this->AddOutput("transform", m_Options.outputTransform);
  this->AddOutput("labels", m_Options.outputLabels);
  m_JsonFile = m_Files.AddTextOutput(m_Options.json);
  if (m_Outputs.empty() && m_Options.json.empty())
  {
    throw CLI::RequiredError("At least one of --output-warped, --output-field, --output-inverse-field, "
                             "--output-jacobian, --output-transform, --output-labels and --json");
  }
}

void
RegisterJob::AddOutput(const std::string & name, const std::string & path)
{
  if (path.empty())
  {
    return;
  }
  name == "transform" ? CheckTransformFormat(path) : static_cast<void>(CheckOutputFormat(path));
  m_Outputs.emplace(name, m_Files.AddOutput(path));
}

void
RegisterJob::NoteFiles()
{
  const std::vector<std::pair<const char *, std::string>> files{ { "/initial_field", m_Options.initialField },
                                                                 { "/fixed_mask", m_Options.fixedMask },
                                                                 { "/moving_mask", m_Options.movingMask },
                                                                 { "/fixed_labels", m_Options.fixedLabels },
                                                                 { "/moving_labels", m_Options.movingLabels } };
  if (!m_Options.initialTransforms.empty())
  {
    m_Report.Set("/initial_transforms", m_Options.initialTransforms);
  }
  for (const auto & [name, path] : files)
  {
    if (!path.empty())
    {
      m_Report.Set(name, path);
    }
  }
}

template <unsigned int VDimension>
void
RegisterJob::Configure(RegisterFilter<VDimension> & filter)
{
  const std::size_t levels = m_Options.shrinkFactors.empty() ? m_Options.levels : m_Options.shrinkFactors.size();
  if (m_Options.iterations.size() != 1 && m_Options.iterations.size() != levels)
  {
    throw ProgramError("--iterations has " + std::to_string(m_Options.iterations.size()) + " values; " +
                       std::to_string(levels) + " levels need 1 or " + std::to_string(levels));
  }
  const RegistrationMetric metric = Metrics().GetValue(m_Options.metric);
  filter.SetMetric(metric);
  m_Report.Set("/parameters/metric", m_Options.metric);
  if (metric == RegistrationMetric::LocalCorrelation)
  {
    filter.SetCorrelationRadius(m_Options.correlationRadius);
    m_Report.Set("/parameters/radius", m_Options.correlationRadius);
  }
  filter.SetMatchIntensities(m_Options.matchIntensities);
  m_Report.Set("/parameters/match_intensities", m_Options.matchIntensities);
  m_Options.shrinkFactors.empty() ? filter.SetNumberOfLevels(m_Options.levels)
                                  : filter.SetShrinkFactorsPerLevel(m_Options.shrinkFactors);
  m_Report.Set("/parameters/levels", static_cast<unsigned int>(levels));
  m_Options.iterations.size() == 1 ? filter.SetNumberOfIterations(m_Options.iterations.front())
                                   : filter.SetNumberOfIterationsPerLevel(m_Options.iterations);
  m_Report.Set("/parameters/iterations", m_Options.iterations);
  filter.SetMaximumStep(m_Options.step);
  m_Report.Set("/parameters/step", m_Options.step);
  filter.SetConvergenceThreshold(m_Options.convergence);
  m_Report.Set("/parameters/convergence", m_Options.convergence);
  filter.SetStandardDeviations(
    AxisValues<typename RegisterFilter<VDimension>::StandardDeviationsType>(m_Options.fieldSigma, "--field-sigma"));
  m_Report.Set("/parameters/field_sigma", m_Options.fieldSigma);
  filter.SetComputeWarped(this->Has("warped"));
  filter.SetComputeInverse(this->Has("inverse_field"));
  filter.SetComputeJacobian(this->Has("jacobian"));
}

void
RegisterJob::Finish()
{
  for (const auto & [name, file] : m_Outputs)
  {
    m_Report.Set("/outputs/" + name, file.GetPath());
  }
  m_Report.Set("/seconds/total", m_Stopwatch.GetSeconds());
  if (!m_Options.json.empty())
  {
    WriteText(m_JsonFile.get(), m_Report.GetJson());
  }
  if (!m_Options.compute.isQuiet && m_Options.json != "-")
  {
    m_Report.Print();
  }
}

template void
RegisterJob::Configure<2>(RegisterFilter<2> &);
template void
RegisterJob::Configure<3>(RegisterFilter<3> &);
