// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_denoise_DenoiseCommand_h
#define apps_denoise_DenoiseCommand_h

#include "denoise/DenoiseReport.h"
#include "files/images/ImageFile.h"
#include "shared/CommandOptions.h"
#include "shared/Files.h"
#include "shared/ProgramSupport.h"

#include <functional>
#include <memory>
#include <optional>

/** Options and course of the subcommands that denoise a file. */

/** What --noise-standard-deviation says: a number, a map, or neither, for an estimate from the image. */
struct NoiseChoice
{
  std::optional<double> number;
  /** The map is estimated from the image. */
  bool isEstimatedMap = false;
  /** The file of a map. */
  std::string mapFile;

  bool
  IsMap() const
  {
    return isEstimatedMap || !mapFile.empty();
  }
};

struct DenoiseOptions
{
  std::string input;
  std::string output;
  std::string mask;
  std::string outputType;
  /** What is written without --output-type; empty for the type of the input. */
  std::string    usualType;
  std::string    json;
  std::string    residual;
  NoiseChoice    noise;
  ComputeOptions compute;
  /** The command, which has the options. */
  const CLI::App * command = nullptr;

  /** What a run opens, by --nifti-place and --volume. */
  std::shared_ptr<OpenedImages> opened = std::make_shared<OpenedImages>();
};

/** Adds the files, --mask, --output-type, --json, and the options of ComputeOptions.
 * \param output what help calls the file to write; 3D Slicer offers commands with the same files as a choice */
void
AddDenoiseFiles(CLI::App & app, DenoiseOptions & options, const std::string & output);

/** Adds the same, --output-residual and --noise-standard-deviation.
 * \param usualNoise the default of the latter
 * \return the option --noise-standard-deviation */
CLI::Option *
AddDenoiseOptions(CLI::App & app, DenoiseOptions & options, const std::string & usualNoise = "auto");

/** One run of a subcommand. */
class DenoiseJob
{
public:
  /** Checks options, inputs and places of outputs before any voxel is read, and begins the report.
   * \throws UserError, itk::ExceptionObject */
  DenoiseJob(const std::string & filterName, const DenoiseOptions & options);

  const DenoiseOptions &
  GetOptions() const
  {
    return m_Options;
  }
  const OpenedImage &
  GetInput() const
  {
    return m_Input;
  }
  itk::IOComponentEnum
  GetOutputType() const
  {
    return m_OutputType;
  }
  bool
  HasResidual() const
  {
    return m_ResidualFile != nullptr;
  }
  DenoiseReport &
  GetReport()
  {
    return m_Report;
  }

  /** Whether input and output have the same file format. */
  bool
  IsFormatKept() const
  {
    return m_IsFormatKept;
  }

  /** Writes the result and, if it is asked for, the residual: both or none. Notes the seconds.
   * \throws UserError, Interrupted */
  void
  Write(const ImageToWrite & output, const ImageToWrite * residual = nullptr);

  /** Writes and prints the report. */
  void
  Finish();

private:
  OutputFile
  AddFiles();
  std::unique_ptr<OutputFile>
  AddResidual();
  void
  RequireFormatOfSeries() const;

  const DenoiseOptions &      m_Options;
  FilesOfRun                  m_Files;
  OutputFile                  m_OutputFile;
  std::unique_ptr<OutputFile> m_ResidualFile;
  std::unique_ptr<OutputFile> m_JsonFile;
  OpenedImage                 m_Input;
  itk::IOComponentEnum        m_OutputType;
  bool                        m_IsFormatKept;
  DenoiseReport               m_Report;
};

/** Runs a filter. What it says against the noise map that was read from a file names the option and the file, and what
 * it says against a parameter that is a multiple of a map names the map. */
void
RunWithNoiseMap(const NoiseChoice & noise, const std::function<void()> & run);

/** A parameter that is a multiple of the noise. */
struct MultipleOfNoise
{
  /** "range sigma" */
  const char * name;
  /** "--range-factor" */
  const char * option;
  double       factor;
  /** What the filter makes of noise of 1 before it compares it with the parameter. */
  double response = 1.0;
};

/** The standard deviation of an image's noise: given, or estimated when it is first asked for. */
class NoiseLevel
{
public:
  /** \param name the image's, in messages
   * \param report where it is noted */
  NoiseLevel(const NoiseChoice &     choice,
             const std::string &     name,
             DenoiseReport &         report,
             std::function<double()> estimate);

  /** \throws UserError when the estimate is 0; itk::ExceptionObject */
  double
  Get();

  /** The value of a multiple, which is a scale of intensities.
   * \throws itk::ExceptionObject that names the noise and the factor, as these are what a user can set, where the value
   * is out of range; and what Get throws */
  double
  Times(const MultipleOfNoise & multiple);

private:
  std::string             m_Name;
  DenoiseReport &         m_Report;
  std::function<double()> m_Estimate;
  std::optional<double>   m_Value;
};

#endif
