// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasShare.h"

#include "atlas/AtlasMemory.h"
#include "atlas/CutFraction.h"
#include "atlas/SourceImage.h"
#include "atlas/means/VolumeReductions.h"

#include "core/ContextAccess.h"
#include "core/Dispatch.h"
#include "core/MemoryBudget.h"
#include "core/ParameterChecks.h"
#include "core/PlaneFrames.h"
#include "cudaneuro/Error.h"
#include "cudaneuro/ImageOperations.h"
#include "fields/Jacobian.h"
#include "images/ImagePreparation.h"
#include "images/ImageStatistics.h"
#include "images/ValidImage.h"
#include "jobs/AvailableMemory.h"
#include "jobs/DeviceVolumes.h"
#include "registration/FieldInPlane.h"
#include "registration/LevelImage.h"
#include "registration/RegistrationChecks.h"

#include <algorithm>
#include <cmath>

/** The images of a share on their way from the caller to the grid of a level. */
namespace cudaneuro
{

namespace
{

SoAFieldMemory
FetchField(Context & context, std::int64_t voxels, const std::shared_ptr<void> & host)
{
  SoAFieldMemory field(context, voxels);
  CopyToDevice(context, voxels, host.get(), field.View());
  return field;
}

void
Clear(Context & context, std::int64_t voxels, const SoAField & field)
{
  for (float * const component : { field.x, field.y, field.z })
  {
    FillWithZeros(context, voxels, component);
  }
}

/** Requires displacements that are within the range of sums over maps. */
void
RequireOnGrid(Context & context, const Extent & extent, const std::string & name, const SoAField & map)
{
  const double longest = std::sqrt(MomentsOfField(context, extent, { 1.0, 1.0, 1.0 }, map).largestSquare);
  if (!(longest <= LongestDisplacement(extent)))
  {
    ThrowInvalid("the longest displacement of the initial field of the " + name + ", in voxels,",
                 longest,
                 "at most twice the grid's longest side, " + std::to_string(LongestDisplacement(extent)));
  }
}

} // namespace

AtlasShare::AtlasShare(
  const AtlasPlan & plan, DeviceGroup & group, int device, const std::vector<int> & images, int contextsOfDevice)
  : m_Plan(plan)
  , m_Group(group)
  , m_Device(device)
  , m_Context(group.GetContext(device))
  , m_LevelGeometry(plan.geometry)
  , m_MapGeometry(plan.geometry)
  , m_MeanClock(MakeStageClock(m_Context))
{
  m_Members.resize(images.size());
  for (std::size_t i = 0; i < images.size(); ++i)
  {
    m_Members[i].image = images[i];
  }
  this->PrepareDevice(contextsOfDevice);
  BudgetOf(m_Context).ExchangePurpose(this->Describe());
  BudgetOf(m_Context).SetReliever([this] { return this->OffloadOne(); });
}

AtlasShare::~AtlasShare()
{
  BudgetOf(m_Context).SetReliever({});
  BudgetOf(m_Context).ExchangePurpose({});
}

bool
AtlasShare::OffloadOne()
{
  if (m_Kept.second)
  {
    return false;
  }
  for (auto member = m_Members.rbegin(); member != m_Members.rend(); ++member)
  {
    const bool isOnDevice = std::any_of(member->channels.begin(),
                                        member->channels.end(),
                                        [](const MemberChannel & channel) { return channel.full.Data() != nullptr; }) ||
                            member->map.View().x != nullptr;
    if (!member->isOffloaded && isOnDevice && &*member != m_Kept.first)
    {
      Offload(m_Context, m_Plan.NumberOfVoxels(), *member);
      BudgetOf(m_Context).ExchangePurpose(this->Describe());
      return true;
    }
  }
  return false;
}

void
AtlasShare::FinishSlots()
{
  if (m_Slots)
  {
    m_Slots->Finish();
  }
}

void
AtlasShare::Visit(const PassAccess & access, const MemberVisitor & visit)
{
  if constexpr (builtWithCuda)
  {
    if (this->GetNumberOfOffloaded() > 0 && !m_Slots)
    {
      m_Slots = gpu::MakeStagingSlots(m_Context, this->NumberOfLevelVoxels(), m_Plan.NumberOfChannels());
    }
  }
  const Kept all(*this, nullptr);
  VisitMembers(m_Members, m_Slots.get(), access, { m_Spare, m_Scratch }, visit);
}

void
AtlasShare::PrepareDevice(int contextsOfDevice)
{
  if constexpr (builtWithCuda)
  {
    if (m_Context.GetDevice().IsCuda() && !m_Members.empty())
    {
      gpu::ShareDevice(m_Context, contextsOfDevice);
      const std::size_t available = gpu::AvailableBytes(m_Context, contextsOfDevice);
      const bool        isLimit = available == m_Context.GetMemoryLimit();
      const std::size_t residents = ResidentMembers(m_Plan, m_Members.size(), available, isLimit);
      for (std::size_t i = residents; i < m_Members.size(); ++i)
      {
        m_Members[i].isOffloaded = true;
      }
    }
  }
}

std::string
AtlasShare::Describe() const
{
  const ShareMemory memory(m_Plan, m_Members.size());
  const std::size_t residents = m_Members.size() - static_cast<std::size_t>(this->GetNumberOfOffloaded());
  return "an atlas of which " + std::to_string(residents) + " images are to be on the device and " +
         std::to_string(this->GetNumberOfOffloaded()) + " are not, " +
         std::to_string(memory.Bytes(residents, residents < m_Members.size())) + " bytes in all";
}

Member *
AtlasShare::FindMember(int image)
{
  const auto found =
    std::find_if(m_Members.begin(), m_Members.end(), [image](const Member & member) { return member.image == image; });
  return found == m_Members.end() ? nullptr : &*found;
}

int
AtlasShare::GetNumberOfOffloaded() const
{
  return static_cast<int>(
    std::count_if(m_Members.begin(), m_Members.end(), [](const Member & member) { return member.isOffloaded; }));
}

void
AtlasShare::SetImage(Member & member, const AtlasImage & image)
{
  RequireAtlasImage(m_Context, m_Plan, image);
  const std::string  name = "image '" + image.name + "'";
  const Kept         kept(*this, &member);
  const std::int64_t voxels = m_Plan.NumberOfVoxels();
  // An image that was set before is gone, whether this one can be used or not.
  member.isSet = false;
  member.map = {};
  member.offloadedMap = {};
  member.mapVoxels = 0;
  member.name = image.name;
  member.numberOfOutliers = 0;
  member.channels.assign(m_Plan.NumberOfChannels(), {});
  for (std::size_t channel = 0; channel < member.channels.size(); ++channel)
  {
    this->SetChannel(member, channel, ChannelOf(image, channel));
  }
  if (image.initialField.data != nullptr)
  {
    member.map =
      ReadFieldInPlane(m_Context, "initial displacement field of the " + name, m_Plan.geometry, image.initialField);
    member.mapVoxels = voxels;
    RequireNoFolds("initial displacement field of the " + name,
                   JacobianDeterminant(m_Context, ExtentOf(m_Plan.geometry.grid), member.map.View(), nullptr));
    RequireOnGrid(m_Context, ExtentOf(m_Plan.geometry.grid), name, member.map.View());
  }
  if (member.isOffloaded)
  {
    Offload(m_Context, voxels, member);
  }
  member.isSet = true;
}

void
AtlasShare::SetChannel(Member & member, std::size_t channel, const AtlasImage & image)
{
  const std::string  name = "image '" + image.name + "'";
  const std::int64_t voxels = m_Plan.NumberOfVoxels();
  const SourceImage  source(m_Context, m_Plan, image);
  const ValidImage & valid = source.GetValid();
  MemberChannel &    ofMember = member.channels[channel];
  member.numberOfOutliers += valid.GetNumberOfOutliers();
  if (channel == 0)
  {
    member.cutFraction =
      NeedsResampling(m_Plan, image)
        ? CutFraction(m_Context, image.geometry, valid.Image(), valid.Mask(), image.transform, m_Plan.geometry)
        : 0.0;
  }
  ofMember.full = AllocateFloats(m_Context, voxels);
  source.Sample({}, Floats(ofMember.full));
  ofMember.statistics = VolumeStatistics(m_Context, voxels, Floats(ofMember.full), nullptr);
  ofMember.hasGaps = ofMember.statistics.count < voxels;
  if (ofMember.statistics.count == 0)
  {
    ThrowInvalid("the number of voxels of the template where the " + name + " has a value", 0, "1 or greater");
  }
  RequireContrast(name, ofMember.statistics);
}

void
AtlasShare::SetInitialTemplate(const std::vector<float> & image)
{
  m_InitialTemplate = AllocateFloats(m_Context, m_Plan.NumberOfVoxels());
  CopyToDevice(m_Context, image.data(), m_InitialTemplate.Data(), BytesOf(m_Plan.NumberOfVoxels()));
}

DeviceMemory
AtlasShare::FullOf(const MemberChannel & channel)
{
  if (channel.full.Data() != nullptr)
  {
    return channel.full;
  }
  DeviceMemory full = AllocateFloats(m_Context, m_Plan.NumberOfVoxels());
  CopyToDevice(m_Context, channel.offloadedFull.get(), full.Data(), BytesOf(m_Plan.NumberOfVoxels()));
  return full;
}

void
AtlasShare::BeginLevel(int level)
{
  this->EndLevels();
  const bool                 isLast = level == m_Plan.NumberOfLevels();
  const std::array<int, 3>   whole{ 1, 1, 1 };
  const std::array<int, 3> & factors =
    isLast ? whole : m_Plan.parameters.registration.levels[static_cast<std::size_t>(level)].shrinkFactors;
  m_LevelGeometry = ShrunkGeometry(m_Plan.geometry, factors);
  m_ImageBoxes.clear();
  for (Member & member : m_Members)
  {
    const Kept kept(*this, &member);
    this->BringImages(member, factors);
    this->BringMap(member);
    this->ClearVelocity(member);
  }
  m_MapGeometry = m_LevelGeometry;
  this->AllocateLevel();
}

void
AtlasShare::BringImages(Member & member, const std::array<int, 3> & factors)
{
  member.levelVoxels = this->NumberOfLevelVoxels();
  if (m_Plan.canTrim && m_Plan.parameters.trimToBoundingBox)
  {
    m_ImageBoxes.push_back({});
  }
  for (MemberChannel & channel : member.channels)
  {
    this->BringImage(member, channel, factors);
  }
}

void
AtlasShare::BringImage(const Member & member, MemberChannel & channel, const std::array<int, 3> & factors)
{
  const std::int64_t voxels = this->NumberOfLevelVoxels();
  const bool         isFull = IsSameGeometry(m_LevelGeometry, m_Plan.geometry);
  DeviceMemory       image = this->FullOf(channel);
  if (!isFull)
  {
    image = ShrinkImage(m_Context, m_Plan.geometry, Floats(image), channel.hasGaps, m_LevelGeometry, factors);
  }
  if (!m_ImageBoxes.empty())
  {
    m_ImageBoxes.back().Include(NonZeroBox(m_Context, ExtentOf(m_LevelGeometry.grid), Floats(image)));
  }
  if (!member.isOffloaded)
  {
    channel.level = image;
  }
  else
  {
    channel.offloadedLevel = isFull ? channel.offloadedFull : OffloadVolume(m_Context, voxels, image);
  }
}

void
AtlasShare::BringMap(Member & member)
{
  const std::int64_t voxels = this->NumberOfLevelVoxels();
  LevelMap           map{ m_MapGeometry, std::move(member.map) };
  const bool hasMap = member.isOffloaded ? member.offloadedMap != nullptr : map.displacement.View().x != nullptr;
  if (!hasMap)
  {
    map.displacement = SoAFieldMemory(m_Context, voxels);
    Clear(m_Context, voxels, map.displacement.View());
  }
  else
  {
    if (member.isOffloaded)
    {
      map.displacement = FetchField(m_Context, m_MapGeometry.grid.NumberOfVoxels(), member.offloadedMap);
    }
    MoveMap(m_Context, m_LevelGeometry, m_Plan.parameters.registration.jacobianBound, map);
    member.isDamped = member.isDamped || map.IsDamped();
  }
  member.mapVoxels = voxels;
  if (member.isOffloaded)
  {
    member.offloadedMap = OffloadField(m_Context, voxels, map.displacement);
    return;
  }
  member.map = std::move(map.displacement);
}

void
AtlasShare::ClearVelocity(Member & member)
{
  const std::int64_t voxels = this->NumberOfLevelVoxels();
  if (member.isOffloaded)
  {
    const SoAFieldMemory zeros(m_Context, voxels); // a copy is faster than one thread that writes them
    Clear(m_Context, voxels, zeros.View());
    member.offloadedVelocity = OffloadField(m_Context, voxels, zeros);
    return;
  }
  member.velocity = SoAFieldMemory(m_Context, voxels);
  Clear(m_Context, voxels, member.velocity.View());
}

void
AtlasShare::EndLevels()
{
  m_Stepper.reset();
  this->FinishSlots();
  m_Slots.reset();
  m_Spare = {};
  m_Force = {};
  m_Scratch = {};
  m_Deformed.clear();
  m_Sums.clear();
  m_RobustWeights = {};
  for (Member & member : m_Members)
  {
    member.velocity = {};
    member.offloadedVelocity = {};
    for (MemberChannel & channel : member.channels)
    {
      channel.level = {};
      channel.offloadedLevel = {};
    }
  }
}

} // namespace cudaneuro
