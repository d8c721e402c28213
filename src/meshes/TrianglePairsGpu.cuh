// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_TrianglePairsGpu_cuh
#define cudaneuro_meshes_TrianglePairsGpu_cuh

#include "cuda/GpuContext.h"
#include "meshes/MeshTopology.h"
#include "meshes/DeviceCells.cuh"

namespace cudaneuro::gpu
{

/** Points of the device, sorted into cells. */
class CellLists
{
public:
  /** \param points (x, y, z, any number) */
  CellLists(const GpuContext & gpu, const PointGrid & grid, std::int32_t count, const float4 * points);

  DeviceCells
  Get() const
  {
    return { m_Grid, m_Sorted.Data(), m_First.Data() };
  }

private:
  PointGrid            m_Grid;
  DeviceBuffer<float4> m_Sorted;
  DeviceBuffer<int>    m_First;
};

/** The neighbors of triangles, with one list for each tile of triangles. */
class TrianglePairs
{
public:
  TrianglePairs(const GpuContext & gpu, std::int32_t count);
  /** Finds neighbors. \p centers has (x, y, z, any number) for each triangle. */
  void
  Find(const PointGrid & grid, const float4 * centers, float radius);
  /** Keeps the neighbors within the scale's radius, which is not larger than the previous one, and sets the exponents
   * of their weights. */
  void
  Weigh(const float4 * centers, const NormalScale & scale) const;

  DeviceTiles
  Get() const
  {
    return { m_First.Data(), m_TileCounts.Data(), m_Neighbors.Data(), m_Exponents.Data() };
  }

  std::int32_t
  NumberOfTiles() const
  {
    return DivideUp(m_NumberOfTriangles, trianglesPerTile);
  }

private:
  const GpuContext &         m_Gpu;
  std::int32_t               m_NumberOfTriangles;
  DeviceBuffer<std::int64_t> m_First;
  DeviceBuffer<int>          m_Counts;
  DeviceBuffer<int>          m_TileCounts;
  DeviceBuffer<float>        m_SquaredRadii;
  DeviceBuffer<int>          m_Neighbors;
  DeviceBuffer<float4>       m_Exponents;
};

} // namespace cudaneuro::gpu

#endif
