// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/Registration.h"

#include "jobs/DeviceJob.h"
#include "registration/MapRepair.h"
#include "registration/MiddleGrid.h"
#include "registration/RegistrationChecks.h"
#include "registration/RegistrationRun.h"

namespace cudaneuro
{

RegistrationParameters
UnbiasedRegistrationParameters()
{
  RegistrationParameters parameters;
  parameters.unbiasedWeight = 0.1;
  return parameters;
}

RegistrationParameters
SymmetricRegistrationParameters()
{
  RegistrationParameters parameters = UnbiasedRegistrationParameters();
  parameters.isSymmetric = true;
  return parameters;
}

RegistrationParameters
GreedyRegistrationParameters()
{
  RegistrationParameters parameters;
  parameters.velocityMethod = VelocityMethod::SuccessiveOverRelaxation;
  parameters.useDeformedGradient = true;
  return parameters;
}

namespace
{

/** The parameters of a registration by points and labels alone, whose absent images have energy 0. */
RegistrationParameters
ParametersWithoutImages(RegistrationParameters parameters)
{
  parameters.metric = RegistrationMetric::MeanSquares;
  parameters.matchIntensities = false;
  return parameters;
}

/** Progress at the first iteration, and at the end of the last one, as fractions of the whole. */
constexpr double beginOfIterations = 0.05;
constexpr double endOfIterations = 0.95;

/** A run, and the run to whose grid its results belong. */
struct PlacedRun
{
  /** The run on the middle grid in a symmetric registration; otherwise the same as onFixedGrid. */
  const RegistrationRun & run;
  const RegistrationRun & onFixedGrid;
  /** Null where both runs are the same. */
  const MiddleGrid * middle;
};

/** Takes the current map to the fixed grid, as one map. Continues where an earlier call failed. */
void
FinishMap(const PlacedRun & placed, LevelMap & map, RegistrationResult & result)
{
  const RegistrationRun & run = placed.run;
  MoveMap(run.context, run.GetGeometry(), run.parameters.jacobianBound, map);
  JoinMaps(run, map, result);
  if (placed.middle != nullptr && !IsSameGeometry(map.geometry, placed.onFixedGrid.GetGeometry()))
  {
    TakeToFixedGrid(placed.onFixedGrid, *placed.middle, map, result);
  }
  result.numberOfMendingRounds = map.mendingRounds;
  result.isDamped = map.IsDamped();
}

/** Distances of points under the initial map, in mm. */
std::vector<double>
InitialDistances(const RegistrationRun & run, const PreparedImages & images)
{
  if (run.images.points.IsEmpty())
  {
    return {};
  }
  const SoAFieldMemory initial = run.images.initialField.data != nullptr ? ReadInitialField(run) : SoAFieldMemory();
  return DistancesOfPoints(run, images.TransformField(), initial.View());
}

/** Writes the fields of the current map to the outputs of a run that failed. */
void
WriteFieldsNoThrow(const PlacedRun & placed, LevelMap & map, RegistrationResult & result) noexcept
{
  try
  {
    const Context::ProgressPause pause(placed.run.context);
    FinishMap(placed, map, result);
    WriteFields(placed.onFixedGrid, map, result);
  }
  catch (...)
  {
    // The caller gets the first exception, not this one.
  }
}

void
Run(const PlacedRun & placed, const RegistrationObserver & observer, RegistrationResult & result)
{
  const RegistrationRun & run = placed.run;
  PreparedImages          images;
  LevelMap                map;
  {
    const Context::ProgressRange range(run.context, 0.0, beginOfIterations);
    images = PrepareImages(run);
    result.numberOfOutliers = images.numberOfOutliers;
    map = MakeInitialMap(run);
    result.pointDistances.before = InitialDistances(placed.onFixedGrid, images);
  }
  const auto freeImages = [&images] { images.channels.clear(); };
  try
  {
    RunLevels(run, images, beginOfIterations, endOfIterations, observer, map, result);
    freeImages();
    const Context::ProgressRange range(run.context, endOfIterations, 1.0);
    FinishMap(placed, map, result);
    result.pointDistances.after =
      DistancesOfPoints(placed.onFixedGrid, images.TransformField(), map.displacement.View());
    WriteResults(placed.onFixedGrid, images, map, result);
  }
  catch (...)
  {
    freeImages();
    if (!result.hasField)
    {
      WriteFieldsNoThrow(placed, map, result);
    }
    throw;
  }
}

/** Runs a symmetric registration on a middle grid other than the fixed one. */
void
RunInTheMiddle(const RegistrationRun &      run,
               const MiddleGrid &           middle,
               const RegistrationObserver & observer,
               RegistrationResult &         result)
{
  const MiddleImages images = [&] {
    // The upload is repeated by the run, whose progress alone is reported.
    const Context::ProgressPause pause(run.context);
    return MiddleImages(run.context, run.parameters, run.images, middle);
  }();
  // The outputs are on the fixed grid, so that iterations on the middle grid cannot borrow their memory.
  const RegistrationOutputs none;
  const RegistrationRun     inMiddle{ run.context, run.parameters, images.Get(), none, images.GetNumberOfOutliers() };
  Run({ inMiddle, run, &middle }, observer, result);
}

} // namespace

void
Register(Context &                      context,
         const RegistrationParameters & parameters,
         const RegistrationImages &     images,
         const RegistrationOutputs &    outputs,
         const RegistrationObserver &   observer,
         RegistrationResult &           result)
{
  result = RegistrationResult();
  RequireRegistrationParameters(parameters, images.fixedGeometry.grid);
  RequireRegistrationImages(context, parameters, images);
  RequireRegistrationOutputs(context, images, outputs);
  const std::optional<MiddleGrid> middle = parameters.isSymmetric ? FindMiddleGrid(images) : std::nullopt;
  const RegistrationParameters    withoutImages = ParametersWithoutImages(parameters);
  const RegistrationRun           run{ context, images.HasImages() ? parameters : withoutImages, images, outputs };
  RunDeviceJob(context, [&] {
    middle ? RunInTheMiddle(run, *middle, observer, result) : Run({ run, run, nullptr }, observer, result);
  });
}

RegistrationResult
Register(Context &                      context,
         const RegistrationParameters & parameters,
         const RegistrationImages &     images,
         const RegistrationOutputs &    outputs,
         const RegistrationObserver &   observer)
{
  RegistrationResult result;
  Register(context, parameters, images, outputs, observer, result);
  return result;
}

} // namespace cudaneuro
