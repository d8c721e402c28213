// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_adaptive_BlockMatchingKernel_cuh
#define cudaneuro_denoising_adaptive_BlockMatchingKernel_cuh

#include "denoising/adaptive/AdaptiveNonLocalMeans.h"

#include <cuda_runtime.h>

namespace cudaneuro::gpu
{

/** The box of voxels in shared memory on which the groups of a block of threads depend.
 * \tparam VReferencesX and so on: the number of the block's references, which are neighbors along each axis */
template <typename TShape, int VReferencesX, int VReferencesY, int VReferencesZ>
struct BlockBox
{
  static constexpr int referencesX = VReferencesX;
  static constexpr int referencesY = VReferencesY;
  static constexpr int referencesZ = VReferencesZ;
  static constexpr int width = (VReferencesX - 1) * referenceStep + blockEdge + 2 * TShape::reach;
  static constexpr int height = (VReferencesY - 1) * referenceStep + blockEdge + 2 * TShape::reach;
  static constexpr int depth = (VReferencesZ - 1) * TShape::stepZ + TShape::depth + 2 * TShape::reachZ;
  static constexpr int size = width * height * depth;

  /** Position of the box's first voxel in the image. */
  int x;
  int y;
  int z;

  __device__
  BlockBox(const BlockImage & image, int referenceX, int referenceY, int referenceZ)
    : x(ReferenceX(image, referenceX) - TShape::reach)
    , y(ReferenceY(image, referenceY) - TShape::reach)
    , z(ReferencePlane(TShape(), image, referenceZ) - TShape::reachZ)
  {}

  __device__ bool
  IsInside(const Extent & extent, int boxX, int boxY, int boxZ) const
  {
    return x + boxX >= 0 && x + boxX < extent.x && y + boxY >= 0 && y + boxY < extent.y && z + boxZ >= 0 &&
           z + boxZ < extent.z;
  }

  /** Returns the index in the image. */
  __device__ std::int64_t
             Index(const Extent & extent, int boxX, int boxY, int boxZ) const
  {
    return (static_cast<std::int64_t>(z + boxZ) * extent.y + (y + boxY)) * extent.x + (x + boxX);
  }

  /** Returns the place in the box of voxel (x, y, z) of the image. */
  __device__ int
  Place(int imageX, int imageY, int imageZ) const
  {
    return ((imageZ - z) * height + (imageY - y)) * width + (imageX - x);
  }

  /** Calls body(i, x, y, z) for each voxel of the box that is assigned to this thread. */
  template <typename TBody>
  __device__ void
  ForEach(int thread, int threads, const TBody & body) const
  {
    for (int i = thread; i < size; i += threads)
    {
      const int row = i / width;
      body(i, i - row * width, row % height, row / height);
    }
  }

  /** Loads the box from the volume, with 0 outside the image. */
  __device__ void
  Load(const Extent & extent, const float * volume, float * values, int thread, int threads) const
  {
    this->ForEach(thread, threads, [&](int i, int boxX, int boxY, int boxZ) {
      values[i] = this->IsInside(extent, boxX, boxY, boxZ) ? volume[this->Index(extent, boxX, boxY, boxZ)] : 0.0f;
    });
  }
};

constexpr int matchingThreadsX = 32;

/** The box of a block of threads of MatchBlocksKernel, which has \p VRows rows of references. */
template <typename TShape, int VRows>
using MatchingBox = BlockBox<TShape, matchingThreadsX, VRows, 1>;

/** Inserts the keys of a row of a window's blocks into the sorted keys.
 * \param first the row's first block \param begin and \p end the blocks inside the image */
template <typename TShape>
__device__ __forceinline__ void
InsertRow(const float (&distances)[TShape::width], int first, int begin, int end, std::uint32_t (&keys)[otherMembers])
{
#pragma unroll
  for (int x = 0; x < TShape::width; ++x)
  {
    const std::uint32_t key = CandidateKey(__float_as_uint(distances[x]), first + x);
    if (x >= begin && x < end && first + x != TShape::candidates / 2 && key < keys[otherMembers - 1])
    {
      InsertKey(key, keys);
    }
  }
}

/** Reads a volume and the variances of references, and writes their groups. One thread per reference keeps its block
 * in registers and traverses the rows of its window; thread blocks are in the order of the references. */
template <typename TShape, int VRows>
__global__ void
__launch_bounds__(matchingThreadsX * VRows)
  MatchBlocksKernel(const __grid_constant__ BlockImage image, const float * volume, BlockGroups groups)
{
  using Box = MatchingBox<TShape, VRows>;
  extern __shared__ float values[];
  const int               firstX = static_cast<int>(blockIdx.x) * matchingThreadsX;
  const int               firstY = static_cast<int>(blockIdx.y) * VRows;
  const int               referenceZ = static_cast<int>(blockIdx.z);
  const Box               box(image, firstX, firstY, referenceZ);
  const auto              thread = static_cast<int>(threadIdx.y * matchingThreadsX + threadIdx.x);
  box.Load(image.extent, volume, values, thread, matchingThreadsX * VRows);
  __syncthreads();
  const int referenceX = firstX + static_cast<int>(threadIdx.x);
  const int referenceY = firstY + static_cast<int>(threadIdx.y);
  if (referenceX >= image.references.x || referenceY >= image.references.y)
  {
    return;
  }
  const std::int64_t reference =
    (static_cast<std::int64_t>(referenceZ) * image.references.y + referenceY) * image.references.x + referenceX;
  if (!(groups.variances[reference] > 0.0f))
  {
    return;
  }
  const int           imageX = ReferenceX(image, referenceX);
  const int           imageY = ReferenceY(image, referenceY);
  const float * const window = values + box.Place(imageX - TShape::reach, imageY - TShape::reach, box.z);
  float               block[TShape::voxels];
#pragma unroll
  for (int i = 0; i < TShape::voxels; ++i)
  {
    const int z = TShape::reachZ + i / (blockEdge * blockEdge);
    const int y = TShape::reach + i / blockEdge % blockEdge;
    block[i] = window[(z * Box::height + y) * Box::width + TShape::reach + i % blockEdge];
  }
  std::uint32_t keys[otherMembers];
#pragma unroll
  for (std::uint32_t & key : keys)
  {
    key = noKey;
  }
  const int          beginX = max(TShape::reach - imageX, 0);
  const int          endX = min(image.extent.x - blockEdge - imageX + TShape::reach + 1, TShape::width);
  const int          beginY = max(TShape::reach - imageY, 0);
  const int          endY = min(image.extent.y - blockEdge - imageY + TShape::reach + 1, TShape::width);
  const WindowPlanes planes = WindowPlanes::Of(TShape(), image, box.z + TShape::reachZ);
#pragma unroll 1
  for (int z = planes.begin; z < planes.end; ++z)
  {
#pragma unroll 1
    for (int y = beginY; y < endY; ++y)
    {
      const float * const candidates = window + (z * Box::height + y) * Box::width;
      float               distances[TShape::width] = {};
#pragma unroll
      for (int i = 0; i < TShape::depth * blockEdge; ++i)
      {
        const float * const row = candidates + (i / blockEdge * Box::height + i % blockEdge) * Box::width;
        float               others[TShape::width + blockEdge - 1];
#pragma unroll
        for (int x = 0; x < TShape::width + blockEdge - 1; ++x)
        {
          others[x] = row[x];
        }
#pragma unroll
        for (int x = 0; x < blockEdge; ++x)
        {
#pragma unroll
          for (int lane = 0; lane < TShape::width; ++lane)
          {
            const float difference = others[x + lane] - block[i * blockEdge + x];
            distances[lane] += difference * difference;
          }
        }
      }
      InsertRow<TShape>(distances, (z * TShape::width + y) * TShape::width, beginX, endX, keys);
    }
  }
  std::uint16_t * const members = groups.members + groupSize * reference;
  members[0] = TShape::candidates / 2;
#pragma unroll
  for (int k = 0; k < otherMembers; ++k)
  {
    members[k + 1] = MemberOfKey(keys[k]);
  }
}

} // namespace cudaneuro::gpu

#endif
