// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "meshes/TrianglePairsGpu.cuh"

#include "cuda/SortPairs.cuh"
#include "meshes/TrianglePairsKernel.cuh"

namespace cudaneuro::gpu
{

CellLists::CellLists(const GpuContext & gpu, const PointGrid & grid, std::int32_t count, const float4 * points)
  : m_Grid(grid)
{
  const cudaStream_t        stream = gpu.ComputeStream();
  const auto                size = static_cast<std::size_t>(count);
  const auto                cells = static_cast<std::size_t>(grid.NumberOfCells());
  SortedPairs<unsigned int> sorted(gpu, count);
  const auto                counts = gpu.AllocateArray<int>(cells + 1);
  m_First = gpu.AllocateArray<int>(cells + 1);
  m_Sorted = gpu.AllocateArray<float4>(size);
  CUDANEURO_CUDA(cudaMemsetAsync(counts.Data(), 0, (cells + 1) * sizeof(int), stream));
  CellKernel<<<MeshBlocks(count), meshThreads, 0, stream>>>(
    grid, count, points, sorted.Keys(), sorted.Values(), counts.Data());
  CUDANEURO_CUDA_LAUNCHED("CellKernel");
  EnqueueSumsBefore(gpu, counts.Data(), m_First.Data(), grid.NumberOfCells() + std::int64_t{ 1 });
  const std::int32_t * const order = sorted.Sort(BitsBelow(grid.NumberOfCells())).values;
  CellOrderKernel<<<MeshBlocks(count), meshThreads, 0, stream>>>(count, order, points, m_Sorted.Data());
  CUDANEURO_CUDA_LAUNCHED("CellOrderKernel");
}

TrianglePairs::TrianglePairs(const GpuContext & gpu, std::int32_t count)
  : m_Gpu(gpu)
  , m_NumberOfTriangles(count)
  , m_First(gpu.AllocateArray<std::int64_t>(static_cast<std::size_t>(count) + 1))
  , m_Counts(gpu.AllocateArray<int>(static_cast<std::size_t>(count) + 1))
  , m_TileCounts(gpu.AllocateArray<int>(static_cast<std::size_t>(this->NumberOfTiles())))
  , m_SquaredRadii(gpu.AllocateArray<float>(static_cast<std::size_t>(count)))
{}

void
TrianglePairs::Find(const PointGrid & grid, const float4 * centers, float radius)
{
  const cudaStream_t stream = m_Gpu.ComputeStream();
  const unsigned int blocks = MeshBlocks(m_NumberOfTriangles);
  const CellLists    cells(m_Gpu, grid, m_NumberOfTriangles, centers);
  CUDANEURO_CUDA(cudaMemsetAsync(m_Counts.Data() + m_NumberOfTriangles, 0, sizeof(int), stream));
  RadiusKernel<<<blocks, meshThreads, 0, stream>>>(
    cells.Get(), m_NumberOfTriangles, centers, radius, m_SquaredRadii.Data());
  CUDANEURO_CUDA_LAUNCHED("RadiusKernel");
  CountPairsKernel<<<blocks, meshThreads, 0, stream>>>(
    cells.Get(), m_NumberOfTriangles, centers, m_SquaredRadii.Data(), m_Counts.Data());
  CUDANEURO_CUDA_LAUNCHED("CountPairsKernel");
  EnqueueSumsBefore(m_Gpu, m_Counts.Data(), m_First.Data(), m_NumberOfTriangles + std::int64_t{ 1 });
  std::int64_t pairs = 0;
  CUDANEURO_CUDA(
    cudaMemcpyAsync(&pairs, m_First.Data() + m_NumberOfTriangles, sizeof(pairs), cudaMemcpyDeviceToHost, stream));
  CUDANEURO_CUDA(cudaStreamSynchronize(stream));
  m_Neighbors = DeviceBuffer<int>();
  m_Exponents = DeviceBuffer<float4>();
  m_Neighbors = m_Gpu.AllocateArray<int>(static_cast<std::size_t>(pairs));
  m_Exponents = m_Gpu.AllocateArray<float4>(static_cast<std::size_t>(pairs));
  FillPairsKernel<<<blocks, meshThreads, 0, stream>>>(
    cells.Get(), m_NumberOfTriangles, centers, m_SquaredRadii.Data(), m_First.Data(), m_Neighbors.Data());
  CUDANEURO_CUDA_LAUNCHED("FillPairsKernel");
  CountTilesKernel<<<MeshBlocks(this->NumberOfTiles()), meshThreads, 0, stream>>>(
    this->NumberOfTiles(), m_NumberOfTriangles, m_First.Data(), m_TileCounts.Data());
  CUDANEURO_CUDA_LAUNCHED("CountTilesKernel");
}

void
TrianglePairs::Weigh(const float4 * centers, const NormalScale & scale) const
{
  WeighPairsKernel<<<MeshBlocks(32 * std::int64_t{ this->NumberOfTiles() }), meshThreads, 0, m_Gpu.ComputeStream()>>>(
    this->NumberOfTiles(), m_NumberOfTriangles, centers, m_SquaredRadii.Data(), scale, this->Get());
  CUDANEURO_CUDA_LAUNCHED("WeighPairsKernel");
}

} // namespace cudaneuro::gpu
