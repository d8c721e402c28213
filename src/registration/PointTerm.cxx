// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/PointTerm.h"

#include "jobs/DeviceVolumes.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace cudaneuro
{

namespace
{

/** A copy of a list in memory of the context's device. */
template <typename T>
DeviceMemory
Upload(Context & context, const std::vector<T> & values)
{
  Grid bytes;
  bytes.size = { static_cast<std::int64_t>(values.size() * sizeof(T)), 1, 1 };
  DeviceMemory memory = context.Allocate(values.size() * sizeof(T));
  CopyVolume(context,
             bytes,
             { values.data(), PixelType::UnsignedChar, MemorySpace::Host },
             { memory.Data(), PixelType::UnsignedChar, MemorySpaceOf(context) });
  return memory;
}

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

/** The voxels around points, and each one's points in their order. */
using SharesOfVoxels = std::map<int, std::vector<PointShare>>;

SharesOfVoxels
SharesOf(const CellGrid & grid, const std::vector<PointRecord> & records)
{
  SharesOfVoxels shares;
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
        shares[voxel].push_back({ static_cast<int>(k), weight });
      }
    }
  }
  return shares;
}

} // namespace

PointTerm::PointTerm(Context & context, const PointTermSetting & setting)
{
  const std::vector<PointRecord> records = RecordsOf(setting);
  m_Points.grid = CellGrid(setting.extent);
  std::vector<int>        voxels;
  std::vector<int>        begins{ 0 };
  std::vector<PointShare> shares;
  for (const auto & [voxel, ofVoxel] : SharesOf(m_Points.grid, records))
  {
    voxels.push_back(voxel);
    shares.insert(shares.end(), ofVoxel.begin(), ofVoxel.end());
    begins.push_back(static_cast<int>(shares.size()));
  }
  m_Records = Upload(context, records);
  m_Pulls = context.Allocate(3 * records.size() * sizeof(float));
  m_Voxels = Upload(context, voxels);
  m_Begins = Upload(context, begins);
  m_Shares = Upload(context, shares);
  for (int axis = 0; axis < 3; ++axis)
  {
    m_Points.squaredSpacing[axis] = static_cast<float>(setting.spacing[axis] * setting.spacing[axis]);
  }
  m_Points.numberOfPoints = static_cast<int>(records.size());
  m_Points.points = static_cast<const PointRecord *>(m_Records.Data());
  m_Points.pulls = static_cast<float *>(m_Pulls.Data());
  m_Points.numberOfVoxels = static_cast<int>(voxels.size());
  m_Points.voxels = static_cast<const int *>(m_Voxels.Data());
  m_Points.begins = static_cast<const int *>(m_Begins.Data());
  m_Points.shares = static_cast<const PointShare *>(m_Shares.Data());
}

} // namespace cudaneuro
