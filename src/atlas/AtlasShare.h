// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_AtlasShare_h
#define cudaneuro_atlas_AtlasShare_h

#include "atlas/AtlasPlan.h"
#include "atlas/means/ImageSums.h"
#include "atlas/members/MemberPass.h"
#include "atlas/members/MemberStep.h"
#include "atlas/means/RobustMean.h"
#include "atlas/TemplateSum.h"
#include "group/DeviceGroup.h"
#include "registration/RegistrationRun.h"

#include <utility>

namespace cudaneuro
{

/** Number of floats in the rows of all images that one call of a robust mean processes. */
constexpr std::int64_t rowFloats = std::int64_t{ 1 } << 26;

/** The energy of a map, and of each channel without its weight. */
struct MapEnergy
{
  double                                      total = 0.0;
  std::array<double, maximumNumberOfChannels> channels{};
};

/** The part of an atlas on one device: some of the images with their maps, and a copy of the template. The shares of
 * all devices call the functions of a run together, each in its body of DeviceGroup::Run. */
class AtlasShare
{
public:
  /** \param contextsOfDevice number of contexts that share the device's memory */
  AtlasShare(
    const AtlasPlan & plan, DeviceGroup & group, int device, const std::vector<int> & images, int contextsOfDevice);
  ~AtlasShare();
  AtlasShare(const AtlasShare &) = delete;
  AtlasShare &
  operator=(const AtlasShare &) = delete;

  std::vector<Member> &
  GetMembers()
  {
    return m_Members;
  }
  /** The member with an image; null for an image of another device. */
  Member *
  FindMember(int image);
  int
  GetNumberOfOffloaded() const;
  /** Offloads one more member, without influence on the result. Called when an allocation of the share finds no
   * memory.
   * \returns whether the device has more memory now: false during a pass over the members, and when all are
   * offloaded */
  bool
  OffloadOne();

  /** Reads an image. */
  void
  SetImage(Member & member, const AtlasImage & image);
  void
  SetInitialTemplate(const std::vector<float> & image);
  /** Replaces all images and the initial template by (intensity - offset) / scale. The plan must have scales and the
   * order of the channels. */
  void
  Standardize();

  /** Brings images and maps to the grid of a level; \p numberOfLevels stands for the full grid after the last level.
   * Sets velocities to 0. */
  void
  BeginLevel(int level);
  /** Deforms all images by their maps, and computes the template from them. */
  void
  MakeTemplate();
  /** Uses the initial template, if there is one, as the template of the level. */
  void
  TakeInitialTemplate(int level);
  /** Runs one iteration: moves all maps, and computes the template from the images that they deform. */
  void
  Step(bool isFirst);
  /** Changes the maps so that their mean is the identity, and recomputes the template. */
  AtlasDrift
  UpdateShape();
  /** The energy of each member's map with the template. No step may follow. */
  std::vector<MapEnergy>
  MeasureEnergies();
  /** The energies of a map from those of its record. */
  MapEnergy
  EnergyOf(double imageEnergy, double biasEnergy, const double * termEnergies) const;
  /** Frees the memory that only iterations need. */
  void
  EndLevels();

  /** The states of the members after the last step or template. */
  std::vector<MemberState>
  ReadStates() const;
  void
  WriteStates(const std::vector<MemberState> & states);
  /** Shannon entropy of the template's intensities, in bits. */
  double
  MeasureEntropy();
  /** Seconds spent on means since the last call. */
  double
  ReadMeanSeconds()
  {
    return m_MeanClock->Read();
  }
  const Geometry &
  GetLevelGeometry() const
  {
    return m_LevelGeometry;
  }
  Extent
  GetExtent() const
  {
    return ExtentOf(m_LevelGeometry.grid);
  }
  /** Sets the box outside which all deformed images are 0 in the next step. */
  void
  SetBox(const VoxelBox & box)
  {
    m_Box = box;
  }
  /** The box outside which the member's deformed image is 0 if its displacements are at most \p largest. */
  VoxelBox
  Reach(std::size_t member, const float (&largest)[3]) const;

  /** The weighted mean of the images without any map, in the images' intensities. */
  void
  WriteInitialMean(std::size_t channel, const Volume & output);
  /** The template of a channel on the full grid, in the images' intensities. */
  void
  WriteTemplate(std::size_t channel, const Volume & output);
  AtlasImageResult
  WriteImage(Member & member, const AtlasImageOutputs & outputs, const AtlasImage * source);
  /** Takes labels to the template through the member's map, after the last level. */
  void
  TakeLabels(Member & member, const AtlasLabels & labels);
  /** Takes points to the template through the inverse of the member's map, after the last level. */
  AtlasPointsResult
  TakePoints(Member & member, const AtlasPoints & points);

  /** Copies the map and the velocity of a member on the level to host memory, 3 volumes each. */
  void
  ReadFields(Member & member, float * map, float * velocity);
  void
  WriteFields(Member & member, const float * map, const float * velocity);
  /** The standardized image of a channel on the grid of the template. */
  void
  ReadFull(Member & member, std::size_t channel, float * image);

private:
  /** Keeps OffloadOne from offloading a member, or all members if null, during this object's lifetime. */
  class Kept
  {
  public:
    Kept(AtlasShare & share, const Member * member)
      : m_Share(share)
      , m_Outer(std::exchange(share.m_Kept, { member, member == nullptr }))
    {}
    ~Kept() { m_Share.m_Kept = m_Outer; }
    Kept(const Kept &) = delete;
    Kept &
    operator=(const Kept &) = delete;

  private:
    AtlasShare &                    m_Share;
    std::pair<const Member *, bool> m_Outer;
  };

  void
  PrepareDevice(int contextsOfDevice);
  /** The name of the share in messages about allocations. */
  std::string
  Describe() const;
  /** VisitMembers, with slots for offloaded members. */
  void
  Visit(const PassAccess & access, const MemberVisitor & visit);
  /** Waits until offloaded members are back in host memory. */
  void
  FinishSlots();
  DeviceMemory
  FullOf(const MemberChannel & channel);
  /** Reads the image of a channel. */
  void
  SetChannel(Member & member, std::size_t channel, const AtlasImage & image);
  /** The map of a member after the last level, copied to \p memory if it is offloaded. */
  SoAField
  FullMapOf(const Member & member, SoAFieldMemory & memory);
  /** The same map in host memory, copied to \p memory unless it is there. */
  ConstSoAField
  HostMapOf(const Member & member, std::vector<float> & memory);
  void
  BringImages(Member & member, const std::array<int, 3> & factors);
  void
  BringImage(const Member & member, MemberChannel & channel, const std::array<int, 3> & factors);
  void
  BringMap(Member & member);
  void
  ClearVelocity(Member & member);
  void
  AllocateLevel();
  /** Starts the sums of the images' values in the box, one per channel. */
  std::vector<TemplateSum>
  StartSums();
  static void
  FinishSums(std::vector<TemplateSum> & sums);
  std::int64_t *
  SumsOf(std::size_t channel) const;
  /** The visit of a member in a pass that deforms its images and adds them to the sums. */
  MemberVisit
  DeformingVisitOf(int member, const MemberView & view, const std::vector<TemplateSum> & sums);
  void
  AddDeformed(int member, const MemberVisit & visit, std::vector<TemplateSum> & sums) const;
  float *
  DeformedPlace(std::size_t channel, std::size_t member, int place) const;
  void
  FinishTemplates();
  void
  TakeMean(std::size_t channel);
  void
  TakeRobustMean(std::size_t channel);
  void
  GatherRows(std::size_t channel, std::int64_t begin, std::int64_t count, float * rows);
  void
  PutRow(const float * values, std::int64_t count, float * row);
  RobustMeanArguments
  RobustArguments() const;
  void
  TakeMeanOfMaps(const SoAField & mean);
  void
  TakeRobustMeanOfMaps(const SoAField & mean);
  void
  Sharpen(float * image);
  /** Writes the deformed image of a channel to the caller's volume. */
  void
  WriteDeformed(
    const Member & member, std::size_t channel, const SoAField & map, const AtlasImage * source, const Volume & output);
  /** The standardized image, deformed by the map. */
  void
  DeformResampled(const MemberChannel & channel, const SoAField & map, float * output);
  /** Converts a channel's standardized volume to the caller's intensities; voxels without a value become 0. */
  void
  ToIntensities(std::size_t channel, std::int64_t voxels, float * volume);
  /** Sets voxels without a value to 0. */
  void
  FillGaps(std::int64_t voxels, float * volume);
  void
  SumMaps(const std::array<std::int64_t *, 3> & sums);
  MemberVisit
  VisitOf(int member, const MemberView & view);
  std::int64_t
  NumberOfLevelVoxels() const
  {
    return m_LevelGeometry.grid.NumberOfVoxels();
  }

  const AtlasPlan & m_Plan;
  DeviceGroup &     m_Group;
  int               m_Device;
  Context &         m_Context;

  std::vector<Member> m_Members;
  /** The member that is in use and must not be offloaded, and whether all members are in use. */
  std::pair<const Member *, bool> m_Kept{ nullptr, false };
  DeviceMemory                    m_InitialTemplate; // on the full grid

  Geometry m_LevelGeometry;
  /** The geometry of the maps until they are brought to the level. */
  Geometry              m_MapGeometry;
  std::vector<VoxelBox> m_ImageBoxes; // of members; enclose the level's voxels other than 0
  VoxelBox              m_Box;

  ChannelPlaces             m_Places;    // valid after Standardize
  std::vector<DeviceMemory> m_Templates; // of each channel
  DeviceMemory              m_States;
  SoAFieldMemory            m_Spare;
  SoAFieldMemory            m_Force;
  SoAFieldMemory            m_Scratch;
  /** Deformed images of each channel: a few volumes used in turn, or one per member for robust means. */
  std::vector<DeviceMemory>      m_Deformed;
  std::vector<DeviceMemory>      m_Sums;
  DeviceMemory                   m_RobustWeights;
  std::unique_ptr<StagingSlots>  m_Slots;
  std::unique_ptr<MemberStepper> m_Stepper;
  std::unique_ptr<StageClock>    m_MeanClock;
};

} // namespace cudaneuro

#endif
