// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "meshes/MeshTopologyGpu.cuh"

#include "meshes/MeshTopologyKernel.cuh"
#include "cuda/SortPairs.cuh"

namespace cudaneuro::gpu
{
namespace
{

/** Enqueues the copy of an array to the device. The array must exist until the stream has been synchronized. */
template <typename T>
DeviceBuffer<T>
EnqueueUpload(const GpuContext & gpu, const T * host, std::int64_t count)
{
  const auto      size = static_cast<std::size_t>(count);
  DeviceBuffer<T> array = gpu.AllocateArray<T>(size);
  CUDANEURO_CUDA(cudaMemcpyAsync(array.Data(), host, size * sizeof(T), cudaMemcpyHostToDevice, gpu.ComputeStream()));
  return array;
}

DeviceBuffer<int>
EnqueueZeros(const GpuContext & gpu, std::int64_t count)
{
  DeviceBuffer<int> array = gpu.AllocateArray<int>(static_cast<std::size_t>(count));
  CUDANEURO_CUDA(cudaMemsetAsync(array.Data(), 0, static_cast<std::size_t>(count) * sizeof(int), gpu.ComputeStream()));
  return array;
}

} // namespace

MeshTopologyOnDevice::MeshTopologyOnDevice(const GpuContext &     gpu,
                                           const ConstTriangles & surface,
                                           const MeshMeasures &   measures)
  : m_Gpu(gpu)
{
  m_Mesh.numberOfVertices = static_cast<std::int32_t>(surface.numberOfPoints);
  m_Mesh.numberOfTriangles = static_cast<std::int32_t>(surface.numberOfTriangles);
  this->FindTriangles(this->OrderVertices(FrameOf(measures), surface), surface);
  this->FindNeighbors();
}

DeviceBuffer<std::int32_t>
MeshTopologyOnDevice::OrderVertices(const MeshFrame & frame, const ConstTriangles & surface)
{
  const cudaStream_t              stream = m_Gpu.ComputeStream();
  const std::int32_t              count = m_Mesh.numberOfVertices;
  const auto                      size = static_cast<std::size_t>(count);
  const unsigned int              blocks = MeshBlocks(count);
  const auto                      points = EnqueueUpload(m_Gpu, surface.points, 3 * surface.numberOfPoints);
  SortedPairs<std::uint32_t>      codes(m_Gpu, count);
  SortedPairs<unsigned long long> distances(m_Gpu, count);
  VertexKeysKernel<<<blocks, meshThreads, 0, stream>>>(
    frame, count, points.Data(), codes.Keys(), codes.Values(), distances.Keys(), distances.Values());
  CUDANEURO_CUDA_LAUNCHED("VertexKeysKernel");
  const std::int32_t * const inputs = codes.Sort(mortonBits).values;
  m_InputVertex = m_Gpu.AllocateArray<std::int32_t>(size);
  CUDANEURO_CUDA(
    cudaMemcpyAsync(m_InputVertex.Data(), inputs, size * sizeof(std::int32_t), cudaMemcpyDeviceToDevice, stream));
  auto places = m_Gpu.AllocateArray<std::int32_t>(size);
  PlaceKernel<<<blocks, meshThreads, 0, stream>>>(count, inputs, places.Data());
  CUDANEURO_CUDA_LAUNCHED("PlaceKernel");
  const auto ranks = m_Gpu.AllocateArray<std::int32_t>(size);
  PlaceKernel<<<blocks, meshThreads, 0, stream>>>(count, distances.Sort(64).values, ranks.Data());
  CUDANEURO_CUDA_LAUNCHED("PlaceKernel");

  m_Positions = m_Gpu.AllocateArray<float>(3 * size);
  m_Signs = m_Gpu.AllocateArray<std::uint8_t>(size);
  VertexKernel<<<blocks, meshThreads, 0, stream>>>(
    frame, count, points.Data(), inputs, ranks.Data(), m_Positions.Data(), m_Signs.Data());
  CUDANEURO_CUDA_LAUNCHED("VertexKernel");
  m_Mesh.positions = m_Positions.Data();
  m_Mesh.signs = m_Signs.Data();
  return places;
}

void
MeshTopologyOnDevice::FindTriangles(const DeviceBuffer<std::int32_t> & places, const ConstTriangles & surface)
{
  const cudaStream_t         stream = m_Gpu.ComputeStream();
  const std::int32_t         count = m_Mesh.numberOfTriangles;
  const std::int64_t         corners = 3 * surface.numberOfTriangles;
  const int                  bits = BitsBelow(m_Mesh.numberOfVertices);
  const auto                 triangles = EnqueueUpload(m_Gpu, surface.triangles, corners);
  SortedPairs<std::uint32_t> order(m_Gpu, count);
  TriangleKeysKernel<<<MeshBlocks(count), meshThreads, 0, stream>>>(
    count, triangles.Data(), places.Data(), order.Keys(), order.Values());
  CUDANEURO_CUDA_LAUNCHED("TriangleKeysKernel");
  const std::int32_t * const sorted = order.Sort(bits).values;

  SortedPairs<std::uint32_t> ends(m_Gpu, corners);
  const auto                 counts = EnqueueZeros(m_Gpu, m_Mesh.numberOfVertices + std::int64_t{ 1 });
  m_Corners = m_Gpu.AllocateArray<std::int32_t>(static_cast<std::size_t>(corners));
  CornerKernel<<<MeshBlocks(corners), meshThreads, 0, stream>>>(
    corners, triangles.Data(), sorted, places.Data(), m_Corners.Data(), ends.Keys(), ends.Values(), counts.Data());
  CUDANEURO_CUDA_LAUNCHED("CornerKernel");
  m_FirstTriangle = m_Gpu.AllocateArray<std::int32_t>(static_cast<std::size_t>(m_Mesh.numberOfVertices) + 1);
  EnqueueSumsBefore(m_Gpu, counts.Data(), m_FirstTriangle.Data(), m_Mesh.numberOfVertices + std::int64_t{ 1 });
  m_TrianglesOf = m_Gpu.AllocateArray<std::int32_t>(static_cast<std::size_t>(corners));
  CUDANEURO_CUDA(cudaMemcpyAsync(m_TrianglesOf.Data(),
                                 ends.Sort(bits).values,
                                 static_cast<std::size_t>(corners) * sizeof(std::int32_t),
                                 cudaMemcpyDeviceToDevice,
                                 stream));
  m_Mesh.corners = m_Corners.Data();
  m_Mesh.firstTriangle = m_FirstTriangle.Data();
  m_Mesh.trianglesOf = m_TrianglesOf.Data();
}

void
MeshTopologyOnDevice::FindNeighbors()
{
  const cudaStream_t stream = m_Gpu.ComputeStream();
  const unsigned int blocks = MeshBlocks(m_Mesh.numberOfVertices);
  const auto         size = static_cast<std::size_t>(m_Mesh.numberOfVertices);
  const auto         counts = EnqueueZeros(m_Gpu, m_Mesh.numberOfVertices + std::int64_t{ 1 });
  const auto         borderEnds = EnqueueZeros(m_Gpu, 1);
  m_MeanNeighbors = m_Gpu.AllocateArray<std::int32_t>(size);
  m_IsOnBorder = m_Gpu.AllocateArray<std::uint8_t>(size);
  CountNeighborsKernel<<<blocks, meshThreads, 0, stream>>>(
    m_Mesh, counts.Data(), m_MeanNeighbors.Data(), m_IsOnBorder.Data(), borderEnds.Data());
  CUDANEURO_CUDA_LAUNCHED("CountNeighborsKernel");
  m_FirstNeighbor = m_Gpu.AllocateArray<std::int32_t>(size + 1);
  EnqueueSumsBefore(m_Gpu, counts.Data(), m_FirstNeighbor.Data(), m_Mesh.numberOfVertices + std::int64_t{ 1 });
  // A triangle contributes at most two neighbors for each of its corners.
  m_NeighborsOf = m_Gpu.AllocateArray<std::int32_t>(6 * static_cast<std::size_t>(m_Mesh.numberOfTriangles));
  m_Mesh.meanNeighbors = m_MeanNeighbors.Data();
  m_Mesh.isOnBorder = m_IsOnBorder.Data();
  m_Mesh.firstNeighbor = m_FirstNeighbor.Data();
  m_Mesh.neighborsOf = m_NeighborsOf.Data();
  NeighborsKernel<<<blocks, meshThreads, 0, stream>>>(m_Mesh, m_NeighborsOf.Data());
  CUDANEURO_CUDA_LAUNCHED("NeighborsKernel");
  m_NumberOfBorderEdges = m_Gpu.CopyToHost(borderEnds, 1)[0] / 2;
}

} // namespace cudaneuro::gpu
