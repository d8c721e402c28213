// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_MovingQuads_cuh
#define cudaneuro_metrics_MovingQuads_cuh

#include "cuda/GpuContext.h"
#include "metrics/ColumnWalk.cuh"
#include "metrics/MutualInformationFormulas.h"

/** A copy of the moving image for mutual information. Interpolation is limited by the number of cache lines that a
 * warp's loads touch, so each voxel is stored with its neighbors along x and y: two loads per position are enough, at z
 * and at z + 1. */
namespace cudaneuro::gpu
{

/** Returns the number of parts of a bin to which intensities are rounded: as many as fit into 16 bits, a power of 2.
 * With 32 bins, the error of an intensity is at most 2.5e-4 of a bin. */
CUDANEURO_HOST_DEVICE int
PartsOfBin(int bins)
{
  int parts = 1;
  while (2 * parts * (bins - histogramPadding) <= 0xffff)
  {
    parts *= 2;
  }
  return parts;
}

/** The copy in the form of a kernel argument. */
struct MovingQuads
{
  /** For each voxel four intensities of 16 bits in parts of a bin: its own, the next one's along x, and the same for
   * the next row. Outside the image the border values are repeated. */
  const uint2 * quads = nullptr;
  /** The smallest float whose last bit is worth a part of a bin: if 16 bits replace its last ones, the float is shift
   * plus an intensity. */
  float shift = 0.0f;

  MovingQuads() = default;
  MovingQuads(const uint2 * image, int bins)
    : quads(image)
    , shift(8388608.0f / static_cast<float>(PartsOfBin(bins))) // 2^23
  {}

  __device__ __forceinline__ CellEdges
  LoadEdges(const MovingCell & cell, int stepZ) const
  {
    const uint2 * const at = quads + cell.offset;
    const uint2         lower = __ldg(at);
    const uint2         upper = __ldg(at + stepZ);
    CellEdges           edges;
    this->SetEdge(lower.x, edges.v00, edges.d00);
    this->SetEdge(lower.y, edges.v10, edges.d10);
    this->SetEdge(upper.x, edges.v01, edges.d01);
    this->SetEdge(upper.y, edges.v11, edges.d11);
    return edges;
  }

private:
  /** Computes a value and a difference. All differences are exact. */
  __device__ __forceinline__ void
  SetEdge(unsigned int pair, float & value, float & difference) const
  {
    const unsigned int bits = __float_as_uint(shift);
    const float        first = __uint_as_float(__byte_perm(pair, bits, 0x7610));
    const float        second = __uint_as_float(__byte_perm(pair, bits, 0x7632));
    value = first - shift;
    difference = second - first;
  }
};

/** Reads the moving image, and writes MovingQuads; one voxel per thread. */
template <int VThreads>
__global__ void
__launch_bounds__(VThreads) PackMovingKernel(const MovingImage moving, int voxels, float parts, uint2 * quads)
{
  const unsigned int i = blockIdx.x * VThreads + threadIdx.x;
  if (i >= static_cast<unsigned int>(voxels))
  {
    return;
  }
  const auto row = static_cast<int>(i) / moving.row;
  const int  nextX = static_cast<int>(i) - row * moving.row + 1 < moving.extent.x ? 1 : 0;
  const int  nextY = row % moving.extent.y + 1 < moving.extent.y ? moving.row : 0;
  const auto at = [&](int offset) {
    return __float2uint_rn(parts * moving.values[i + static_cast<unsigned int>(offset)]);
  };
  const uint2 quad{ at(0) | at(nextX) << 16, at(nextY) | at(nextX + nextY) << 16 };
  quads[i] = quad;
}

inline DeviceBuffer<uint2>
MakeQuads(const GpuContext & gpu, const MovingImage & moving, int bins)
{
  constexpr int       threads = 256;
  const auto          voxels = static_cast<int>(NumberOfVoxels(moving.extent));
  DeviceBuffer<uint2> quads = gpu.AllocateArray<uint2>(static_cast<std::size_t>(voxels));
  const auto          blocks = static_cast<unsigned int>(DivideUp(voxels, threads));
  PackMovingKernel<threads>
    <<<blocks, threads, 0, gpu.ComputeStream()>>>(moving, voxels, static_cast<float>(PartsOfBin(bins)), quads.Data());
  CUDANEURO_CUDA_LAUNCHED("PackMovingKernel");
  return quads;
}

} // namespace cudaneuro::gpu

#endif
