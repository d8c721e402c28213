// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasSettings.h"

#include "itkCudaNeuroLevelSchedule.h"
#include "itkCudaNeuroDetail.h"

using cudaneuro::AtlasMean;
using cudaneuro::AtlasParameters;
using cudaneuro::RegistrationParameters;
using cudaneuro::VelocityMethod;

const Choice<AtlasMean> &
AtlasMeans()
{
  static const Choice<AtlasMean> choice(
    { { "mean", AtlasMean::Mean }, { "trimmed", AtlasMean::TrimmedMean }, { "median", AtlasMean::Median } });
  return choice;
}

namespace
{

/** The levels of the atlas, and how many iterations each has. */
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
  AtlasParameters          parameters;
  RegistrationParameters & registration = parameters.registration;
  const FluidOptions &     fluid = options.fluid;
  registration = fluid.parameters;
  registration.updateFieldStandardDeviations = AxesOf<VDimension>(options.sigma, "--sigma", options.sigma.front());
  registration.standardDeviations = AxesOf<VDimension>(fluid.fieldSigma, "--field-sigma", 0.0);
  registration.levels = MakeLevels<VDimension>(fluid.levels, grid);

  parameters.meanMethod = AtlasMeans().GetValue(options.mean);
  parameters.trimmedFraction = options.trim;
  parameters.sharpening = options.sharpening;
  parameters.shapeUpdateInterval = options.shapeUpdate;
  parameters.keepPose = options.keepPose;
  parameters.trimToBoundingBox = !options.noTrimBox;
  parameters.measureEntropy = true;
  return parameters;
}

void
NoteParameters(Report & report, const AtlasOptions & options, const AtlasParameters & parameters)
{
  const auto note = [&](const char * name, const auto & value) {
    report.Set(std::string("/parameters/") + name, value);
  };
  note("align", options.align);
  if (options.Aligns())
  {
    note("align_rounds", options.GetAlignRounds());
  }
  note("mean", options.mean);
  if (parameters.meanMethod == AtlasMean::TrimmedMean)
  {
    note("trim", options.trim);
  }
  note("sharpening", options.sharpening);
  note("shape_update", options.shapeUpdate);
  note("keep_pose", options.keepPose);
  note("trim_box", !options.noTrimBox);
  NoteMetric(report, "/parameters", parameters.registration);
  options.fluid.NoteSolver(report);
  if (parameters.registration.velocityMethod == VelocityMethod::Gaussian)
  {
    note("sigma", options.sigma);
  }
  Report::Json shrinkFactors = Report::Json::array();
  Report::Json iterations = Report::Json::array();
  for (const cudaneuro::RegistrationLevel & level : parameters.registration.levels)
  {
    shrinkFactors.push_back(level.shrinkFactors);
    iterations.push_back(level.iterations);
  }
  note("shrink_factors", shrinkFactors);
  note("iterations", iterations);
  options.fluid.NoteSteps(report);
}

template AtlasParameters
MakeAtlasParameters(const AtlasOptions &, const itk::ImageBase<2> &);
template AtlasParameters
MakeAtlasParameters(const AtlasOptions &, const itk::ImageBase<3> &);
