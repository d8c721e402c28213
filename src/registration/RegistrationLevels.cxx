// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/RegistrationRun.h"

#include "cudaneuro/ImageOperations.h"
#include "registration/LevelImage.h"
#include "registration/LevelSolver.h"
#include "registration/step/PointTerm.h"

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
  /** \param order the caller's number of each channel, from 0 on
   * \param numberOfChannels number of the caller's channels */
  IterationCollector(Context &                    context,
                     const RegistrationObserver & observer,
                     std::vector<int>             order,
                     std::size_t                  numberOfChannels,
                     RegistrationResult &         result)
    : m_Context(context)
    , m_Observer(observer)
    , m_Order(std::move(order))
    , m_NumberOfChannels(numberOfChannels)
    , m_Result(result)
  {
    m_Range.emplace(context, 0.0, 0.0);
  }

  /** Lets the next \p iterations advance the progress from \p begin to \p end. */
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
    m_Result.iterations.push_back(this->InCallersOrder(iteration));
    this->Report(m_Begin + (iteration.iteration + 1) * m_PerIteration);
    return !m_Observer || m_Observer(m_Result.iterations.back());
  }

  /** The iteration with the energies of all the caller's channels, 0 for channels without a share. */
  RegistrationIteration
  InCallersOrder(const RegistrationIteration & iteration) const
  {
    RegistrationIteration ofCaller = iteration;
    ofCaller.channelEnergies.assign(m_NumberOfChannels, 0.0);
    for (std::size_t place = 0; place < iteration.channelEnergies.size(); ++place)
    {
      ofCaller.channelEnergies[static_cast<std::size_t>(m_Order[place])] = iteration.channelEnergies[place];
    }
    return ofCaller;
  }

private:
  /** Keeps the progress at \p fraction until the next call, even if threads report. */
  void
  Report(double fraction)
  {
    m_Range.reset();
    m_Range.emplace(m_Context, fraction, fraction);
    m_Context.ReportProgress(0.0);
  }

  Context &                             m_Context;
  const RegistrationObserver &          m_Observer;
  std::vector<int>                      m_Order;
  std::size_t                           m_NumberOfChannels;
  RegistrationResult &                  m_Result;
  std::optional<Context::ProgressRange> m_Range;
  double                                m_Begin = 0.0;
  double                                m_PerIteration = 0.0;
};

/** Cost of a level: its voxels times its iterations. */
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

/** The caller's number of each prepared channel. */
std::vector<int>
OrderOf(const PreparedImages & images)
{
  std::vector<int> order;
  for (const PreparedChannel & channel : images.channels)
  {
    order.push_back(channel.index);
  }
  return order;
}

LevelResult
RunOneLevel(
  const RegistrationRun & run, PreparedImages & images, int index, LevelMap & map, IterationCollector & collector)
{
  const RegistrationLevel & level = run.parameters.levels[static_cast<std::size_t>(index)];
  const Geometry            geometry = ShrunkGeometry(run.GetGeometry(), level.shrinkFactors);
  MoveMap(run.context, geometry, run.parameters.jacobianBound, map);
  const RegistrationParameters parameters = WithChannels(run.parameters, OrderOf(images));
  const EnergyShares           shares(parameters);
  std::vector<ShrunkChannel>   shrunk;
  LevelProblem                 problem;
  problem.extent = ExtentOf(geometry.grid);
  for (const PreparedChannel & channel : images.channels)
  {
    shrunk.push_back(ShrinkChannel(run, channel, geometry, level.shrinkFactors));
    ImagePair pair;
    pair.extent = problem.extent;
    pair.fixed = Floats(shrunk.back().fixed);
    pair.moving = Floats(shrunk.back().moving);
    pair.descentScale = DescentScale(geometry.grid);
    pair.share = static_cast<float>(shares.OfChannel(static_cast<int>(problem.channels.size())));
    problem.channels.push_back(pair);
  }
  const std::optional<PointTerm> points = images.pointTerms.Take(run.context, static_cast<std::size_t>(index));
  problem.points = points ? &points->Get() : nullptr;
  PreparedLabels labels;
  LabelTerm      labelTerm;
  if (images.labels)
  {
    labels = LabelsOfLevel(run.context, *images.labels, level.shrinkFactors);
    labelTerm = { labels.View(), run.parameters.isSymmetric, run.parameters.labelWeight, DescentScale(geometry.grid) };
    problem.labels = &labelTerm;
  }
  problem.toFixed = map.toFixed.View();
  problem.level = index;
  problem.iterations = level.iterations;
  problem.borrowed = LendResults(run);
  return RunLevel(run.context, parameters, problem, map.displacement.View(), collector);
}

} // namespace

void
RunLevels(const RegistrationRun &      run,
          PreparedImages &             images,
          double                       begin,
          double                       end,
          const RegistrationObserver & observer,
          LevelMap &                   map,
          RegistrationResult &         result)
{
  const std::vector<RegistrationLevel> & levels = run.parameters.levels;
  IterationCollector collector(run.context, observer, OrderOf(images), 1 + run.images.furtherChannels.size(), result);
  double             total = 0.0;
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
    result.final = collector.InCallersOrder(levelResult.final);
    result.numberOfShortenedSteps += levelResult.numberOfShortenedSteps;
    if (levelResult.wasStopped)
    {
      break;
    }
  }
}

} // namespace cudaneuro
