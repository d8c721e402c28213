// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_MeshTopologyGpu_cuh
#define cudaneuro_meshes_MeshTopologyGpu_cuh

#include "cuda/GpuContext.h"
#include "meshes/DeviceMesh.cuh"
#include "meshes/MeshTopology.h"

namespace cudaneuro::gpu
{

/** MeshTopology, constructed on the device. */
class MeshTopologyOnDevice
{
public:
  MeshTopologyOnDevice(const GpuContext & gpu, const ConstTriangles & surface, const MeshMeasures & measures);

  const DeviceMesh &
  Get() const
  {
    return m_Mesh;
  }
  /** The number of each vertex in the input. */
  const std::int32_t *
  InputVertices() const
  {
    return m_InputVertex.Data();
  }
  std::int64_t
  NumberOfBorderEdges() const
  {
    return m_NumberOfBorderEdges;
  }

private:
  /** \returns the new number of each vertex of the input */
  DeviceBuffer<std::int32_t>
  OrderVertices(const MeshFrame & frame, const ConstTriangles & surface);
  void
  FindTriangles(const DeviceBuffer<std::int32_t> & places, const ConstTriangles & surface);
  void
  FindNeighbors();

  const GpuContext &         m_Gpu;
  DeviceMesh                 m_Mesh{};
  std::int64_t               m_NumberOfBorderEdges = 0;
  DeviceBuffer<std::int32_t> m_InputVertex;
  DeviceBuffer<float>        m_Positions;
  DeviceBuffer<std::int32_t> m_Corners;
  DeviceBuffer<std::int32_t> m_FirstTriangle;
  DeviceBuffer<std::int32_t> m_TrianglesOf;
  DeviceBuffer<std::int32_t> m_FirstNeighbor;
  DeviceBuffer<std::int32_t> m_NeighborsOf;
  DeviceBuffer<std::int32_t> m_MeanNeighbors;
  DeviceBuffer<std::uint8_t> m_IsOnBorder;
  DeviceBuffer<std::uint8_t> m_Signs;
};

} // namespace cudaneuro::gpu

#endif
