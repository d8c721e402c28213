// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/PointTerm.h"

#include "core/IntegerMath.h"
#include "jobs/DeviceVolumes.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace cudaneuro
{

namespace
{

/** Lists that go to memory of the context's device together, as each copy waits for the device. */
class PackedLists
{
public:
  /** \returns where the list will begin */
  template <typename T>
  std::size_t
  Add(const std::vector<T> & values)
  {
    constexpr std::size_t alignment = 16;
    const std::size_t     begin = RoundUp(m_Bytes.size(), alignment);
    m_Bytes.resize(begin + values.size() * sizeof(T));
    std::memcpy(m_Bytes.data() + begin, values.data(), values.size() * sizeof(T));
    return begin;
  }

  DeviceMemory
  Upload(Context & context) const
  {
    Grid bytes;
    bytes.size = { static_cast<std::int64_t>(m_Bytes.size()), 1, 1 };
    DeviceMemory memory = context.Allocate(m_Bytes.size());
    CopyVolume(context,
               bytes,
               { m_Bytes.data(), PixelType::UnsignedChar, MemorySpace::Host },
               { memory.Data(), PixelType::UnsignedChar, MemorySpaceOf(context) });
    return memory;
  }

private:
  std::vector<unsigned char> m_Bytes;
};

std::vector<PointRecord>
RecordsOf(const PointTermSetting & setting)
{
  const double * const     spacing = setting.spacing.data();
  const int                lengths[3] = { setting.extent.x, setting.extent.y, setting.extent.z };
  std::vector<PointRecord> records;
  double                   smallest = spacing[0];
  for (int axis = 1; axis < 3; ++axis)
  {
    smallest = lengths[axis] > 1 ? std::min(smallest, spacing[axis]) : smallest;
  }
  for (std::size_t k = 0; k < setting.positions.size(); ++k)
  {
    const double precision = setting.kernelVolume / (setting.standardDeviations[k] * setting.standardDeviations[k]);
    PointRecord  record{};
    for (int axis = 0; axis < 3; ++axis)
    {
      // Along an axis of length 1 nothing moves.
      record.position[axis] = lengths[axis] > 1 ? static_cast<float>(setting.positions[k][axis]) : 0.0f;
      record.wanted[axis] = lengths[axis] > 1 ? static_cast<float>(setting.wanted[k][axis]) : 0.0f;
    }
    record.energy = static_cast<float>(0.5 * precision / static_cast<double>(NumberOfVoxels(setting.extent)));
    // The derivative by a displacement in voxels, times ImagePair::descentScale.
    record.pull = static_cast<float>(setting.weight * precision * smallest * smallest);
    records.push_back(record);
  }
  return records;
}

/** A voxel around a point, and its part of the point's force. */
struct VoxelShare
{
  int        voxel;
  PointShare share;
};

/** Ordered by voxels, and those of a voxel by points. */
std::vector<VoxelShare>
SharesOf(const CellGrid & grid, const std::vector<PointRecord> & records)
{
  std::vector<VoxelShare> shares;
  shares.reserve(8 * records.size());
  for (std::size_t k = 0; k < records.size(); ++k)
  {
    const float * const p = records[k].position;
    const Cell          cell = Cell::Nearest(grid, p[0], p[1], p[2]);
    for (int corner = 0; corner < 8; ++corner)
    {
      const bool  upperX = (corner & 1) != 0;
      const bool  upperY = (corner & 2) != 0;
      const bool  upperZ = (corner & 4) != 0;
      const float weight =
        (upperX ? cell.x : 1.0f - cell.x) * (upperY ? cell.y : 1.0f - cell.y) * (upperZ ? cell.z : 1.0f - cell.z);
      if (weight > 0.0f)
      {
        const int voxel = cell.offset + (upperX ? 1 : 0) + (upperY ? grid.stepY : 0) + (upperZ ? grid.stepZ : 0);
        shares.push_back({ voxel, { static_cast<int>(k), weight } });
      }
    }
  }
  // A point has no voxel twice.
  const auto placeOf = [](const VoxelShare & share) {
    return static_cast<std::int64_t>(share.voxel) << 32 | share.share.point;
  };
  std::sort(
    shares.begin(), shares.end(), [&](const VoxelShare & a, const VoxelShare & b) { return placeOf(a) < placeOf(b); });
  return shares;
}

} // namespace

PointTerm::PointTerm(Context & context, const PointTermSetting & setting)
{
  const std::vector<PointRecord> records = RecordsOf(setting);
  m_Points.grid = CellGrid(setting.extent);
  std::vector<int>        voxels;
  std::vector<int>        begins;
  std::vector<PointShare> shares;
  for (const VoxelShare & ofVoxel : SharesOf(m_Points.grid, records))
  {
    if (voxels.empty() || voxels.back() != ofVoxel.voxel)
    {
      voxels.push_back(ofVoxel.voxel);
      begins.push_back(static_cast<int>(shares.size()));
    }
    shares.push_back(ofVoxel.share);
  }
  begins.push_back(static_cast<int>(shares.size()));
  PackedLists       lists;
  const std::size_t atRecords = lists.Add(records);
  const std::size_t atVoxels = lists.Add(voxels);
  const std::size_t atBegins = lists.Add(begins);
  const std::size_t atShares = lists.Add(shares);
  const std::size_t atSums = lists.Add(std::vector<double>(DivideUp(records.size(), std::size_t{ pointsOfSum })));
  const std::size_t atFinished = lists.Add(std::vector<unsigned int>{ 0 });
  m_Lists = lists.Upload(context);
  auto * const bytes = static_cast<unsigned char *>(m_Lists.Data());
  for (int axis = 0; axis < 3; ++axis)
  {
    m_Points.squaredSpacing[axis] = static_cast<float>(setting.spacing[axis] * setting.spacing[axis]);
  }
  m_Points.numberOfPoints = static_cast<int>(records.size());
  m_Points.points = reinterpret_cast<const PointRecord *>(bytes + atRecords);
  m_Points.numberOfVoxels = static_cast<int>(voxels.size());
  m_Points.voxels = reinterpret_cast<const int *>(bytes + atVoxels);
  m_Points.begins = reinterpret_cast<const int *>(bytes + atBegins);
  m_Points.shares = reinterpret_cast<const PointShare *>(bytes + atShares);
  m_Points.sums = reinterpret_cast<double *>(bytes + atSums);
  m_Points.finishedBlocks = reinterpret_cast<unsigned int *>(bytes + atFinished);
}

} // namespace cudaneuro
