// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_LocalCorrelationKernel_cuh
#define cudaneuro_metrics_LocalCorrelationKernel_cuh

#include "core/SoAField.h"
#include "cuda/DeviceGate.h"
#include "metrics/LocalCorrelationFormulas.h"

namespace cudaneuro
{
namespace
{

constexpr int correlationTileX = 32;
constexpr int correlationTileY = 16;
constexpr int correlationThreads = 256;
/** Columns of a block of the kernels that march along z, and planes that each thread of them takes. */
constexpr int correlationColumnsX = 32;
constexpr int correlationColumnsY = 8;
constexpr int correlationPlanes = 32;

/** Volumes of one float per voxel, one volume per quantity. */
template <int VCount>
struct SumVolumes
{
  float * volume[VCount];
};

/** Arguments of all kernels. */
struct CorrelationArguments
{
  Extent     extent;
  int        radius;
  DeviceGate gate;
  /** The deformed moving image, NaN where it has no value, and where the fixed image has none. */
  const float *                deformed;
  const float *                fixed;
  SumVolumes<correlationSums>  sums;
  SumVolumes<correlationTerms> terms;
  SumVolumes<correlationTerms> termSums;
  float *                      derivative;
  /** Minus the squared correlations, one sum per block of CorrelationTermKernel; for BoxesOf::VoxelsWithValue followed by the
   * numbers of voxels that have a value. */
  double * energyTerms;
};

/** Loads the products of a voxel, which are 0 where it has no value. */
struct LoadProducts
{
  static constexpr int count = correlationSums;

  __device__ __forceinline__ static void
  Load(const CorrelationArguments & arguments, std::int64_t i, float (&values)[count])
  {
    const float w = arguments.deformed[i];
    const float r = arguments.fixed[i];
    if (w == w)
    {
      values[0] = 1.0f;
      values[1] = w;
      values[2] = r;
      values[3] = w * w;
      values[4] = r * r;
      values[5] = w * r;
    }
  }
  __device__ __forceinline__ static float *
  Output(const CorrelationArguments & arguments, int channel)
  {
    return arguments.sums.volume[channel];
  }
};

/** Loads the terms of a voxel. */
struct LoadTerms
{
  static constexpr int count = correlationTerms;

  __device__ __forceinline__ static void
  Load(const CorrelationArguments & arguments, std::int64_t i, float (&values)[count])
  {
    for (int channel = 0; channel < count; ++channel)
    {
      values[channel] = arguments.terms.volume[channel][i];
    }
  }
  __device__ __forceinline__ static float *
  Output(const CorrelationArguments & arguments, int channel)
  {
    return arguments.termSums.volume[channel];
  }
};

/** Bytes of shared memory of BoxPlaneKernel. */
template <typename TLoad>
constexpr std::size_t
BoxPlaneSharedBytes(int radius)
{
  const std::size_t rows = correlationTileY + 2 * radius;
  return sizeof(float) * TLoad::count * rows * (correlationTileX + 2 * radius + correlationTileX);
}

/** Sums over the box in x and y of each plane; voxels outside the grid add nothing.
 *
 * A block takes a tile of 32 x 16 voxels of one plane: it loads the tile with its margin into shared memory, and
 * sums rows there, then columns. Reads what TLoad loads, writes TLoad::count floats per voxel. */
template <typename TLoad>
static __global__ void
__launch_bounds__(correlationThreads) BoxPlaneKernel(CorrelationArguments arguments)
{
  extern __shared__ float shared[];
  if (arguments.gate.IsClosed())
  {
    return;
  }
  constexpr int  channels = TLoad::count;
  const Extent & extent = arguments.extent;
  const int      radius = arguments.radius;
  const int      width = correlationTileX + 2 * radius;
  const int      rows = correlationTileY + 2 * radius;
  float * const  loaded = shared;
  float * const  rowSums = shared + channels * width * rows;
  const int      firstX = blockIdx.x * correlationTileX;
  const int      firstY = blockIdx.y * correlationTileY;
  const int      z = blockIdx.z;
  for (int i = threadIdx.x; i < width * rows; i += correlationThreads)
  {
    const int x = firstX + i % width - radius;
    const int y = firstY + i / width - radius;
    float     values[channels] = {};
    if (x >= 0 && x < extent.x && y >= 0 && y < extent.y)
    {
      TLoad::Load(arguments, (std::int64_t{ z } * extent.y + y) * extent.x + x, values);
    }
    for (int channel = 0; channel < channels; ++channel)
    {
      loaded[channel * width * rows + i] = values[channel];
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < correlationTileX * rows; i += correlationThreads)
  {
    const float * const from = loaded + i / correlationTileX * width + i % correlationTileX;
    for (int channel = 0; channel < channels; ++channel)
    {
      float sum = 0.0f;
      for (int tap = 0; tap <= 2 * radius; ++tap)
      {
        sum += from[channel * width * rows + tap];
      }
      rowSums[channel * correlationTileX * rows + i] = sum;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < correlationTileX * correlationTileY; i += correlationThreads)
  {
    const int x = firstX + i % correlationTileX;
    const int y = firstY + i / correlationTileX;
    if (x < extent.x && y < extent.y)
    {
      const std::int64_t to = (std::int64_t{ z } * extent.y + y) * extent.x + x;
      for (int channel = 0; channel < channels; ++channel)
      {
        const float * const from = rowSums + channel * correlationTileX * rows + i;
        float               sum = 0.0f;
        for (int tap = 0; tap <= 2 * radius; ++tap)
        {
          sum += from[tap * correlationTileX];
        }
        TLoad::Output(arguments, channel)[to] = sum;
      }
    }
  }
}

/** Calls body(i, sums) for the voxels of a column from plane to plane, with the sums over the box along z. */
template <int VChannels, typename TBody>
__device__ __forceinline__ void
ForBoxesAlongZ(
  const Extent & extent, int radius, int x, int y, const SumVolumes<VChannels> & volumes, const TBody & body)
{
  const std::int64_t plane = std::int64_t{ extent.x } * extent.y;
  const std::int64_t column = std::int64_t{ y } * extent.x + x;
  const int          begin = blockIdx.z * correlationPlanes;
  const int          end = min(begin + correlationPlanes, extent.z);
  float              sums[VChannels] = {};
  for (int z = max(begin - radius, 0); z < min(begin + radius, extent.z); ++z)
  {
    for (int channel = 0; channel < VChannels; ++channel)
    {
      sums[channel] += volumes.volume[channel][z * plane + column];
    }
  }
  for (int z = begin; z < end; ++z)
  {
    for (int channel = 0; channel < VChannels; ++channel)
    {
      if (z + radius < extent.z)
      {
        sums[channel] += volumes.volume[channel][(z + radius) * plane + column];
      }
      if (z > begin && z - radius - 1 >= 0)
      {
        sums[channel] -= volumes.volume[channel][(z - radius - 1) * plane + column];
      }
    }
    body(z * plane + column, sums);
  }
}

/** Adds up the values of a block's columns in a fixed order. Each of the VCount sums has an array of one element per block,
 * one array after another. */
template <int VCount>
__device__ __forceinline__ void
WriteBlockSums(double (&values)[VCount], double * sums)
{
  __shared__ double perWarp[VCount][correlationThreads / 32];
  for (int distance = 16; distance > 0; distance /= 2)
  {
    for (double & value : values)
    {
      value += __shfl_down_sync(0xffffffffu, value, distance);
    }
  }
  if (threadIdx.x == 0)
  {
    for (int quantity = 0; quantity < VCount; ++quantity)
    {
      perWarp[quantity][threadIdx.y] = values[quantity];
    }
  }
  __syncthreads();
  if (threadIdx.x < VCount && threadIdx.y == 0)
  {
    double sum = 0.0;
    for (const double value : perWarp[threadIdx.x])
    {
      sum += value;
    }
    const unsigned int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    sums[threadIdx.x * gridDim.x * gridDim.y * gridDim.z + block] = sum;
  }
}

/** Completes the sums along z, computes terms from them, and writes these unless VWithTerms is false. Reads 24 bytes per
 * voxel twice, and 4 for BoxesOf::VoxelsWithValue; writes 12. */
template <BoxesOf VBoxes, bool VWithTerms>
static __global__ void
__launch_bounds__(correlationThreads) CorrelationTermKernel(CorrelationArguments arguments)
{
  if (arguments.gate.IsClosed())
  {
    return;
  }
  const Extent & extent = arguments.extent;
  const int      x = blockIdx.x * correlationColumnsX + threadIdx.x;
  const int      y = blockIdx.y * correlationColumnsY + threadIdx.y;
  double         energy = 0.0;
  int            count = 0;
  if (x < extent.x && y < extent.y)
  {
    ForBoxesAlongZ(
      extent, arguments.radius, x, y, arguments.sums, [&](std::int64_t i, const float(&sums)[correlationSums]) {
        CorrelationTerm term = CorrelationTermOf({ sums[0], sums[1], sums[2], sums[3], sums[4], sums[5] });
        if constexpr (VBoxes == BoxesOf::VoxelsWithValue)
        {
          const float w = arguments.deformed[i];
          term = w == w ? term : CorrelationTerm();
          count += w == w ? 1 : 0;
        }
        if constexpr (VWithTerms)
        {
          arguments.terms.volume[0][i] = term.p;
          arguments.terms.volume[1][i] = term.q;
          arguments.terms.volume[2][i] = term.s;
        }
        energy -= static_cast<double>(term.square);
      });
  }
  if constexpr (VBoxes == BoxesOf::VoxelsWithValue)
  {
    double values[2] = { energy, static_cast<double>(count) };
    WriteBlockSums(values, arguments.energyTerms);
  }
  else
  {
    double values[1] = { energy };
    WriteBlockSums(values, arguments.energyTerms);
  }
}

/** Completes the sums of terms along z and computes the derivative from them. Reads 12 bytes per voxel twice, and 8;
 * writes 4. */
static __global__ void
__launch_bounds__(correlationThreads) CorrelationDerivativeKernel(CorrelationArguments arguments)
{
  const Extent & extent = arguments.extent;
  const int      x = blockIdx.x * correlationColumnsX + threadIdx.x;
  const int      y = blockIdx.y * correlationColumnsY + threadIdx.y;
  if (arguments.gate.IsClosed() || x >= extent.x || y >= extent.y)
  {
    return;
  }
  ForBoxesAlongZ(
    extent, arguments.radius, x, y, arguments.termSums, [&](std::int64_t i, const float(&sums)[correlationTerms]) {
      arguments.derivative[i] = arguments.deformed[i] * sums[1] - arguments.fixed[i] * sums[0] + sums[2];
    });
}

} // namespace
} // namespace cudaneuro

#endif
