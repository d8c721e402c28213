// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasRun.h"

#include "cudaneuro/Error.h"
#include "cudaneuro/ImageOperations.h"
#include "registration/step/StepFormulas.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

namespace cudaneuro
{

namespace
{

/** Values of an image in an exchange: integers, or the bits of doubles. The energies of channels follow them. */
constexpr std::size_t valuesBeforeChannels = 9;

std::int64_t
BitsOf(double value)
{
  std::int64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

double
FromBits(std::int64_t bits)
{
  double value = 0.0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

double
WorkOf(const AtlasPlan & plan, const RegistrationLevel & level)
{
  const Geometry geometry = ShrunkGeometry(plan.geometry, level.shrinkFactors);
  return static_cast<double>(level.iterations) * static_cast<double>(geometry.grid.NumberOfVoxels());
}

/** Progress at the end of the iterations, as a fraction of the whole. */
constexpr double endOfIterations = 0.95;

} // namespace

AtlasRun::AtlasRun(const AtlasPlan &                          plan,
                   DeviceGroup &                              group,
                   std::vector<std::unique_ptr<AtlasShare>> & shares,
                   AtlasCheckpoints &                         checkpoints,
                   const std::optional<CheckpointPosition> &  resumed,
                   const AtlasObserver &                      observer,
                   AtlasResult &                              result)
  : m_Plan(plan)
  , m_Group(group)
  , m_Shares(shares)
  , m_Checkpoints(checkpoints)
  , m_Resumed(resumed)
  , m_Observer(observer)
  , m_Result(result)
  , m_MeanSeconds(shares.size(), 0.0)
{
  for (const RegistrationLevel & level : m_Plan.parameters.registration.levels)
  {
    m_Work += WorkOf(m_Plan, level);
  }
  m_Range.emplace(m_Group.GetContext(0), 0.0, 0.0); // until ReportProgress moves it
}

void
AtlasRun::Run()
{
  m_Group.Run([this](int device) { this->RunShare(device); });
  m_Result.meanSeconds += *std::min_element(m_MeanSeconds.begin(), m_MeanSeconds.end());
}

void
AtlasRun::RunShare(int device)
{
  AtlasShare & share = *m_Shares[static_cast<std::size_t>(device)];
  bool         goesOn = true;
  for (int level = m_Resumed ? m_Resumed->level : 0; goesOn && level < m_Plan.NumberOfLevels(); ++level)
  {
    const bool isResumed = m_Resumed && level == m_Resumed->level;
    if (!isResumed)
    {
      share.BeginLevel(level);
      share.MakeTemplate();
    }
    if (level == 0 && !isResumed)
    {
      share.TakeInitialTemplate(level);
    }
    goesOn = this->RunLevel(device, level, isResumed ? m_Resumed->iteration : 0);
  }
  if (!IsSameGeometry(ShrunkGeometry(m_Plan.geometry, { 1, 1, 1 }), share.GetLevelGeometry()))
  {
    share.BeginLevel(m_Plan.NumberOfLevels());
    share.MakeTemplate();
  }
  this->TakeEnergies(device);
}

void
AtlasRun::TakeEnergies(int device)
{
  AtlasShare &                 share = *m_Shares[static_cast<std::size_t>(device)];
  const std::vector<MapEnergy> own = share.MeasureEnergies();
  const std::size_t            images = m_Plan.weights.size();
  const std::size_t            channels = m_Plan.NumberOfChannels();
  std::vector<std::int64_t>    bits((1 + channels) * images, 0); // energies of all channels together, and of each
  for (std::size_t i = 0; i < own.size(); ++i)
  {
    const auto image = static_cast<std::size_t>(share.GetMembers()[i].image);
    bits[image] = BitsOf(own[i].total);
    for (std::size_t channel = 0; channel < channels; ++channel)
    {
      bits[(1 + channel) * images + image] = BitsOf(own[i].channels[channel]);
    }
  }
  m_Group.SumOnHost(device, bits.data(), bits.size());
  if (device == 0)
  {
    std::vector<double> energies;
    std::transform(bits.begin(), bits.end(), std::back_inserter(energies), FromBits);
    const auto ofImages = [&](std::size_t list) {
      const auto begin = energies.begin() + static_cast<std::ptrdiff_t>(list * images);
      return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(images));
    };
    m_Result.imageEnergies = ofImages(0);
    m_Result.energy = this->MeanOf(m_Result.imageEnergies);
    m_Result.channelEnergies.clear();
    for (std::size_t channel = 0; channel < channels; ++channel)
    {
      m_Result.channelEnergies.push_back(this->MeanOf(ofImages(1 + channel)));
    }
  }
}

double
AtlasRun::MeanOf(const std::vector<double> & energies) const
{
  double sum = 0.0;
  double weight = 0.0;
  for (std::size_t i = 0; i < energies.size(); ++i)
  {
    sum += m_Plan.weights[i] * energies[i];
    weight += m_Plan.weights[i];
  }
  return sum / weight;
}

bool
AtlasRun::RunLevel(int device, int level, int firstIteration)
{
  AtlasShare &              share = *m_Shares[static_cast<std::size_t>(device)];
  const RegistrationLevel & schedule = m_Plan.parameters.registration.levels[static_cast<std::size_t>(level)];
  this->LimitBoxes(device, this->Exchange(device));
  for (int iteration = firstIteration; iteration < schedule.iterations; ++iteration)
  {
    const auto begin = std::chrono::steady_clock::now();
    share.Step(iteration == 0);
    const IterationReport report = this->Exchange(device);
    if (device == 0)
    {
      this->Record(level, iteration, report, share);
    }
    const bool isLast = iteration + 1 == schedule.iterations || this->HasConverged(device, level);
    if (this->IsShapeUpdateDue(iteration, isLast))
    {
      const AtlasDrift drift = share.UpdateShape();
      this->AddDrift(device, level, iteration, drift);
      this->LimitBoxes(device, this->Exchange(device));
    }
    else
    {
      this->LimitBoxes(device, report);
    }
    m_MeanSeconds[static_cast<std::size_t>(device)] += share.ReadMeanSeconds();
    if (device == 0)
    {
      m_Result.iterationSeconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      this->ReportProgress(level, iteration);
    }
    const AtlasAction action = this->Agree(device);
    if (action == AtlasAction::Save || action == AtlasAction::SaveAndStop)
    {
      m_Checkpoints.Save(device, { level, isLast ? schedule.iterations : iteration + 1 }, m_Result);
    }
    if (action == AtlasAction::Stop || action == AtlasAction::SaveAndStop)
    {
      return false;
    }
    if (isLast)
    {
      break;
    }
  }
  return true;
}

/** Exchanges the outcome of the step of each image between all processes and devices. */
IterationReport
AtlasRun::Exchange(int device)
{
  AtlasShare &                   share = *m_Shares[static_cast<std::size_t>(device)];
  const std::vector<MemberState> states = share.ReadStates();
  const std::size_t              images = m_Plan.weights.size();
  const std::size_t              channels = m_Plan.NumberOfChannels();
  const std::size_t              valuesOfImage = valuesBeforeChannels + channels;
  std::vector<std::int64_t>      values(valuesOfImage * images, 0);
  for (std::size_t i = 0; i < states.size(); ++i)
  {
    const MemberRecord & record = states[i].record;
    const VoxelBox       box = share.Reach(i, record.largest);
    std::int64_t * const own = values.data() + valuesOfImage * static_cast<std::size_t>(share.GetMembers()[i].image);
    const MapEnergy      energy = share.EnergyOf(record.imageEnergy, record.biasEnergy, record.termEnergies);
    own[0] = BitsOf(energy.total);
    own[1] = BitsOf(record.minimumJacobian);
    own[2] = record.hasFolded;
    std::copy_n(box.begin, 3, own + 3);
    std::copy_n(box.end, 3, own + 6);
    for (std::size_t channel = 0; channel < channels; ++channel)
    {
      own[valuesBeforeChannels + channel] = BitsOf(energy.channels[channel]);
    }
  }
  m_Group.SumOnHost(device, values.data(), values.size());
  IterationReport report;
  report.channelEnergies.resize(channels);
  for (std::size_t i = 0; i < images; ++i)
  {
    const std::int64_t * const own = values.data() + valuesOfImage * i;
    report.energies.push_back(FromBits(own[0]));
    for (std::size_t channel = 0; channel < channels; ++channel)
    {
      report.channelEnergies[channel].push_back(FromBits(own[valuesBeforeChannels + channel]));
    }
    report.minimumJacobian = std::min(report.minimumJacobian, FromBits(own[1]));
    report.numberOfFolds += static_cast<int>(own[2]);
    VoxelBox box;
    std::copy_n(own + 3, 3, box.begin);
    std::copy_n(own + 6, 3, box.end);
    report.box.Include(box);
  }
  return report;
}

void
AtlasRun::LimitBoxes(int device, const IterationReport & report)
{
  m_Shares[static_cast<std::size_t>(device)]->SetBox(report.box);
}

void
AtlasRun::Record(int level, int iteration, const IterationReport & report, AtlasShare & share)
{
  AtlasIteration record;
  record.level = level;
  record.iteration = iteration;
  record.imageEnergies = report.energies;
  record.energy = this->MeanOf(report.energies);
  for (const std::vector<double> & energies : report.channelEnergies)
  {
    record.channelEnergies.push_back(this->MeanOf(energies));
  }
  record.minimumJacobian = report.minimumJacobian;
  record.numberOfShortenedSteps = report.numberOfFolds;
  record.entropy = m_Plan.parameters.measureEntropy ? share.MeasureEntropy() : std::numeric_limits<double>::quiet_NaN();
  m_Result.numberOfShortenedSteps += report.numberOfFolds;
  m_Result.iterations.push_back(std::move(record));
}

/** Whether the mean energy of the level has fallen by less than the threshold over the last iterations. The first
 * device decides for all. */
bool
AtlasRun::HasConverged(int device, int level)
{
  const double threshold = m_Plan.parameters.registration.convergenceThreshold;
  if (threshold == 0.0)
  {
    return false;
  }
  std::int64_t hasConverged = 0;
  const auto & iterations = m_Result.iterations;
  if (device == 0 && iterations.back().iteration >= convergenceWindow)
  {
    const AtlasIteration & before = iterations[iterations.size() - 1 - convergenceWindow];
    const double           fall = before.energy - iterations.back().energy;
    hasConverged = before.level == level && fall < threshold * std::fabs(before.energy) ? 1 : 0;
  }
  m_Group.SumOnHost(device, &hasConverged, 1);
  return hasConverged != 0;
}

bool
AtlasRun::IsShapeUpdateDue(int iteration, bool isLast) const
{
  const int interval = m_Plan.parameters.shapeUpdateInterval;
  return interval > 0 && (isLast || (iteration + 1) % interval == 0);
}

void
AtlasRun::AddDrift(int device, int level, int iteration, AtlasDrift drift)
{
  if (device == 0)
  {
    drift.level = level;
    drift.iteration = iteration;
    m_Result.drifts.push_back(drift);
  }
}

void
AtlasRun::ReportProgress(int level, int iteration)
{
  double done = 0.0;
  for (int i = 0; i < level; ++i)
  {
    done += WorkOf(m_Plan, m_Plan.parameters.registration.levels[static_cast<std::size_t>(i)]);
  }
  const RegistrationLevel & schedule = m_Plan.parameters.registration.levels[static_cast<std::size_t>(level)];
  done += WorkOf(m_Plan, schedule) * (iteration + 1) / schedule.iterations;
  m_Progress = endOfIterations * done / m_Work;
  // Reports within the next iteration leave the progress where it is, but can still abort the iteration.
  m_Range.reset();
  m_Range.emplace(m_Group.GetContext(0), m_Progress, m_Progress);
  m_Group.GetContext(0).ReportProgress(0.0);
}

/** Combines the wishes of all processes' observers: save if one wants to save, stop if one wants to stop. */
AtlasAction
AtlasRun::Agree(int device)
{
  std::int64_t wishes[4] = { 0, 0, 0, 0 };
  if (device == 0)
  {
    AtlasAction wish = m_Observer ? m_Observer(m_Result.iterations.back()) : AtlasAction::Continue;
    if (m_Checkpoints.IsDue() && (wish == AtlasAction::Continue || wish == AtlasAction::Stop))
    {
      wish = wish == AtlasAction::Continue ? AtlasAction::Save : AtlasAction::SaveAndStop;
    }
    wishes[static_cast<int>(wish)] = 1;
  }
  m_Group.SumOnHost(device, wishes, 4);
  const bool saves = wishes[1] + wishes[3] > 0;
  const bool stops = wishes[2] + wishes[3] > 0;
  return stops ? (saves ? AtlasAction::SaveAndStop : AtlasAction::Stop)
               : (saves ? AtlasAction::Save : AtlasAction::Continue);
}

} // namespace cudaneuro
