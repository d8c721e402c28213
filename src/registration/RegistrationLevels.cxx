// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/RegistrationRun.h"

#include "cudaneuro/ImageOperations.h"
#include "registration/LevelImage.h"
#include "registration/LevelSolver.h"
#include "registration/PointTerm.h"

#include <algorithm>
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

/** Voxels of a level times its iterations. */
double
CostOf(const RegistrationRun & run, const RegistrationLevel & level)
{
  const Geometry geometry = ShrunkGeometry(run.GetGeometry(), level.shrinkFactors);
  return static_cast<double>(level.iterations) * static_cast<double>(geometry.grid.NumberOfVoxels());
}

/** The images of a channel on the grid of a level. */
struct ShrunkChannel
{
  DeviceMemory fixed;
  DeviceMemory moving;
};

ShrunkChannel
ShrinkChannel(const RegistrationRun &    run,
              const PreparedChannel &    channel,
              const Geometry &           geometry,
              const std::array<int, 3> & factors)
{
  if (IsSameGeometry(geometry, run.GetGeometry()))
  {
    return { channel.fixed, channel.moving };
  }
  const auto shrink = [&](const DeviceMemory & image) {
    return ShrinkImage(run.context, run.GetGeometry(), Floats(image), channel.hasGaps, geometry, factors);
  };
  ShrunkChannel shrunk;
  shrunk.fixed = shrink(channel.fixed);
  shrunk.moving = shrink(channel.moving);
  return shrunk;
}

LevelResult
RunOneLevel(
  const RegistrationRun & run, const PreparedImages & images, int index, LevelMap & map, IterationCollector & collector)
{
  const RegistrationLevel & level = run.parameters.levels[static_cast<std::size_t>(index)];
  const Geometry            geometry = ShrunkGeometry(run.GetGeometry(), level.shrinkFactors);
  MoveMap(run.context, geometry, run.parameters.jacobianBound, map);
  const EnergyShares         shares(run.parameters);
  std::vector<ShrunkChannel> shrunk;
  LevelProblem               problem;
  problem.extent = ExtentOf(geometry.grid);
  for (const PreparedChannel & channel : images.channels)
  {
    shrunk.push_back(ShrinkChannel(run, channel, geometry, level.shrinkFactors));
    ImagePair pair;
    pair.extent = problem.extent;
    pair.fixed = Floats(shrunk.back().fixed);
    pair.moving = Floats(shrunk.back().moving);
    pair.descentScale = DescentScale(geometry.grid);
    pair.share = static_cast<float>(shares.OfChannel(channel.index));
    problem.channels.push_back({ channel.index, pair });
  }
  const std::optional<PointTerm> points = MakePointTerm(run, images.points, geometry, index);
  problem.points = points ? &points->Get() : nullptr;
  problem.toFixed = map.toFixed.View();
  problem.level = index;
  problem.iterations = level.iterations;
  problem.borrowed = LendResults(run);
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
