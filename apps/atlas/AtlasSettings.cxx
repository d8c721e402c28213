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
  const SolverOptions &    solver = options.solver;
  registration.metric = fluid.metric.Get();
  registration.correlationRadius = static_cast<int>(fluid.metric.correlationRadius);
  registration.repairOutliers = !fluid.metric.keepOutliers;
  registration.solver = solver.Get();
  registration.sigma = AxesOf<VDimension>(options.sigma, "--sigma", options.sigma.front());
  registration.alpha = solver.alpha;
  registration.beta = solver.beta;
  registration.gamma = solver.gamma;
  registration.firstSweeps = static_cast<int>(solver.firstSweeps);
  registration.sweeps = static_cast<int>(solver.sweeps);
  registration.maximumStep = fluid.step;
  registration.fieldSigma = AxesOf<VDimension>(fluid.fieldSigma, "--field-sigma", 0.0);
  registration.convergenceThreshold = fluid.convergence;
  registration.levels = MakeLevels<VDimension>(fluid.levels, grid);

  parameters.mean = AtlasMeans().GetValue(options.mean);
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
  if (parameters.mean == AtlasMean::TrimmedMean)
  {
    note("trim", options.trim);
  }
  note("sharpening", options.sharpening);
  note("shape_update", options.shapeUpdate);
  note("keep_pose", options.keepPose);
  note("trim_box", !options.noTrimBox);
  options.fluid.metric.Note(report, "/parameters");
  options.solver.Note(report);
  if (parameters.registration.solver == VelocityMethod::Gaussian)
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
