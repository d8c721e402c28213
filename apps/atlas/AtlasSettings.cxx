// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasSteps.h"

#include "itkCudaNeuroLevelSchedule.h"
#include "itkCudaNeuroDetail.h"
#include "shared/ParameterOptions.h"

using cudaneuro::AtlasParameters;
using cudaneuro::RegistrationParameters;
using cudaneuro::VelocityMethod;

namespace
{

/** Returns the levels of the atlas, with their iterations. */
template <unsigned int VDimension>
std::vector<cudaneuro::RegistrationLevel>
MakeLevels(const LevelOptions & options, const itk::ImageBase<VDimension> & grid)
{
  itk::CudaNeuroDetail::LevelSchedule<VDimension> schedule(options.levels, 50, 25);
  SetLevels(options, schedule);
  return schedule.MakeLevels(&grid);
}

template <unsigned int VDimension>
std::array<double, 3>
AxesOf(const std::vector<double> & values, const std::string & name, double fill)
{
  return itk::CudaNeuroDetail::ThreeAxes(
    AxisValues<itk::FixedArray<double, VDimension>>(values, name), VDimension, fill);
}

} // namespace

template <unsigned int VDimension>
AtlasParameters
MakeAtlasParameters(const AtlasOptions & options, const itk::ImageBase<VDimension> & grid)
{
  AtlasParameters          parameters = options.parameters;
  RegistrationParameters & registration = parameters.registration;
  const FluidOptions &     fluid = options.fluid;
  registration = fluid.parameters;
  registration.updateFieldStandardDeviations =
    AxesOf<VDimension>(options.sigma, "--update-field-standard-deviations", options.sigma.front());
  registration.standardDeviations = AxesOf<VDimension>(fluid.standardDeviations, "--standard-deviations", 0.0);
  registration.levels = MakeLevels<VDimension>(fluid.levels, grid);
  parameters.measureEntropy = true;
  return parameters;
}

void
NoteParameters(Report & report, const AtlasOptions & options, const AtlasParameters & parameters)
{
  const std::string where = "/parameters";
  const CLI::App &  command = *options.fluid.command;
  const auto note = [&](const char * name, const auto & value) { NoteOption(report, where, command, name, value); };
  note("--align", options.align);
  if (options.Aligns())
  {
    note("--align-rounds", options.GetAlignRounds());
  }
  NoteParameters(report, where, command, parameters);
  report.Set(where + "/trim_box", parameters.trimToBoundingBox);
  options.fluid.Note(report);
  if (parameters.registration.velocityMethod == VelocityMethod::Gaussian)
  {
    note("--update-field-standard-deviations", options.sigma);
  }
  Report::Json shrinkFactors = Report::Json::array();
  Report::Json iterations = Report::Json::array();
  for (const cudaneuro::RegistrationLevel & level : parameters.registration.levels)
  {
    shrinkFactors.push_back(level.shrinkFactors);
    iterations.push_back(level.iterations);
  }
  note("--shrink-factors-per-level", shrinkFactors);
  note("--number-of-iterations", iterations);
}

template AtlasParameters
MakeAtlasParameters(const AtlasOptions &, const itk::ImageBase<2> &);
template AtlasParameters
MakeAtlasParameters(const AtlasOptions &, const itk::ImageBase<3> &);
