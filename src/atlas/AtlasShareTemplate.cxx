// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasShare.h"

#include "core/Dispatch.h"
#include "images/GaussianSmoothing.h"
#include "images/ImagePreparation.h"
#include "images/ImageStatistics.h"
#include "jobs/DeviceVolumes.h"
#include "registration/LevelImage.h"

#include <algorithm>
#include <cmath>

/** The template of a share: the steps of its members, and the means that it makes with the other shares. */
namespace cudaneuro
{

namespace
{

std::int64_t *
SumsOf(const DeviceMemory & memory)
{
  return static_cast<std::int64_t *>(memory.Data());
}

} // namespace

void
AtlasShare::AllocateLevel()
{
  const std::int64_t voxels = this->NumberOfLevelVoxels();
  const auto         count = static_cast<std::size_t>(voxels);
  const std::size_t  members = m_Members.size();
  m_Spare = SoAFieldMemory(m_Context, voxels);
  m_Force = SoAFieldMemory(m_Context, voxels);
  m_Scratch = SoAFieldMemory(m_Context, voxels);
  m_Template = AllocateFloats(m_Context, voxels);
  const std::size_t places = m_Plan.IsRobust() ? members : std::min<std::size_t>(members, mostAddends);
  m_Deformed = m_Context.Allocate(std::max<std::size_t>(1, places) * count * sizeof(float));
  m_Sums = m_Context.Allocate(SumValues(VoxelBox::Whole(this->GetExtent())) * sizeof(std::int64_t));
  m_States = m_Context.Allocate(std::max<std::size_t>(1, members) * sizeof(MemberState));
  this->WriteStates(std::vector<MemberState>(members));
  if (m_Plan.IsRobust())
  {
    const std::vector<float> weights(m_Plan.wholeWeights.begin(), m_Plan.wholeWeights.end());
    m_RobustWeights = m_Context.Allocate(weights.size() * sizeof(float));
    CopyToDevice(m_Context, weights.data(), m_RobustWeights.Data(), weights.size() * sizeof(float));
  }
  m_Stepper = MakeMemberStepper(m_Context,
                                { m_Plan.parameters.registration,
                                  this->GetExtent(),
                                  DescentScale(m_LevelGeometry.grid),
                                  Floats(m_Template),
                                  m_Force.View() });
  m_Box = VoxelBox::Whole(this->GetExtent());
}

TemplateSum
AtlasShare::StartSum()
{
  SumOfVolumes sum;
  sum.extent = this->GetExtent();
  sum.box = m_Box;
  sum.sums = SumsOf(m_Sums);
  sum.sumsOfWeights = WeightsBehind(sum.sums, m_Box);
  if (!m_Context.GetDevice().IsCuda() && !m_Box.IsEmpty())
  {
    // The last weight may have a neighbor that is none; hosts add it, too.
    sum.sums[SumValues(m_Box) - 1] = 0;
  }
  return { m_Context, m_Plan, *m_MeanClock, sum };
}

float *
AtlasShare::DeformedPlace(std::size_t member, int place)
{
  const std::int64_t row = m_Plan.IsRobust() ? static_cast<std::int64_t>(member) : place;
  return Floats(m_Deformed) + row * this->NumberOfLevelVoxels();
}

MemberVisit
AtlasShare::VisitOf(int member, const MemberView & view)
{
  MemberVisit visit;
  visit.moving = view.level;
  visit.map = view.map;
  visit.next = view.map;
  visit.velocity = view.velocity;
  visit.state = static_cast<MemberState *>(m_States.Data()) + member;
  return visit;
}

void
AtlasShare::MakeTemplate()
{
  m_Box = VoxelBox::Whole(this->GetExtent());
  TemplateSum adder = this->StartSum();
  this->Visit({}, [&](int i, const MemberView & view) {
    MemberVisit visit = this->VisitOf(i, view);
    visit.deformed = this->DeformedPlace(static_cast<std::size_t>(i), adder.GetNumberOfWaiting());
    m_Stepper->Deform(visit);
    adder.Add(m_Members[static_cast<std::size_t>(i)].image, visit.deformed);
    return false;
  });
  adder.Finish();
  this->FinishTemplate();
}

void
AtlasShare::Step(bool isFirst)
{
  TemplateSum adder = this->StartSum();
  PassAccess  access;
  access.readsVelocity = true;
  access.writesMap = true;
  access.writesVelocity = true;
  this->Visit(access, [&](int i, const MemberView & view) {
    MemberVisit visit = this->VisitOf(i, view);
    visit.next = m_Spare.View();
    visit.deformed = this->DeformedPlace(static_cast<std::size_t>(i), adder.GetNumberOfWaiting());
    visit.isFirst = isFirst;
    visit.scratch = m_Scratch.View();
    const bool isInScratch = m_Stepper->Step(visit);
    adder.Add(m_Members[static_cast<std::size_t>(i)].image, visit.deformed);
    if (m_Device == 0)
    {
      m_Context.ReportProgress(0.0);
    }
    return isInScratch;
  });
  adder.Finish();
  this->FinishTemplate();
}

std::vector<double>
AtlasShare::MeasureEnergies()
{
  this->WriteStates(std::vector<MemberState>(m_Members.size()));
  this->Visit({}, [&](int i, const MemberView & view) {
    MemberVisit visit = this->VisitOf(i, view);
    visit.scratch = m_Scratch.View();
    m_Stepper->Evaluate(visit);
    if (m_Device == 0)
    {
      m_Context.ReportProgress(0.0);
    }
    return false;
  });
  std::vector<double> energies;
  for (const MemberState & state : this->ReadStates())
  {
    const StepRecord & record = state.records[0];
    energies.push_back(record.imageEnergy + m_Plan.parameters.registration.unbiasedWeight * record.biasEnergy);
  }
  return energies;
}

void
AtlasShare::FinishTemplate()
{
  m_MeanClock->Start();
  if (m_Plan.IsRobust())
  {
    this->TakeRobustMean();
  }
  else
  {
    m_Group.Sum(m_Device, SumsOf(m_Sums), SumValues(m_Box));
    MeanOfSums mean;
    mean.extent = this->GetExtent();
    mean.box = m_Box;
    mean.sums = SumsOf(m_Sums);
    mean.sumsOfWeights = WeightsBehind(SumsOf(m_Sums), m_Box);
    mean.inverseScale = 1.0 / m_Plan.sumScale;
    mean.mean = Floats(m_Template);
    DivideSums(m_Context, mean);
  }
  m_MeanClock->Stop();
  this->Sharpen();
}

RobustMeanArguments
AtlasShare::RobustArguments() const
{
  RobustMeanArguments arguments{};
  arguments.images = m_Plan.NumberOfImages();
  arguments.weights = Floats(m_RobustWeights);
  arguments.trimmedFraction = m_Plan.parameters.trimmedFraction;
  arguments.isMedian = m_Plan.parameters.meanMethod == AtlasMean::Median;
  return arguments;
}

void
AtlasShare::TakeRobustMean()
{
  const std::int64_t  voxels = this->NumberOfLevelVoxels();
  RobustMeanArguments arguments = this->RobustArguments();
  if (static_cast<int>(m_Members.size()) == arguments.images)
  {
    arguments.voxels = voxels;
    arguments.values = Floats(m_Deformed);
    arguments.stride = voxels;
    arguments.output = Floats(m_Template);
    RobustMean(m_Context, arguments);
    return;
  }
  // Rows of all images for some voxels at a time.
  const std::int64_t atATime = std::max<std::int64_t>(1, std::min(voxels, rowFloats / arguments.images));
  const DeviceMemory rows = AllocateFloats(m_Context, atATime * arguments.images);
  for (std::int64_t begin = 0; begin < voxels; begin += atATime)
  {
    const std::int64_t count = std::min(atATime, voxels - begin);
    this->GatherRows(begin, count, Floats(rows));
    arguments.voxels = count;
    arguments.values = Floats(rows);
    arguments.stride = count;
    arguments.output = Floats(m_Template) + begin;
    RobustMean(m_Context, arguments);
  }
}

/** The values of all images at some voxels: sums of bits, as each image is on one device and 0 on the others. */
void
AtlasShare::GatherRows(std::int64_t begin, std::int64_t count, float * rows)
{
  const std::int64_t all = count * m_Plan.NumberOfImages();
  FillWithZeros(m_Context, all, rows);
  for (std::size_t i = 0; i < m_Members.size(); ++i)
  {
    this->PutRow(this->DeformedPlace(i, 0) + begin, count, rows + m_Members[i].image * count);
  }
  m_Group.Sum(m_Device, reinterpret_cast<std::int32_t *>(rows), static_cast<std::size_t>(all));
}

void
AtlasShare::PutRow(const float * values, std::int64_t count, float * row)
{
  const MemorySpace space = MemorySpaceOf(m_Context);
  CopyVolume(m_Context, { { count, 1, 1 } }, { values, PixelType::Float, space }, { row, PixelType::Float, space });
}

void
AtlasShare::Sharpen()
{
  const auto amount = static_cast<float>(m_Plan.parameters.sharpening);
  if (amount == 0.0f)
  {
    return;
  }
  const std::int64_t    voxels = this->NumberOfLevelVoxels();
  const Extent          extent = this->GetExtent();
  const SoAField        scratch = m_Scratch.View();
  std::array<double, 3> sigma{ 1.0, 1.0, extent.z > 1 ? 1.0 : 0.0 };
  const MemorySpace     space = MemorySpaceOf(m_Context);
  CopyVolume(m_Context,
             m_LevelGeometry.grid,
             { m_Template.Data(), PixelType::Float, space },
             { scratch.x, PixelType::Float, space });
  SplitWeights(m_Context, voxels, scratch.x, scratch.y);
  for (float * const volume : { scratch.x, scratch.y })
  {
    SmoothVolume(m_Context, sigma, { extent, Boundary::Repeat, volume, scratch.z, volume });
  }
  JoinWeights(m_Context, voxels, scratch.y, 0.5f, scratch.x);
  SharpenImage(m_Context, voxels, amount, scratch.x, Floats(m_Template));
}

void
AtlasShare::TakeInitialTemplate(int level)
{
  if (!m_InitialTemplate.Data())
  {
    return;
  }
  const std::int64_t voxels = this->NumberOfLevelVoxels();
  DeviceMemory       image = m_InitialTemplate;
  if (!IsSameGeometry(m_LevelGeometry, m_Plan.geometry))
  {
    const auto & factors = m_Plan.parameters.registration.levels[static_cast<std::size_t>(level)].shrinkFactors;
    image = ShrinkImage(m_Context, m_Plan.geometry, Floats(image), false, m_LevelGeometry, factors);
  }
  const MemorySpace space = MemorySpaceOf(m_Context);
  CopyVolume(m_Context,
             { { voxels, 1, 1 } },
             { image.Data(), PixelType::Float, space },
             { m_Template.Data(), PixelType::Float, space });
  m_InitialTemplate = {};
}

std::vector<MemberState>
AtlasShare::ReadStates() const
{
  std::vector<MemberState> states(m_Members.size());
  CopyToHost(m_Context, m_States.Data(), states.data(), states.size() * sizeof(MemberState));
  return states;
}

void
AtlasShare::WriteStates(const std::vector<MemberState> & states)
{
  CopyToDevice(m_Context, states.data(), m_States.Data(), states.size() * sizeof(MemberState));
}

VoxelBox
AtlasShare::Reach(std::size_t member, const float (&largest)[3]) const
{
  const Extent extent = this->GetExtent();
  if (m_ImageBoxes.empty())
  {
    return VoxelBox::Whole(extent);
  }
  const RegistrationParameters & parameters = m_Plan.parameters.registration;
  VoxelBox                       box = m_ImageBoxes[member];
  if (box.IsEmpty())
  {
    return box;
  }
  // A voxel reads voxels next to where it is mapped, and correlations look beyond that.
  const bool  isCorrelation = parameters.metric == RegistrationMetric::LocalCorrelation;
  const float beyond = isCorrelation ? 2.0f * static_cast<float>(parameters.correlationRadius) + 2.0f : 2.0f;
  const int   sizes[3] = { extent.x, extent.y, extent.z };
  for (int axis = 0; axis < 3; ++axis)
  {
    const double growth = std::ceil(largest[axis] + parameters.maximumStep + beyond);
    const int    voxels = static_cast<int>(std::min<double>(growth, sizes[axis]));
    box.begin[axis] = std::max(0, box.begin[axis] - voxels);
    box.end[axis] = std::min(sizes[axis], box.end[axis] + voxels);
  }
  return box;
}

double
AtlasShare::MeasureEntropy()
{
  const std::int64_t voxels = this->NumberOfLevelVoxels();
  const DeviceMemory memory = m_Context.Allocate(static_cast<std::size_t>(voxels));
  auto * const       mask = static_cast<unsigned char *>(memory.Data());
  const float *      image = Floats(m_Template);
  MarkOverlap(m_Context, voxels, image, image, mask);
  const ImageStatistics statistics = VolumeStatistics(m_Context, voxels, image, mask);
  if (!(statistics.maximum > statistics.minimum))
  {
    return 0.0;
  }
  constexpr int bins = 256;
  const auto    counts = Histogram(m_Context, voxels, image, mask, { statistics.minimum, statistics.maximum, bins });
  double        entropy = 0.0;
  for (const std::int64_t count : counts)
  {
    const double share = static_cast<double>(count) / static_cast<double>(statistics.count);
    entropy -= count > 0 ? share * std::log2(share) : 0.0;
  }
  return entropy;
}

} // namespace cudaneuro
