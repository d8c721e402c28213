// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasShare.h"

#include "core/Dispatch.h"
#include "images/smoothing/GaussianSmoothing.h"
#include "images/ImagePreparation.h"
#include "images/ImageStatistics.h"
#include "jobs/DeviceVolumes.h"
#include "registration/LevelImage.h"

#include <algorithm>
#include <cmath>

/** The template of a share: the steps of its members, and the means that it computes with the other shares. */
namespace cudaneuro
{

void
AtlasShare::AllocateLevel()
{
  const std::int64_t voxels = this->NumberOfLevelVoxels();
  const auto         count = static_cast<std::size_t>(voxels);
  const std::size_t  members = m_Members.size();
  m_Spare = SoAFieldMemory(m_Context, voxels);
  m_Force = SoAFieldMemory(m_Context, voxels);
  m_Scratch = SoAFieldMemory(m_Context, voxels);
  const std::size_t places = m_Plan.IsRobust() ? members : std::min<std::size_t>(members, mostAddends);
  m_Templates.clear();
  StepperSetting setting{ m_Plan.parameters.registration,
                          m_Plan.channelOrder,
                          this->GetExtent(),
                          DescentScale(m_LevelGeometry.grid),
                          {},
                          m_Force.View() };
  for (std::size_t channel = 0; channel < m_Plan.NumberOfChannels(); ++channel)
  {
    m_Templates.push_back(AllocateFloats(m_Context, voxels));
    m_Deformed.push_back(m_Context.Allocate(std::max<std::size_t>(1, places) * count * sizeof(float)));
    m_Sums.push_back(m_Context.Allocate(SumValues(VoxelBox::Whole(this->GetExtent())) * sizeof(std::int64_t)));
    setting.targets[channel] = Floats(m_Templates.back());
  }
  m_States = m_Context.Allocate(std::max<std::size_t>(1, members) * sizeof(MemberState));
  this->WriteStates(std::vector<MemberState>(members));
  if (m_Plan.IsRobust())
  {
    const std::vector<float> weights(m_Plan.wholeWeights.begin(), m_Plan.wholeWeights.end());
    m_RobustWeights = m_Context.Allocate(weights.size() * sizeof(float));
    CopyToDevice(m_Context, weights.data(), m_RobustWeights.Data(), weights.size() * sizeof(float));
  }
  m_Stepper = MakeMemberStepper(m_Context, setting);
  m_Box = VoxelBox::Whole(this->GetExtent());
}

std::int64_t *
AtlasShare::SumsOf(std::size_t channel) const
{
  return static_cast<std::int64_t *>(m_Sums[channel].Data());
}

std::vector<TemplateSum>
AtlasShare::StartSums()
{
  std::vector<TemplateSum> sums;
  for (std::size_t channel = 0; channel < m_Plan.NumberOfChannels(); ++channel)
  {
    SumOfVolumes sum;
    sum.extent = this->GetExtent();
    sum.box = m_Box;
    sum.sums = this->SumsOf(channel);
    sum.sumsOfWeights = WeightsBehind(sum.sums, m_Box);
    if (!m_Context.GetDevice().IsCuda() && !m_Box.IsEmpty())
    {
      // Two weights share 64 bits. The last one may have an unused neighbor, which hosts add as well.
      sum.sums[SumValues(m_Box) - 1] = 0;
    }
    sums.emplace_back(m_Context, m_Plan, channel, *m_MeanClock, sum);
  }
  return sums;
}

void
AtlasShare::FinishSums(std::vector<TemplateSum> & sums)
{
  for (TemplateSum & sum : sums)
  {
    sum.Finish();
  }
}

float *
AtlasShare::DeformedPlace(std::size_t channel, std::size_t member, int place) const
{
  const std::int64_t row = m_Plan.IsRobust() ? static_cast<std::int64_t>(member) : place;
  return Floats(m_Deformed[channel]) + row * this->NumberOfLevelVoxels();
}

MemberVisit
AtlasShare::DeformingVisitOf(int member, const MemberView & view, const std::vector<TemplateSum> & sums)
{
  MemberVisit visit = this->VisitOf(member, view);
  for (std::size_t channel = 0; channel < sums.size(); ++channel)
  {
    visit.deformed[channel] =
      this->DeformedPlace(channel, static_cast<std::size_t>(member), sums[channel].GetNumberOfWaiting());
  }
  return visit;
}

void
AtlasShare::AddDeformed(int member, const MemberVisit & visit, std::vector<TemplateSum> & sums) const
{
  for (std::size_t channel = 0; channel < sums.size(); ++channel)
  {
    sums[channel].Add(m_Members[static_cast<std::size_t>(member)].image, visit.deformed[channel]);
  }
}

MemberVisit
AtlasShare::VisitOf(int member, const MemberView & view)
{
  MemberVisit visit;
  visit.moving = view.levels;
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
  std::vector<TemplateSum> sums = this->StartSums();
  this->Visit({}, [&](int i, const MemberView & view) {
    const MemberVisit visit = this->DeformingVisitOf(i, view, sums);
    m_Stepper->Deform(visit);
    this->AddDeformed(i, visit, sums);
    return false;
  });
  FinishSums(sums);
  this->FinishTemplates();
}

void
AtlasShare::Step(bool isFirst)
{
  std::vector<TemplateSum> sums = this->StartSums();
  PassAccess               access;
  access.readsVelocity = true;
  access.writesMap = true;
  access.writesVelocity = true;
  this->Visit(access, [&](int i, const MemberView & view) {
    MemberVisit visit = this->DeformingVisitOf(i, view, sums);
    visit.next = m_Spare.View();
    visit.isFirst = isFirst;
    visit.scratch = m_Scratch.View();
    const bool isInScratch = m_Stepper->Step(visit);
    this->AddDeformed(i, visit, sums);
    if (m_Device == 0)
    {
      m_Context.ReportProgress(0.0);
    }
    return isInScratch;
  });
  FinishSums(sums);
  this->FinishTemplates();
}

MapEnergy
AtlasShare::EnergyOf(double imageEnergy, double biasEnergy, const double * termEnergies) const
{
  MapEnergy energy;
  energy.total = m_Places.EnergyOf(imageEnergy, biasEnergy, termEnergies);
  for (std::size_t channel = 0; channel < m_Plan.NumberOfChannels(); ++channel)
  {
    energy.channels[channel] = m_Places.EnergyOf(channel, imageEnergy, termEnergies);
  }
  return energy;
}

std::vector<MapEnergy>
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
  std::vector<MapEnergy> energies;
  for (const MemberState & state : this->ReadStates())
  {
    const StepRecord & record = state.records[0];
    energies.push_back(this->EnergyOf(record.imageEnergy, record.biasEnergy, record.termEnergies));
  }
  return energies;
}

void
AtlasShare::FinishTemplates()
{
  for (std::size_t channel = 0; channel < m_Templates.size(); ++channel)
  {
    m_MeanClock->Start();
    if (m_Plan.IsRobust())
    {
      this->TakeRobustMean(channel);
    }
    else
    {
      this->TakeMean(channel);
    }
    m_MeanClock->Stop();
    this->Sharpen(Floats(m_Templates[channel]));
  }
}

void
AtlasShare::TakeMean(std::size_t channel)
{
  std::int64_t * const sums = this->SumsOf(channel);
  m_Group.Sum(m_Device, sums, SumValues(m_Box));
  MeanOfSums mean;
  mean.extent = this->GetExtent();
  mean.box = m_Box;
  mean.sums = sums;
  mean.sumsOfWeights = WeightsBehind(sums, m_Box);
  mean.inverseScale = 1.0 / m_Plan.scales[channel].sumScale;
  mean.mean = Floats(m_Templates[channel]);
  DivideSums(m_Context, mean);
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
AtlasShare::TakeRobustMean(std::size_t channel)
{
  const std::int64_t  voxels = this->NumberOfLevelVoxels();
  RobustMeanArguments arguments = this->RobustArguments();
  if (m_Group.IsAlone())
  {
    arguments.voxels = voxels;
    arguments.values = Floats(m_Deformed[channel]);
    arguments.stride = voxels;
    arguments.output = Floats(m_Templates[channel]);
    RobustMean(m_Context, arguments);
    return;
  }
  // Rows of all images are gathered for a part of the voxels at a time.
  const std::int64_t atATime = std::max<std::int64_t>(1, std::min(voxels, rowFloats / arguments.images));
  const DeviceMemory rows = AllocateFloats(m_Context, atATime * arguments.images);
  for (std::int64_t begin = 0; begin < voxels; begin += atATime)
  {
    const std::int64_t count = std::min(atATime, voxels - begin);
    this->GatherRows(channel, begin, count, Floats(rows));
    arguments.voxels = count;
    arguments.values = Floats(rows);
    arguments.stride = count;
    arguments.output = Floats(m_Templates[channel]) + begin;
    RobustMean(m_Context, arguments);
  }
}

/** The values of all images at some voxels, by integer sums of bits: each image is on one device, 0 on the others. */
void
AtlasShare::GatherRows(std::size_t channel, std::int64_t begin, std::int64_t count, float * rows)
{
  const std::int64_t all = count * m_Plan.NumberOfImages();
  FillWithZeros(m_Context, all, rows);
  for (std::size_t i = 0; i < m_Members.size(); ++i)
  {
    this->PutRow(this->DeformedPlace(channel, i, 0) + begin, count, rows + m_Members[i].image * count);
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
             { m_Templates[0].Data(), PixelType::Float, space });
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
  // A voxel reads voxels next to its mapped position, and correlations read boxes around it.
  float beyond = 2.0f;
  for (int place = 0; place < m_Places.GetSize(); ++place)
  {
    const RegistrationParameters & ofChannel = m_Places.GetParameters(place);
    if (ofChannel.metric == RegistrationMetric::LocalCorrelation)
    {
      beyond = std::max(beyond, 2.0f * static_cast<float>(ofChannel.correlationRadius) + 2.0f);
    }
  }
  const int sizes[3] = { extent.x, extent.y, extent.z };
  for (int axis = 0; axis < 3; ++axis)
  {
    const double growth = std::ceil(largest[axis] + parameters.maximumStep + beyond);
    const int    voxels = static_cast<int>(std::min<double>(growth, sizes[axis]));
    box.begin[axis] = std::max(0, box.begin[axis] - voxels);
    box.end[axis] = std::min(sizes[axis], box.end[axis] + voxels);
  }
  return box;
}

} // namespace cudaneuro
