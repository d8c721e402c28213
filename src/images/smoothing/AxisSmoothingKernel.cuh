// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_smoothing_AxisSmoothingKernel_cuh
#define cudaneuro_images_smoothing_AxisSmoothingKernel_cuh

#include "core/IntegerMath.h"
#include "images/smoothing/SmoothingMarch.cuh"

namespace cudaneuro
{

/** The arguments of SmoothAxisKernel. */
struct AxisSmoothingArguments
{
  SmoothingVolumes volumes;
  const int *      gate;
  GaussianTaps     taps;
  int              length; // voxels along the axis
  std::int64_t     stride; // distance of neighbors in voxels, which is the number of rows in a layer
  std::int64_t     outer;  // number of layers
  bool             zeroBeyond;
};

/** Convolution along one axis with any radius: one output per thread, neighbors through the cache. Reads each volume
 * \c from and writes each \c to, which is another one. Each block processes every gridDim.x-th tile. */
static __global__ void __launch_bounds__(256) SmoothAxisKernel(const __grid_constant__ AxisSmoothingArguments arguments)
{
  if (arguments.gate && *arguments.gate == 0)
  {
    return;
  }
  constexpr int        mostTaps = 1024;
  __shared__ float     weights[mostTaps];
  const GaussianTaps & taps = arguments.taps;
  const int            thread = static_cast<int>(threadIdx.x + blockDim.x * threadIdx.y);
  const int            threads = static_cast<int>(blockDim.x * blockDim.y);
  const std::int64_t   tilesAcross = DivideUp(arguments.stride, blockDim.x);
  const std::int64_t   tilesAlong = DivideUp(std::int64_t{ arguments.length }, blockDim.y);
  const std::int64_t   tiles = tilesAcross * tilesAlong * arguments.outer;
  for (std::int64_t item = blockIdx.x; item < tiles * arguments.volumes.count; item += gridDim.x)
  {
    const int          volume = static_cast<int>(item / tiles);
    const std::int64_t tile = item - volume * tiles;
    const std::int64_t layer = tile / (tilesAcross * tilesAlong);
    const std::int64_t inLayer = tile - layer * tilesAcross * tilesAlong;
    const std::int64_t across = inLayer % tilesAcross * blockDim.x + threadIdx.x;
    const std::int64_t position = inLayer / tilesAcross * blockDim.y + threadIdx.y;
    const bool         isOnGrid = across < arguments.stride && position < arguments.length;
    const std::int64_t first = layer * arguments.length * arguments.stride + (isOnGrid ? across : 0);
    const float *      row = arguments.volumes.from[volume] + first;
    const auto         at = [&](std::int64_t i) {
      const std::int64_t last = arguments.length - 1;
      const std::int64_t onGrid = i < 0 ? 0 : (i > last ? last : i);
      const float        value = row[onGrid * arguments.stride];
      return arguments.zeroBeyond && onGrid != i ? 0.0f : value;
    };
    const bool isInterior = position >= taps.radius && position + taps.radius < arguments.length;
    float      sum = taps.center * at(position);
    for (int begin = 1; begin <= taps.radius; begin += mostTaps)
    {
      const int count = min(mostTaps, taps.radius + 1 - begin);
      __syncthreads();
      for (int i = thread; i < count; i += threads)
      {
        const int distance = begin + i;
        weights[i] = distance == taps.radius
                       ? taps.outermost
                       : static_cast<float>(GaussianWeight(distance, taps.inverseSigma, taps.inverseSum));
      }
      __syncthreads();
      if (isOnGrid && isInterior)
      {
        const float * before = row + (position - begin) * arguments.stride;
        const float * after = row + (position + begin) * arguments.stride;
#pragma unroll 4
        for (int i = 0; i < count; ++i)
        {
          sum = fmaf(weights[i], *before + *after, sum);
          before -= arguments.stride;
          after += arguments.stride;
        }
      }
      else if (isOnGrid)
      {
        for (int i = 0; i < count; ++i)
        {
          sum = fmaf(weights[i], at(position - (begin + i)) + at(position + (begin + i)), sum);
        }
      }
    }
    if (isOnGrid)
    {
      arguments.volumes.to[volume][first + position * arguments.stride] = sum;
    }
  }
}

} // namespace cudaneuro

#endif
