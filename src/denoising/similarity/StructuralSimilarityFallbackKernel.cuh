// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_similarity_StructuralSimilarityFallbackKernel_cuh
#define cudaneuro_denoising_similarity_StructuralSimilarityFallbackKernel_cuh

#include "cuda/CudaCheck.h"
#include "denoising/similarity/StructuralSimilarityArguments.cuh"
#include "denoising/similarity/StructuralSimilarityShape.cuh"

namespace cudaneuro::gpu
{

/** Window sums of s and d (as differences from the center's), of their squares, and of the weights of voxels that take
 * part. In double precision no square of a float overflows, and none is lost beside another. */
struct SimilaritySums
{
  double s = 0.0;
  double d = 0.0;
  double ss = 0.0;
  double dd = 0.0;
  double weight = 0.0;

  __device__ __forceinline__ void
  Add(double tap, const SimilaritySums & other)
  {
    s = fma(tap, other.s, s);
    d = fma(tap, other.d, d);
    ss = fma(tap, other.ss, ss);
    dd = fma(tap, other.dd, dd);
    weight = fma(tap, other.weight, weight);
  }
};

/** Returns the SSIM of one voxel over the finite voxels of its window; NaN where it is not finite itself. */
static __device__ float
DirectSimilarity(const StructuralSimilarityArguments & a, int x, int y, int z)
{
  constexpr int      radius = similarityWindowRadius;
  const std::int64_t center = (static_cast<std::int64_t>(z) * a.size.y + y) * a.size.x + x;
  if (!IsFinite(a.reference[center]) || !IsFinite(a.image[center]))
  {
    return NAN;
  }
  const double   xCenter = a.reference[center];
  const double   yCenter = a.image[center];
  SimilaritySums sums;
  for (int dz = -radius; dz <= radius; ++dz)
  {
    const std::int64_t plane = static_cast<std::int64_t>(ReflectIndex(z + dz, a.size.z)) * a.size.y;
    SimilaritySums     planeSums;
    for (int dy = -radius; dy <= radius; ++dy)
    {
      const std::int64_t row = (plane + ReflectIndex(y + dy, a.size.y)) * a.size.x;
      SimilaritySums     rowSums;
      for (int dx = -radius; dx <= radius; ++dx)
      {
        const int   i = ReflectIndex(x + dx, a.size.x);
        const float xValue = a.reference[row + i];
        const float yValue = a.image[row + i];
        if (IsFinite(xValue) && IsFinite(yValue))
        {
          SimilaritySums voxel;
          voxel.s = (xValue - xCenter) + (yValue - yCenter);
          voxel.d = (xValue - xCenter) - (yValue - yCenter);
          voxel.ss = voxel.s * voxel.s;
          voxel.dd = voxel.d * voxel.d;
          voxel.weight = 1.0;
          rowSums.Add(a.taps[abs(dx)], voxel);
        }
      }
      planeSums.Add(a.taps[abs(dy)], rowSums);
    }
    sums.Add(a.taps[abs(dz)], planeSums);
  }
  const double                      s = sums.s / sums.weight;
  const double                      d = sums.d / sums.weight;
  const SimilarityConstants<double> constants{ a.constants.c1, a.constants.c2 };
  return static_cast<float>(SimilarityFromVariances(xCenter + yCenter + s,
                                                    xCenter - yCenter + d,
                                                    sums.ss / sums.weight - s * s,
                                                    sums.dd / sums.weight - d * d,
                                                    constants));
}

/** Computes again, in double precision and without voxels that are not finite, the partial results and the map where
 * StructuralSimilarityKernel<TShape> left them not finite in planes [zBegin, zEnd). The grid has a block of 32
 * TShape::warps threads for each tile (along x) and each block of planes (along y). */
template <typename TShape>
static __global__ void
StructuralSimilarityFallbackKernel(const StructuralSimilarityArguments a)
{
  const int           column = static_cast<int>(blockIdx.x);
  const int           zBlock = a.zBegin / similarityBlockPlanes + static_cast<int>(blockIdx.y);
  const int           warp = static_cast<int>(threadIdx.x / 32);
  const std::int64_t  block = static_cast<std::int64_t>(zBlock) * (a.tilesX * a.tilesY) + column;
  SimilarityPartial & partial = a.partials[block * TShape::warps + warp];
  const bool again[2] = { !IsFinite(partial.similarity), !IsFinite(static_cast<float>(partial.squaredDifference)) };
  if (!again[0] && !again[1])
  {
    return;
  }
  const int         thread = static_cast<int>(threadIdx.x);
  const int         x = column % a.tilesX * similarityTileX + thread % similarityTileX;
  const int         yFirst = column / a.tilesX * SimilarityTileY<TShape>() + thread / similarityTileX * TShape::rows;
  const int         zFirst = zBlock * similarityBlockPlanes;
  SimilarityPartial sums{ 0.0, 0.0f, 0u, 0u };
  for (int z = zFirst; z < min(zFirst + similarityBlockPlanes, a.zEnd); ++z)
  {
    for (int y = yFirst; y < min(yFirst + TShape::rows, a.size.y) && x < a.size.x; ++y)
    {
      const std::int64_t voxel = (static_cast<std::int64_t>(z) * a.size.y + y) * a.size.x + x;
      const bool         inMask = a.mask == nullptr || a.mask[voxel] != 0;
      const bool averaged = inMask && x >= a.averagedBegin[0] && x < a.averagedEnd[0] && y >= a.averagedBegin[1] &&
                            y < a.averagedEnd[1] && z >= a.averagedBegin[2] && z < a.averagedEnd[2];
      const double difference = double{ a.reference[voxel] } - a.image[voxel];
      if (inMask && IsFinite(a.reference[voxel]) && IsFinite(a.image[voxel]))
      {
        sums.squaredDifference += difference * difference;
        ++sums.numberOfDifferences;
      }
      if (again[0] && (a.map != nullptr || averaged))
      {
        const float similarity = DirectSimilarity(a, x, y, z);
        if (a.map != nullptr)
        {
          a.map[voxel] = similarity;
        }
        if (averaged && IsFinite(similarity))
        {
          sums.similarity += similarity;
          ++sums.numberOfSimilarities;
        }
      }
    }
  }
  sums = { WarpSum(sums.squaredDifference),
           WarpSum(sums.similarity),
           WarpSum(sums.numberOfSimilarities),
           WarpSum(sums.numberOfDifferences) };
  if (threadIdx.x % 32 == 0 && again[0])
  {
    partial.similarity = sums.similarity;
    partial.numberOfSimilarities = sums.numberOfSimilarities;
  }
  if (threadIdx.x % 32 == 0 && again[1])
  {
    partial.squaredDifference = sums.squaredDifference;
    partial.numberOfDifferences = sums.numberOfDifferences;
  }
}

} // namespace cudaneuro::gpu

#endif
