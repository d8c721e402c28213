// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_LocalCorrelationKernel_cuh
#define cudaneuro_registration_LocalCorrelationKernel_cuh

#include "fields/CellSampler.h"
#include "registration/LocalCorrelationFormulas.h"
#include "registration/Step.h"

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
  Extent            extent;
  CellGrid          grid;
  int               radius;
  const StepState * state;
  MapPair           maps;
  const float *     moving;
  const float *     fixed;
  /** The deformed moving image, NaN where it has no value, and where the fixed image has none. */
  float *                      deformed;
  SumVolumes<correlationSums>  sums;
  SumVolumes<correlationTerms> terms;
  SumVolumes<correlationTerms> termSums;
  float *                      derivative;
  /** Minus the squared correlations, one sum per block of CorrelationTermKernel. */
  double * energyTerms;
};

/** The deformed moving image. Reads the displacement (12 bytes per voxel), the moving image (4) and the fixed image
 * (4); writes 4. */
static __global__ void
__launch_bounds__(correlationThreads) DeformKernel(CorrelationArguments arguments)
{
  const Extent & extent = arguments.extent;
  const int      x = blockIdx.x * correlationColumnsX + threadIdx.x;
  const int      y = blockIdx.y * correlationColumnsY + threadIdx.y;
  const int      z = blockIdx.z;
  if (arguments.state->isRunning == 0 || x >= extent.x || y >= extent.y)
  {
    return;
  }
  const std::int64_t i = (std::int64_t{ z } * extent.y + y) * extent.x + x;
  const SoAField     d = arguments.maps.Candidate(*arguments.state);
  const float        px = static_cast<float>(x) + d.x[i];
  const float        py = static_cast<float>(y) + d.y[i];
  const float        pz = static_cast<float>(z) + d.z[i];
  const float        fixed = arguments.fixed[i];
  float              value = __int_as_float(0x7fffffff); // NaN
  if (arguments.grid.Contains(px, py, pz) && fixed == fixed)
  {
    value = Cell(arguments.grid, px, py, pz).Interpolate(arguments.grid, arguments.moving);
  }
  arguments.deformed[i] = value;
}

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
  if (arguments.state->isRunning == 0)
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

/** Completes the sums along z and computes terms from them. Reads 24 bytes per voxel twice, writes 12. */
static __global__ void
__launch_bounds__(correlationThreads) CorrelationTermKernel(CorrelationArguments arguments)
{
  if (arguments.state->isRunning == 0)
  {
    return;
  }
  const Extent & extent = arguments.extent;
  const int      x = blockIdx.x * correlationColumnsX + threadIdx.x;
  const int      y = blockIdx.y * correlationColumnsY + threadIdx.y;
  double         squares = 0.0;
  if (x < extent.x && y < extent.y)
  {
    ForBoxesAlongZ(
      extent, arguments.radius, x, y, arguments.sums, [&](std::int64_t i, const float(&sums)[correlationSums]) {
        const CorrelationTerm term = CorrelationTermOf({ sums[0], sums[1], sums[2], sums[3], sums[4], sums[5] });
        arguments.terms.volume[0][i] = term.p;
        arguments.terms.volume[1][i] = term.q;
        arguments.terms.volume[2][i] = term.s;
        squares += static_cast<double>(term.square);
      });
  }
  __shared__ double perWarp[correlationThreads / 32];
  for (int distance = 16; distance > 0; distance /= 2)
  {
    squares += __shfl_down_sync(0xffffffffu, squares, distance);
  }
  if (threadIdx.x == 0)
  {
    perWarp[threadIdx.y] = squares;
  }
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0)
  {
    double sum = 0.0;
    for (const double value : perWarp)
    {
      sum += value;
    }
    arguments.energyTerms[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = -sum;
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
  if (arguments.state->isRunning == 0 || x >= extent.x || y >= extent.y)
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
