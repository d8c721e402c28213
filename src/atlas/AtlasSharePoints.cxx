// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasShare.h"

#include "core/ParallelRanges.h"
#include "core/PlaneFrames.h"
#include "fields/PointInversion.h"
#include "jobs/DeviceVolumes.h"
#include "registration/FieldInPlane.h"

#include <algorithm>

/** Takes points of a member to the template, against the direction of its map. */
namespace cudaneuro
{

namespace
{

/** A field whose components follow one another in memory. */
ConstSoAField
FieldAt(const float * values, std::int64_t voxels)
{
  return SoAField{ const_cast<float *>(values),
                   const_cast<float *>(values) + voxels,
                   const_cast<float *>(values) + 2 * voxels };
}

/** A field of the context's device in host memory, copied to \p memory if the device has its own. */
ConstSoAField
OnHost(Context & context, std::int64_t voxels, const SoAField & field, std::vector<float> & memory)
{
  if (MemorySpaceOf(context) == MemorySpace::Host)
  {
    return field;
  }
  memory.resize(3 * static_cast<std::size_t>(voxels));
  CopyToHost(context, voxels, field, memory.data());
  return FieldAt(memory.data(), voxels);
}

/** Whether a position is on a grid, as defined by IsInside. */
bool
IsOn(const Grid & grid, const Vector3d & index)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (!(index[axis] >= -0.5 && index[axis] < static_cast<double>(grid.size[axis]) - 0.5))
    {
      return false;
    }
  }
  return true;
}

Vector3d
Mapped(const AffineMap & map, const Vector3d & point)
{
  return Sum(Multiply(map.matrix, point), 1.0, map.offset);
}

/** The outcome for a point. */
struct PointFate
{
  bool                    isInImage = false;
  std::optional<Vector3d> onTemplate; // in mm
};

/** The path of points from an image to the template. */
struct PointPath
{
  Grid          image;
  Grid          ofTemplate;
  AffineMap     toImage;        // from points to indices of the image
  AffineMap     toTemplate;     // from indices of the image to those of the template
  AffineMap     toSpace;        // from indices of the template to points
  ConstSoAField transformField; // null pointers where there is none
  ConstSoAField map;

  PointFate
  Carry(const Vector3d & point) const
  {
    PointFate      fate;
    const Vector3d inImage = Mapped(toImage, point);
    fate.isInImage = IsOn(image, inImage);
    if (!fate.isInImage)
    {
      return fate;
    }
    const Extent            extent = ExtentOf(ofTemplate);
    std::optional<Vector3d> index = Mapped(toTemplate, inImage);
    if (transformField.x != nullptr)
    {
      index = InvertAtPoint(extent, transformField, *index);
    }
    index = index ? InvertAtPoint(extent, map, *index) : index;
    if (index && IsOn(ofTemplate, *index))
    {
      fate.onTemplate = Mapped(toSpace, *index);
    }
    return fate;
  }
};

} // namespace

ConstSoAField
AtlasShare::HostMapOf(const Member & member, std::vector<float> & memory)
{
  this->FinishSlots();
  const std::int64_t voxels = m_Plan.NumberOfVoxels();
  return member.isOffloaded ? FieldAt(static_cast<const float *>(member.offloadedMap.get()), voxels)
                            : OnHost(m_Context, voxels, member.map.View(), memory);
}

AtlasPointsResult
AtlasShare::TakePoints(Member & member, const AtlasPoints & points)
{
  RequireAtlasPoints(m_Context, m_Plan, points);
  const Kept         kept(*this, &member);
  std::vector<float> mapMemory;
  std::vector<float> fieldMemory;
  SoAFieldMemory     field;
  PointPath          path{ points.geometry.grid,
                  m_Plan.geometry.grid,
                  PointToIndex(points.geometry),
                  IndexMapBetween(points.geometry, Inverse(points.transform), m_Plan.geometry),
                  IndexToPoint(m_Plan.geometry),
                  {},
                  this->HostMapOf(member, mapMemory) };
  if (points.transformField.data != nullptr)
  {
    field = ReadFieldInPlane(m_Context,
                             "field of the initial transform of the points '" + points.name + "'",
                             m_Plan.geometry,
                             points.transformField);
    path.transformField = OnHost(m_Context, m_Plan.NumberOfVoxels(), field.View(), fieldMemory);
  }
  std::vector<PointFate> fates(points.positions.size());
  ForEachRange(m_Context, static_cast<std::int64_t>(fates.size()), 256, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
    {
      fates[i] = path.Carry(points.positions[i]);
    }
  });
  AtlasPointsResult         result;
  std::vector<CarriedPoint> carried;
  for (std::size_t i = 0; i < fates.size(); ++i)
  {
    const int number = points.numbers.empty() ? static_cast<int>(i) : points.numbers[i];
    if (fates[i].onTemplate)
    {
      carried.push_back({ number, *fates[i].onTemplate });
    }
    else
    {
      (fates[i].isInImage ? result.outsideTemplate : result.outsideImage).push_back(number);
    }
  }
  std::sort(result.outsideImage.begin(), result.outsideImage.end());
  std::sort(result.outsideTemplate.begin(), result.outsideTemplate.end());
  member.points = std::make_shared<const std::vector<CarriedPoint>>(std::move(carried));
  return result;
}

} // namespace cudaneuro
