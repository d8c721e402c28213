// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/LinearRegistration.h"

#include "core/ParameterChecks.h"
#include "images/ChannelChecks.h"
#include "images/ChannelShares.h"
#include "jobs/DeviceJob.h"
#include "linear/LinearChecks.h"
#include "linear/LinearMetricChecks.h"
#include "linear/LinearQuality.h"
#include "linear/LinearRefinement.h"
#include "linear/LinearSearch.h"
#include "linear/LocalLevel.h"
#include "linear/PlanarRun.h"

#include <algorithm>
#include <optional>
#include <sstream>

namespace cudaneuro
{

namespace
{

/** The progress at the beginning of the first level, at the end of the last one, and after the local refinement. */
constexpr double beginOfLevels = 0.1;
constexpr double endOfLevels = 0.8;
constexpr double endOfRefinement = 0.95;

/** Maximum number of candidates after each level. */
constexpr std::array<std::size_t, 3> candidatesAfterLevel{ 6, 1, 1 };

/** Threshold of the first refinement of all candidates, in voxels of the level, and their maximum number afterwards. */
constexpr double      roughThreshold = 0.1;
constexpr std::size_t candidatesAfterRoughRefinement = 8;

/** Number of finest levels that optimize scales and shears; coarser ones move rigidly. */
constexpr std::size_t levelsWithScales = 2;

bool
IsScaled(LinearTransformType type)
{
  return type == LinearTransformType::Similarity || type == LinearTransformType::Affine;
}

/** Whether a level is one of the finest, which optimize scales and shears. */
bool
IsLate(const LinearRegistrationParameters & parameters, std::size_t index)
{
  return index + levelsWithScales >= parameters.levels.size();
}

bool
HasFewSlices(const LinearRun & run)
{
  const LinearMetricImages & volumes = run.GetImages().GetVolumes();
  const auto                 fewest = [](const Geometry & geometry) {
    return *std::min_element(geometry.grid.size.begin(), geometry.grid.size.end());
  };
  return std::min(fewest(volumes.fixedGeometry), fewest(volumes.movingGeometry)) <= fewSlices;
}

/** The weighting of voxels, with Automatic replaced by the actual one. */
VoxelWeighting
WeightingOf(const LinearRun & run)
{
  const LinearRegistrationParameters & parameters = run.GetParameters();
  if (parameters.voxelWeighting != VoxelWeighting::Automatic)
  {
    return parameters.voxelWeighting;
  }
  if (parameters.metric.metric != RegistrationMetric::MutualInformation)
  {
    return VoxelWeighting::Uniform;
  }
  return IsScaled(parameters.transformType) && !HasFewSlices(run) ? VoxelWeighting::Depth : VoxelWeighting::NearHead;
}

LinearLevel
MakeLevel(const LinearRun & run, std::size_t index)
{
  std::vector<LinearMetricParameters> metrics = MetricsOfChannels(run.GetParameters());
  const bool                          isLate = IsLate(run.GetParameters(), index);
  VoxelWeighting                      weighting = WeightingOf(run);
  weighting = weighting == VoxelWeighting::Depth && !isLate ? VoxelWeighting::NearHead : weighting;
  // Late levels do not count uncovered voxels, which would stretch half a head over a whole one: maps are near by then,
  // but with few slices still run away. Other metrics never do: their values would jump where voxels become covered.
  for (LinearMetricParameters & metric : metrics)
  {
    metric.countUncovered =
      metric.countUncovered && metric.metric == RegistrationMetric::MutualInformation && (!isLate || HasFewSlices(run));
  }
  return MakeLinearLevel(
    run.GetContext(), metrics, run.GetImages(), run.GetParameters().levels[index].shrinkFactors, weighting);
}

/** Evaluates the best candidate at a level, which may count its overlap in other voxels than the level before. */
void
EvaluateBest(LinearRun & run, const LinearLevel & level, LinearCandidate & best)
{
  std::vector<LinearTrial> trials(1);
  trials[0].map = best.map;
  run.RelaxMinimumOverlap(level, { best });
  run.Evaluate(level, trials, false);
  Take(trials[0], best);
  run.SetBest(best);
}

/** Requires a candidate. There is none where no start has the overlap, or where no start with the overlap is within the
 * limits of maps. */
void
RequireCandidates(const LinearRun & run, const std::vector<LinearCandidate> & candidates)
{
  if (!candidates.empty())
  {
    return;
  }
  const LinearRegistrationParameters & parameters = run.GetParameters();
  if (run.GetLargestOverlap() < parameters.minimumOverlap)
  {
    std::ostringstream limit;
    limit << "MinimumOverlap, " << parameters.minimumOverlap << ", or greater";
    ThrowInvalid("the largest overlap of the images after a start", run.GetLargestOverlap(), limit.str());
  }
  std::ostringstream message;
  message << "no start is within the limits of maps against the initial transform: MaximumScale is "
          << parameters.maximumScale << ", MaximumShear is " << parameters.maximumShear << ", and MaximumRotation is "
          << parameters.maximumRotation;
  throw InvalidParameterError(message.str());
}

/** Records the best candidate at the end of a level. */
void
TakeBest(LinearRun & run, const LinearCandidate & best, LinearRegistrationResult & result)
{
  run.SetBest(best);
  result.iterations.insert(result.iterations.end(), best.iterations.begin(), best.iterations.end());
}

/** Whether the value has the kinks of mutual information; other metrics have none. */
bool
HasKinks(const LinearRegistrationParameters & parameters)
{
  const std::vector<LinearMetricParameters> metrics = MetricsOfChannels(parameters);
  const std::vector<double> shares = SharesOfChannels(parameters.channelWeight, parameters.furtherChannels);
  bool                      hasKinks = false;
  for (std::size_t c = 0; c < metrics.size(); ++c)
  {
    hasKinks = hasKinks || (shares[c] > 0.0 && metrics[c].metric == RegistrationMetric::MutualInformation);
  }
  return hasKinks;
}

/** The stage of a level. */
LinearStage
StageOf(const LinearRegistrationParameters & parameters, std::size_t index)
{
  const auto   count = static_cast<double>(parameters.levels.size());
  const double share = (endOfLevels - beginOfLevels) / count;
  const double begin = beginOfLevels + share * static_cast<double>(index);
  LinearStage  stage;
  // Scales on coarse levels can inflate one brain onto the other's scalp, where mutual information is higher.
  stage.type = IsScaled(parameters.transformType) && !IsLate(parameters, index) ? LinearTransformType::Rigid
                                                                                : parameters.transformType;
  stage.level = static_cast<int>(index);
  stage.iterations = parameters.levels[index].iterations;
  stage.convergenceThreshold = parameters.convergenceThreshold;
  stage.looksAround = HasKinks(parameters);
  stage.begin = begin;
  stage.end = begin + share;
  return stage;
}

/** Moves the candidates rigidly to about the right position before scales and shears are optimized, which might hide a
 * displacement. Keeps the best candidates. */
bool
RefineRigidly(LinearRun & run, const LinearLevel & level, LinearStage stage, std::vector<LinearCandidate> & candidates)
{
  const bool isRigid = stage.type == LinearTransformType::Translation || stage.type == LinearTransformType::Rigid;
  if (isRigid && candidates.size() == 1)
  {
    return true;
  }
  stage.type = isRigid ? stage.type : LinearTransformType::Rigid;
  stage.convergenceThreshold = std::max(roughThreshold, stage.convergenceThreshold);
  stage.looksAround = false;
  stage.end = 0.5 * (stage.begin + stage.end);
  const bool goesOn = RefineCandidates(run, level, stage, candidates);
  KeepBest(run, level.voxel, candidatesAfterRoughRefinement, candidates);
  return goesOn;
}

/** Improves the candidates at a level, and keeps the best.
 * \returns whether to continue */
bool
RunLevel(LinearRun &                    run,
         const LinearLevel &            level,
         std::size_t                    index,
         std::vector<LinearCandidate> & candidates,
         LinearRegistrationResult &     result)
{
  const LinearStage stage = StageOf(run.GetParameters(), index);
  run.Report(stage.begin);
  run.BeginLevel();
  if (index > 0)
  {
    run.RelaxMinimumOverlap(level, candidates);
  }
  for (LinearCandidate & candidate : candidates)
  {
    candidate.iterations.clear();
  }
  const bool goesOn =
    (index > 0 || RefineRigidly(run, level, stage, candidates)) && RefineCandidates(run, level, stage, candidates);
  RequireCandidates(run, candidates);
  TakeBest(run, candidates.front(), result);
  KeepBest(run, 0.5 * level.voxel, candidatesAfterLevel[std::min(index, candidatesAfterLevel.size() - 1)], candidates);
  return goesOn;
}

/** The candidates with which the coarsest level starts. */
std::vector<LinearCandidate>
FindStarts(LinearRun &                run,
           const LinearLevel &        coarsest,
           const AffineMap &          initialTransform,
           LinearRegistrationResult & result)
{
  const LinearStarts starts = MakeLinearStarts(
    run.GetContext(), run.GetParameters().start, run.GetImages().GetVolumes(), coarsest.images, initialTransform);
  result.transform = result.start = starts.maps.front();
  std::vector<LinearCandidate> candidates = FindCandidates(run, coarsest, starts);
  RequireCandidates(run, candidates);
  return candidates;
}

/** Improves the best candidate of the last level by local correlation, if that is requested and the voxels are small
 * enough.
 * \returns whether it did */
bool
RunLocalRefinement(LinearRun & run, std::vector<LinearCandidate> & candidates, LinearRegistrationResult & result)
{
  const LinearRegistrationParameters & parameters = run.GetParameters();
  const std::size_t                    last = parameters.levels.size() - 1;
  LinearStage                          stage = StageOf(parameters, last);
  if (!parameters.useLocalRefinement || parameters.metric.metric != RegistrationMetric::MutualInformation ||
      WeightingOf(run) != VoxelWeighting::Depth || HasFewSlices(run) || stage.iterations == 0)
  {
    return false;
  }
  const std::optional<LinearLevel> level = MakeLocalLevel(run);
  if (!level)
  {
    return false;
  }
  ++stage.level;
  stage.looksAround = false;
  stage.begin = endOfLevels;
  stage.end = endOfRefinement;
  run.Report(stage.begin);
  run.BeginLevel();
  candidates.resize(1);
  candidates.front().iterations.clear();
  run.RelaxMinimumOverlap(*level, candidates);
  RefineCandidates(run, *level, stage, candidates);
  RequireCandidates(run, candidates);
  TakeBest(run, candidates.front(), result);
  return true;
}

void
RunLevels(LinearRun & run, const AffineMap & initialTransform, LinearRegistrationResult & result)
{
  const LinearRegistrationParameters & parameters = run.GetParameters();
  const std::size_t                    last = parameters.levels.size() - 1;
  std::vector<LinearCandidate>         candidates;
  bool                                 goesOn = true;
  for (std::size_t index = 0; index <= last && goesOn; ++index)
  {
    const LinearLevel level = MakeLevel(run, index);
    if (index == 0)
    {
      candidates = FindStarts(run, level, initialTransform, result);
    }
    goesOn = RunLevel(run, level, index, candidates, result);
  }
  if (!goesOn || RunLocalRefinement(run, candidates, result))
  {
    EvaluateBest(run, MakeLevel(run, last), candidates.front());
  }
  result.quality = QualityOf(run.GetContext(), run.GetImages(), result.transform);
}

} // namespace

std::vector<RegistrationLevel>
LevelsOfLinearRegistration()
{
  return { { { 8, 8, 8 }, 100 }, { { 4, 4, 4 }, 100 }, { { 2, 2, 2 }, 100 }, { { 1, 1, 1 }, 100 } };
}

void
RegisterLinearly(Context &                            context,
                 const LinearRegistrationParameters & parameters,
                 const LinearMetricImages &           images,
                 const AffineMap &                    initialTransform,
                 const LinearRegistrationObserver &   observer,
                 LinearRegistrationResult &           result)
{
  result = LinearRegistrationResult();
  result.transform = result.start = initialTransform;
  RequireLinearRegistrationParameters(parameters);
  RequireLinearMetricImages(context, images);
  RequireChannelImages(
    context, parameters.furtherChannels.size(), images.fixedGeometry, images.movingGeometry, images.furtherChannels);
  const std::optional<PlaneFrames> planes = PlanesOf(images);
  RequireInitialTransform(initialTransform, parameters.start, planes);
  RequireNoWeights(images);
  result.center = GridCorners(images.fixedGeometry).GetCenter();
  const PlanarRun planar(planes, result);
  RunDeviceJob(context, [&] {
    std::optional<Context::ProgressRange> preparation(std::in_place, context, 0.0, 0.0);
    const std::vector<double> shares = SharesOfChannels(parameters.channelWeight, parameters.furtherChannels);
    const ResampledChannels   resampled(context, images, shares);
    const LinearImages prepared(context, planar.Place(resampled.GetImages()), parameters.metric.repairOutliers, shares);
    result.numberOfOutliers = { prepared.GetFixed().GetNumberOfOutliers(), prepared.GetMoving().GetNumberOfOutliers() };
    preparation.reset();
    const AffineMap initialInPlace = planar.Place(initialTransform, parameters.start);
    LinearRun       run(context, parameters, prepared, initialInPlace, observer, result);
    RunLevels(run, initialInPlace, result);
    run.Report(1.0);
  });
  result.isSuccess = result.quality >= qualityOfSuccess;
}

LinearRegistrationResult
RegisterLinearly(Context &                            context,
                 const LinearRegistrationParameters & parameters,
                 const LinearMetricImages &           images,
                 const AffineMap &                    initialTransform,
                 const LinearRegistrationObserver &   observer)
{
  LinearRegistrationResult result;
  RegisterLinearly(context, parameters, images, initialTransform, observer, result);
  return result;
}

} // namespace cudaneuro
