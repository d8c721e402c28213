// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/step/PointTerm.h"

#include "core/IntegerMath.h"
#include "jobs/DeviceBytes.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace cudaneuro
{

namespace
{

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
      // Nothing moves along an axis of length 1.
      record.position[axis] = lengths[axis] > 1 ? static_cast<float>(setting.positions[k][axis]) : 0.0f;
      record.wanted[axis] = lengths[axis] > 1 ? static_cast<float>(setting.wanted[k][axis]) : 0.0f;
    }
    record.energy = static_cast<float>(0.5 * precision / static_cast<double>(NumberOfVoxels(setting.extent)));
    // The factor of the derivative by a displacement in voxels, times ImagePair::descentScale.
    record.pull = static_cast<float>(setting.weight * precision * smallest * smallest);
    records.push_back(record);
  }
  return records;
}

/** A voxel around a point, and its share of the point's force. */
struct VoxelShare
{
  int        voxel;
  PointShare share;
};

/** The shares of all points, sorted by voxel, then by point, so that forces add up in a fixed order. */
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
  // Keys are unique, because each voxel occurs once for a point.
  const auto placeOf = [](const VoxelShare & share) {
    return static_cast<std::int64_t>(share.voxel) << 32 | share.share.point;
  };
  std::sort(
    shares.begin(), shares.end(), [&](const VoxelShare & a, const VoxelShare & b) { return placeOf(a) < placeOf(b); });
  return shares;
}

} // namespace

template <typename T>
std::size_t
PointTermLists::Add(const std::vector<T> & values)
{
  constexpr std::size_t alignment = 16;
  const std::size_t     begin = RoundUp(m_Bytes.size(), alignment);
  m_Bytes.resize(begin + values.size() * sizeof(T));
  std::memcpy(m_Bytes.data() + begin, values.data(), values.size() * sizeof(T));
  return begin;
}

PointTermLists::PointTermLists(const PointTermSetting & setting)
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
  for (int axis = 0; axis < 3; ++axis)
  {
    m_Points.squaredSpacing[axis] = static_cast<float>(setting.spacing[axis] * setting.spacing[axis]);
  }
  m_Points.numberOfPoints = static_cast<int>(records.size());
  m_Points.numberOfVoxels = static_cast<int>(voxels.size());
  m_Records = this->Add(records);
  m_Voxels = this->Add(voxels);
  m_Begins = this->Add(begins);
  m_Shares = this->Add(shares);
  m_Sums = this->Add(std::vector<double>(2 * records.size()));
  m_FinishedBlocks = this->Add(std::vector<unsigned int>{ 0 });
}

PointTerm::PointTerm(Context & context, const PointTermLists & lists)
  : m_Staging(AllocatePinned(context.GetDevice(), lists.m_Bytes.size()))
  , m_Lists(context.Allocate(lists.m_Bytes.size()))
  , m_Points(lists.m_Points)
{
  auto * const bytes = static_cast<unsigned char *>(m_Lists.Data());
  std::memcpy(m_Staging.get(), lists.m_Bytes.data(), lists.m_Bytes.size());
  EnqueueCopyToDevice(context, m_Staging.get(), bytes, lists.m_Bytes.size());
  m_Points.points = reinterpret_cast<const PointRecord *>(bytes + lists.m_Records);
  m_Points.voxels = reinterpret_cast<const int *>(bytes + lists.m_Voxels);
  m_Points.begins = reinterpret_cast<const int *>(bytes + lists.m_Begins);
  m_Points.shares = reinterpret_cast<const PointShare *>(bytes + lists.m_Shares);
  m_Points.sums = reinterpret_cast<double *>(bytes + lists.m_Sums);
  m_Points.finishedBlocks = reinterpret_cast<unsigned int *>(bytes + lists.m_FinishedBlocks);
}

} // namespace cudaneuro
