// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_RegisterCommand_h
#define apps_register_RegisterCommand_h

#include "files/ImageFile.h"
#include "itkCudaFluidRegistrationFilter.h"
#include "register/RegisterReport.h"
#include "shared/CommandOptions.h"

#include <map>

/** Options and course of the subcommands that register two files. */

struct RegisterOptions
{
  std::string fixed;
  std::string moving;

  std::string outputWarped;
  std::string outputField;
  std::string outputInverseField;
  std::string outputJacobian;
  std::string outputTransform;
  std::string outputLabels;
  std::string outputType;
  std::string json;

  std::vector<std::string> initialTransforms;
  std::string              initialField;
  std::string              fixedMask;
  std::string              movingMask;
  std::string              fixedLabels;
  std::string              movingLabels;

  std::string               metric = "mean-squares";
  unsigned int              correlationRadius = 3;
  bool                      matchIntensities = false;
  unsigned int              levels = 4;
  std::vector<unsigned int> shrinkFactors;
  std::vector<unsigned int> iterations{ 100 };
  double                    step = 0.5;
  double                    convergence = 0.0;
  std::vector<double>       fieldSigma{ 0.0 };

  ComputeOptions compute;
};

/** Adds all options of RegisterOptions. */
void
AddRegisterOptions(CLI::App & app, RegisterOptions & options, OptionModes & modes);

/** Images are read as float. Results stay on the device; only requested outputs are downloaded. */
template <unsigned int VDimension>
using RegisterFilter = itk::CudaFluidRegistrationFilter<itk::Image<float, VDimension>,
                                                        itk::Image<float, VDimension>,
                                                        itk::DeviceImage<itk::Vector<float, VDimension>, VDimension>>;

/** One run of a subcommand. */
class RegisterJob
{
public:
  /** Checks options, inputs and places of outputs before any voxel is read, and begins the report.
   * \throws ProgramError, itk::ExceptionObject */
  RegisterJob(const std::string & methodName, const RegisterOptions & options);

  const RegisterOptions &
  GetOptions() const
  {
    return m_Options;
  }
  unsigned int
  GetDimension() const
  {
    return m_Fixed.dimension;
  }
  /** The pixel types to write. */
  itk::IOComponentEnum
  GetWarpedType() const
  {
    return m_WarpedType;
  }
  itk::IOComponentEnum
  GetLabelType() const
  {
    return m_LabelType;
  }
  RegisterReport &
  GetReport()
  {
    return m_Report;
  }

  /** Whether an output was requested: "warped", "field", "inverse_field", "jacobian", "transform", "labels". */
  bool
  Has(const std::string & output) const
  {
    return m_Outputs.count(output) > 0;
  }
  const OutputFile &
  GetOutput(const std::string & output) const
  {
    return m_Outputs.at(output);
  }

  /** Sets the parameters that all methods have, and notes them in the report. */
  template <unsigned int VDimension>
  void
  Configure(RegisterFilter<VDimension> & filter);

  /** Completes the report, writes and prints it. */
  void
  Finish();

private:
  void
  AddOutput(const std::string & name, const std::string & path);
  void
  AddFiles();
  void
  NoteFiles();

  const RegisterOptions &           m_Options;
  Stopwatch                         m_Stopwatch;
  ImageFileInformation              m_Fixed;
  ImageFileInformation              m_Moving;
  itk::IOComponentEnum              m_WarpedType = itk::IOComponentEnum::FLOAT;
  itk::IOComponentEnum              m_LabelType = itk::IOComponentEnum::FLOAT;
  RunFiles                          m_Files;
  std::map<std::string, OutputFile> m_Outputs;
  std::unique_ptr<OutputFile>       m_JsonFile;
  RegisterReport                    m_Report;
};

#endif
