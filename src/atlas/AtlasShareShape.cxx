// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasShare.h"

#include "atlas/means/FieldPose.h"
#include "atlas/means/VolumeReductions.h"
#include "atlas/means/FixedPoint.h"
#include "atlas/means/RigidPart.h"
#include "fields/FieldComposition.h"
#include "fields/FieldInversion.h"
#include "images/ImagePreparation.h"

#include <cmath>
#include <numeric>

/** The shape update of a share, computed together with the other shares. */
namespace cudaneuro
{

/** Sums of the members' weighted displacements, one per component. */
void
AtlasShare::SumMaps(const std::array<std::int64_t *, 3> & sums)
{
  const double scale = FixedPointScale(LongestDisplacement(this->GetExtent()));
  SumOfVolumes sum;
  sum.extent = this->GetExtent();
  sum.box = VoxelBox::Whole(sum.extent);
  sum.isFirst = true;
  for (std::int64_t * const component : sums)
  {
    sum.sums = component;
    AddVolumes(m_Context, sum);
  }
  sum.isFirst = false;
  sum.count = 1;
  PassAccess access;
  access.readsImage = false;
  this->Visit(access, [&](int i, const MemberView & view) {
    const int image = m_Members[static_cast<std::size_t>(i)].image;
    sum.factors[0] = m_Plan.wholeWeights[static_cast<std::size_t>(image)] * scale;
    const float * const components[3] = { view.map.x, view.map.y, view.map.z };
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      sum.volumes[0] = components[axis];
      sum.sums = sums[axis];
      AddVolumes(m_Context, sum);
    }
    return false;
  });
}

void
AtlasShare::TakeMeanOfMaps(const SoAField & mean)
{
  const Extent                  extent = this->GetExtent();
  const auto                    voxels = static_cast<std::size_t>(this->NumberOfLevelVoxels());
  std::array<DeviceMemory, 3>   memory;
  std::array<std::int64_t *, 3> sums{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    memory[axis] = m_Context.Allocate(voxels * sizeof(std::int64_t));
    sums[axis] = static_cast<std::int64_t *>(memory[axis].Data());
  }
  this->SumMaps(sums);
  MeanOfSums division;
  division.extent = extent;
  division.box = VoxelBox::Whole(extent);
  division.weight =
    static_cast<double>(std::accumulate(m_Plan.wholeWeights.begin(), m_Plan.wholeWeights.end(), std::int64_t{ 0 }));
  division.inverseScale = 1.0 / FixedPointScale(LongestDisplacement(extent));
  float * const components[3] = { mean.x, mean.y, mean.z };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    m_Group.Sum(m_Device, sums[axis], voxels);
    division.sums = sums[axis];
    division.mean = components[axis];
    DivideSums(m_Context, division);
  }
}

/** The robust mean of each component, computed for a part of the voxels at a time. */
void
AtlasShare::TakeRobustMeanOfMaps(const SoAField & mean)
{
  const std::int64_t  voxels = this->NumberOfLevelVoxels();
  RobustMeanArguments arguments = this->RobustArguments();
  const std::int64_t  images = arguments.images;
  const std::int64_t  atATime = std::max<std::int64_t>(1, std::min(voxels, rowFloats / (3 * images)));
  const DeviceMemory  memory = AllocateFloats(m_Context, 3 * images * atATime);
  float * const       rows = Floats(memory);
  PassAccess          access;
  access.readsImage = false;
  for (std::int64_t begin = 0; begin < voxels; begin += atATime)
  {
    const std::int64_t count = std::min(atATime, voxels - begin);
    FillWithZeros(m_Context, 3 * images * count, rows);
    this->Visit(access, [&](int i, const MemberView & view) {
      const std::int64_t image = m_Members[static_cast<std::size_t>(i)].image;
      this->PutRow(view.map.x + begin, count, rows + image * count);
      this->PutRow(view.map.y + begin, count, rows + (images + image) * count);
      this->PutRow(view.map.z + begin, count, rows + (2 * images + image) * count);
      return false;
    });
    m_Group.Sum(m_Device, reinterpret_cast<std::int32_t *>(rows), static_cast<std::size_t>(3 * images * count));
    arguments.voxels = count;
    arguments.stride = count;
    float * const components[3] = { mean.x, mean.y, mean.z };
    for (int axis = 0; axis < 3; ++axis)
    {
      arguments.values = rows + axis * images * count;
      arguments.output = components[axis] + begin;
      RobustMean(m_Context, arguments);
    }
  }
}

AtlasDrift
AtlasShare::UpdateShape()
{
  const Extent       extent = this->GetExtent();
  const std::int64_t voxels = this->NumberOfLevelVoxels();
  const SoAField     drift = m_Force.View();
  const SoAField     inverse = m_Scratch.View();
  m_MeanClock->Start();
  if (m_Plan.IsRobust())
  {
    this->TakeRobustMeanOfMaps(drift);
  }
  else
  {
    this->TakeMeanOfMaps(drift);
  }
  m_MeanClock->Stop();
  const FieldMoments moments = MomentsOfField(m_Context, extent, m_LevelGeometry.grid.spacing, drift);
  const RigidPart    rigid = RigidPartOf(moments, m_LevelGeometry);
  AtlasDrift         result;
  result.rootMeanSquare = std::sqrt(moments.squareSum / static_cast<double>(voxels));
  result.maximum = std::sqrt(moments.largestSquare);
  result.rotationDegrees = rigid.rotationDegrees;
  result.translation = rigid.translation;
  if (moments.largestSquare == 0.0)
  {
    return result;
  }
  if (m_Plan.parameters.keepPose)
  {
    FollowByAffine(m_Context, extent, Inverse(rigid.onIndices), drift);
  }
  InversionParameters inversion;
  inversion.tolerance = 1e-4;
  InvertField(m_Context, inversion, extent, drift, inverse);
  m_Box = VoxelBox::Whole(extent);
  std::vector<TemplateSum> sums = this->StartSums();
  PassAccess               access;
  access.writesMap = true;
  this->Visit(access, [&](int i, const MemberView & view) {
    MemberVisit visit = this->DeformingVisitOf(i, view, sums);
    visit.next = m_Spare.View();
    ComposeFields(m_Context, extent, inverse, view.map, visit.next);
    m_Stepper->Deform(visit);
    this->AddDeformed(i, visit, sums);
    return false;
  });
  FinishSums(sums);
  this->FinishTemplates();
  return result;
}

} // namespace cudaneuro
