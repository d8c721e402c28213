// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/RegistrationRun.h"

#include "fields/Warp.h"
#include "images/GaussianSmoothing.h"
#include "images/ImagePreparation.h"
#include "registration/LevelSolver.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace cudaneuro
{

namespace
{

/** Passes iterations on to the result and the caller's observer, and reports progress. */
class IterationCollector : public LevelObserver
{
public:
  IterationCollector(Context & context, const RegistrationObserver & observer, RegistrationResult & result)
    : m_Context(context)
    , m_Observer(observer)
    , m_Result(result)
  {
    m_Range.emplace(context, 0.0, 0.0);
  }

  /** The next \p iterations take the progress from \p begin to \p end. */
  void
  BeginLevel(double begin, double end, int iterations)
  {
    m_Begin = begin;
    m_PerIteration = (end - begin) / std::max(1, iterations);
    this->Report(begin);
  }

  bool
  Observe(const RegistrationIteration & iteration) override
  {
    m_Result.iterations.push_back(iteration);
    this->Report(m_Begin + (iteration.iteration + 1) * m_PerIteration);
    return !m_Observer || m_Observer(iteration);
  }

private:
  /** Freezes the progress at \p fraction until the next call, whatever threads report. */
  void
  Report(double fraction)
  {
    m_Range.reset();
    m_Range.emplace(m_Context, fraction, fraction);
    m_Context.ReportProgress(0.0);
  }

  Context &                             m_Context;
  const RegistrationObserver &          m_Observer;
  RegistrationResult &                  m_Result;
  std::optional<Context::ProgressRange> m_Range;
  double                                m_Begin = 0.0;
  double                                m_PerIteration = 0.0;
};

/** An image on the grid of a level. */
DeviceMemory
Shrink(const RegistrationRun &    run,
       const DeviceMemory &       image,
       bool                       hasGaps,
       const Geometry &           geometry,
       const std::array<int, 3> & factors)
{
  std::array<double, 3> sigma{};
  for (int axis = 0; axis < 3; ++axis)
  {
    sigma[axis] = factors[axis] > 1 && run.GetGeometry().grid.size[axis] > 1 ? 0.5 * factors[axis] : 0.0;
  }
  IndexMapping mapping;
  mapping.indexMap = Compose(PointToIndex(run.GetGeometry()), IndexToPoint(geometry));
  const std::int64_t voxels = geometry.grid.NumberOfVoxels();
  const DeviceMemory full = AllocateFloats(run.context, run.NumberOfVoxels());
  const DeviceMemory scratch = AllocateFloats(run.context, run.NumberOfVoxels());
  const auto         smoothAndShrink = [&](const float * volume) {
    SmoothVolume(run.context, sigma, { run.GetExtent(), Boundary::Repeat, volume, Floats(scratch), Floats(full) });
    DeviceMemory small = AllocateFloats(run.context, voxels);
    WarpVolume(run.context,
               { run.GetExtent(),
                 Floats(full),
                 nullptr,
                 ExtentOf(geometry.grid),
                 mapping,
                 Interpolation::Linear,
                 0.0f,
                 Floats(small) });
    return small;
  };
  if (!hasGaps)
  {
    return smoothAndShrink(Floats(image));
  }
  const DeviceMemory weight = AllocateFloats(run.context, run.NumberOfVoxels());
  const DeviceMemory filled = AllocateFloats(run.context, run.NumberOfVoxels());
  WarpVolume(run.context,
             { run.GetExtent(),
               Floats(image),
               nullptr,
               run.GetExtent(),
               IndexMapping(),
               Interpolation::Nearest,
               0.0f,
               Floats(filled) });
  SplitWeights(run.context, run.NumberOfVoxels(), Floats(filled), Floats(weight));
  DeviceMemory       small = smoothAndShrink(Floats(filled));
  const DeviceMemory smallWeight = smoothAndShrink(Floats(weight));
  JoinWeights(run.context, voxels, Floats(smallWeight), Floats(small));
  return small;
}

/** Voxels of a level times its iterations. */
double
CostOf(const RegistrationRun & run, const RegistrationLevel & level)
{
  const Geometry geometry = ShrunkGeometry(run.GetGeometry(), level.shrinkFactors);
  return static_cast<double>(level.iterations) * static_cast<double>(geometry.grid.NumberOfVoxels());
}

/** See ImagePair::descentScale. */
std::array<float, 3>
DescentScale(const Grid & grid)
{
  std::array<float, 3> scale{};
  double               smallest = std::numeric_limits<double>::max();
  for (int axis = 0; axis < 3; ++axis)
  {
    if (grid.size[axis] > 1)
    {
      smallest = std::min(smallest, grid.spacing[axis]);
    }
  }
  for (int axis = 0; axis < 3; ++axis)
  {
    const double ratio = grid.size[axis] > 1 ? smallest / grid.spacing[axis] : 1.0;
    scale[axis] = static_cast<float>(ratio * ratio);
  }
  return scale;
}

LevelResult
RunOneLevel(
  const RegistrationRun & run, const PreparedImages & images, int index, LevelMap & map, IterationCollector & collector)
{
  const RegistrationLevel & level = run.parameters.levels[static_cast<std::size_t>(index)];
  const Geometry            geometry = ShrunkGeometry(run.GetGeometry(), level.shrinkFactors);
  MoveMap(run.context, geometry, map);
  const bool         isFull = IsSameGeometry(geometry, run.GetGeometry());
  const DeviceMemory fixed =
    isFull ? images.fixed : Shrink(run, images.fixed, images.hasGaps, geometry, level.shrinkFactors);
  const DeviceMemory moving = isFull
                                ? images.movingOnFixedGrid
                                : Shrink(run, images.movingOnFixedGrid, images.hasGaps, geometry, level.shrinkFactors);
  LevelProblem       problem;
  problem.images.extent = ExtentOf(geometry.grid);
  problem.images.fixed = Floats(fixed);
  problem.images.moving = Floats(moving);
  problem.level = index;
  problem.iterations = level.iterations;
  problem.images.descentScale = DescentScale(geometry.grid);
  return RunLevel(run.context, run.parameters, problem, map.displacement.View(), collector);
}

} // namespace

void
RunLevels(const RegistrationRun &      run,
          const PreparedImages &       images,
          double                       begin,
          double                       end,
          const RegistrationObserver & observer,
          LevelMap &                   map,
          RegistrationResult &         result)
{
  const std::vector<RegistrationLevel> & levels = run.parameters.levels;
  IterationCollector                     collector(run.context, observer, result);
  double                                 total = 0.0;
  for (const RegistrationLevel & level : levels)
  {
    total += CostOf(run, level);
  }
  const auto progressAt = [&](double cost) { return begin + (end - begin) * cost / std::max(total, 1.0); };
  double     done = 0.0;
  for (std::size_t index = 0; index < levels.size(); ++index)
  {
    const double cost = CostOf(run, levels[index]);
    collector.BeginLevel(progressAt(done), progressAt(done + cost), levels[index].iterations);
    done += cost;
    const LevelResult levelResult = RunOneLevel(run, images, static_cast<int>(index), map, collector);
    result.final = levelResult.final;
    result.numberOfShortenedSteps += levelResult.numberOfShortenedSteps;
    if (levelResult.wasStopped)
    {
      break;
    }
  }
}

} // namespace cudaneuro
