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

constexpr int correlationTileX = 64;
constexpr int correlationTileY = 16;
/** Neighbors whose boxes a thread sums up one after another. */
constexpr int correlationRun = 8;
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

/** The products of a voxel, which are 0 where it has no value, of its intensities in both images. */
struct LoadProducts
{
  static constexpr int inputs = 2;
  static constexpr int count = correlationSums;

  __device__ __forceinline__ static void
  Load(const CorrelationArguments & arguments, std::int64_t i, float (&values)[inputs])
  {
    const float w = arguments.deformed[i];
    const bool  hasValue = w == w;
    values[0] = w;
    values[1] = hasValue ? arguments.fixed[i] : 0.0f;
  }
  /** What voxels outside the grid have instead. */
  __device__ __forceinline__ static float
  Outside()
  {
    return __int_as_float(0x7fffffff); // NaN
  }
  __device__ __forceinline__ static void
  Compute(const float (&values)[inputs], float (&products)[count])
  {
    const bool  hasValue = values[0] == values[0];
    const float w = hasValue ? values[0] : 0.0f;
    const float r = hasValue ? values[1] : 0.0f;
    products[0] = hasValue ? 1.0f : 0.0f;
    products[1] = w;
    products[2] = r;
    products[3] = w * w;
    products[4] = r * r;
    products[5] = w * r;
  }
  __device__ __forceinline__ static float *
  Output(const CorrelationArguments & arguments, int channel)
  {
    return arguments.sums.volume[channel];
  }
};

/** The terms of a voxel. */
struct LoadTerms
{
  static constexpr int inputs = correlationTerms;
  static constexpr int count = correlationTerms;

  __device__ __forceinline__ static void
  Load(const CorrelationArguments & arguments, std::int64_t i, float (&values)[inputs])
  {
    for (int channel = 0; channel < inputs; ++channel)
    {
      values[channel] = arguments.terms.volume[channel][i];
    }
  }
  __device__ __forceinline__ static float
  Outside()
  {
    return 0.0f;
  }
  __device__ __forceinline__ static void
  Compute(const float (&values)[inputs], float (&terms)[count])
  {
    for (int channel = 0; channel < inputs; ++channel)
    {
      terms[channel] = values[channel];
    }
  }
  __device__ __forceinline__ static float *
  Output(const CorrelationArguments & arguments, int channel)
  {
    return arguments.termSums.volume[channel];
  }
};

/** A tile of one plane with its margin in shared memory: what is loaded, and the sums over boxes along x. Rows begin at odd
 * distances, so that threads which take a row each use different banks. */
template <typename TLoad>
struct BoxTile
{
  int rows;
  int width;
  int loadedPitch;
  int sumPitch;

  CUDANEURO_HOST_DEVICE explicit BoxTile(int radius)
    : rows(correlationTileY + 2 * radius)
    , width(correlationTileX + 2 * radius)
    , loadedPitch(width | 1)
    , sumPitch(correlationTileX | 1)
  {}

  CUDANEURO_HOST_DEVICE int
  LoadedFloats() const
  {
    return TLoad::inputs * rows * loadedPitch;
  }
  std::size_t
  SharedBytes() const
  {
    return sizeof(float) * (LoadedFloats() + TLoad::count * rows * sumPitch);
  }
};

/** Loads the tile at (firstX, firstY) of plane z into shared memory. By a whole block. */
template <typename TLoad>
__device__ __forceinline__ void
LoadBoxTile(const CorrelationArguments & arguments, const BoxTile<TLoad> & tile, int firstX, int firstY, float * loaded)
{
  const Extent & extent = arguments.extent;
  const int      z = blockIdx.z;
  for (int row = threadIdx.x / 32; row < tile.rows; row += correlationThreads / 32)
  {
    const int y = firstY + row - arguments.radius;
    for (int column = threadIdx.x % 32; column < tile.width; column += 32)
    {
      const int x = firstX + column - arguments.radius;
      float     values[TLoad::inputs];
      for (float & value : values)
      {
        value = TLoad::Outside();
      }
      if (x >= 0 && x < extent.x && y >= 0 && y < extent.y)
      {
        TLoad::Load(arguments, (std::int64_t{ z } * extent.y + y) * extent.x + x, values);
      }
      for (int input = 0; input < TLoad::inputs; ++input)
      {
        loaded[(input * tile.rows + row) * tile.loadedPitch + column] = values[input];
      }
    }
  }
}

/** Sums the tile's rows over the boxes along x: a thread takes runs of neighbors, from one to the next of which a box gains a voxel
 * and loses one. By a whole block. */
template <typename TLoad>
__device__ __forceinline__ void
SumBoxRows(const BoxTile<TLoad> & tile, int radius, const float * loaded, float * rowSums)
{
  constexpr int channels = TLoad::count;
  for (int run = threadIdx.x; run < tile.rows * (correlationTileX / correlationRun); run += correlationThreads)
  {
    const int  row = run % tile.rows;
    const int  first = run / tile.rows * correlationRun;
    float      sums[channels] = {};
    const auto add = [&](int column, float sign) {
      float inputs[TLoad::inputs];
      for (int input = 0; input < TLoad::inputs; ++input)
      {
        inputs[input] = loaded[(input * tile.rows + row) * tile.loadedPitch + first + column];
      }
      float values[channels];
      TLoad::Compute(inputs, values);
      for (int channel = 0; channel < channels; ++channel)
      {
        sums[channel] += sign * values[channel];
      }
    };
    for (int tap = 0; tap < 2 * radius; ++tap)
    {
      add(tap, 1.0f);
    }
#pragma unroll
    for (int k = 0; k < correlationRun; ++k)
    {
      add(k + 2 * radius, 1.0f);
      for (int channel = 0; channel < channels; ++channel)
      {
        rowSums[(channel * tile.rows + row) * tile.sumPitch + first + k] = sums[channel];
      }
      add(k, -1.0f);
    }
  }
}

/** Sums the rows' sums over the boxes along y, and writes them. A thread takes runs, as along x. By a whole block. */
template <typename TLoad>
__device__ __forceinline__ void
WriteBoxColumns(
  const CorrelationArguments & arguments, const BoxTile<TLoad> & tile, int firstX, int firstY, const float * rowSums)
{
  const Extent & extent = arguments.extent;
  const int      radius = arguments.radius;
  constexpr int  runs = correlationTileY / correlationRun;
  for (int i = threadIdx.x; i < correlationTileX * TLoad::count * runs; i += correlationThreads)
  {
    const int           channel = i / correlationTileX % TLoad::count;
    const int           first = i / (correlationTileX * TLoad::count) * correlationRun;
    const int           x = firstX + i % correlationTileX;
    const float * const from = rowSums + (channel * tile.rows + first) * tile.sumPitch + i % correlationTileX;
    const std::int64_t  to = (std::int64_t{ blockIdx.z } * extent.y + firstY + first) * extent.x + x;
    float * const       output = TLoad::Output(arguments, channel);
    float               sum = 0.0f;
    for (int tap = 0; tap < 2 * radius; ++tap)
    {
      sum += from[tap * tile.sumPitch];
    }
#pragma unroll
    for (int k = 0; k < correlationRun; ++k)
    {
      sum += from[(k + 2 * radius) * tile.sumPitch];
      if (x < extent.x && firstY + first + k < extent.y)
      {
        output[to + std::int64_t{ k } * extent.x] = sum;
      }
      sum -= from[k * tile.sumPitch];
    }
  }
}

/** Sums over the box in x and y of each plane; voxels outside the grid add nothing. A block takes a tile of one plane, whose
 * sums along x are in shared memory. Reads what TLoad loads, writes TLoad::count floats per voxel. */
template <typename TLoad>
static __global__ void
__launch_bounds__(correlationThreads) BoxPlaneKernel(const __grid_constant__ CorrelationArguments arguments)
{
  extern __shared__ float loaded[];
  if (arguments.gate.IsClosed())
  {
    return;
  }
  const BoxTile<TLoad> tile(arguments.radius);
  float * const        rowSums = loaded + tile.LoadedFloats();
  const int            firstX = blockIdx.x * correlationTileX;
  const int            firstY = blockIdx.y * correlationTileY;
  LoadBoxTile(arguments, tile, firstX, firstY, loaded);
  __syncthreads();
  SumBoxRows(tile, arguments.radius, loaded, rowSums);
  __syncthreads();
  WriteBoxColumns(arguments, tile, firstX, firstY, rowSums);
}

/** Bytes of shared memory of a kernel that calls ForBoxesAlongZ. */
constexpr std::size_t
BoxColumnSharedBytes(int channels, int radius)
{
  return sizeof(float) * static_cast<std::size_t>(channels) * (2 * radius + 1) * correlationThreads;
}

/** Calls body(i, sums) for the voxels of a column from plane to plane, with the sums over the box along z. The planes of the box
 * are kept in the thread's part of \p ring, of BoxColumnSharedBytes, so that each is read once; the next plane is on its way while
 * body works on one. */
template <int VChannels, typename TBody>
__device__ __forceinline__ void
ForBoxesAlongZ(const Extent &                extent,
               int                           radius,
               int                           x,
               int                           y,
               const SumVolumes<VChannels> & volumes,
               float *                       ring,
               const TBody &                 body)
{
  const std::int64_t plane = std::int64_t{ extent.x } * extent.y;
  const std::int64_t column = std::int64_t{ y } * extent.x + x;
  const int          planesOfBox = 2 * radius + 1;
  const int          begin = blockIdx.z * correlationPlanes;
  const int          end = min(begin + correlationPlanes, extent.z);
  float * const      own = ring + threadIdx.y * correlationColumnsX + threadIdx.x;
  const auto         load = [&](int z, float(&values)[VChannels]) {
    for (int channel = 0; channel < VChannels; ++channel)
    {
      values[channel] = z >= 0 && z < extent.z ? volumes.volume[channel][z * plane + column] : 0.0f;
    }
  };
  float      sums[VChannels] = {};
  float      next[VChannels] = {};
  int        slot = 0;
  const auto enter = [&] {
    for (int channel = 0; channel < VChannels; ++channel)
    {
      float & kept = own[(slot * VChannels + channel) * correlationThreads];
      sums[channel] += next[channel];
      kept = next[channel];
    }
    slot = slot + 1 < planesOfBox ? slot + 1 : 0;
  };
  for (int z = begin - radius; z < begin + radius; ++z)
  {
    load(z, next);
    enter();
  }
  for (int channel = 0; channel < VChannels; ++channel)
  {
    own[(slot * VChannels + channel) * correlationThreads] = 0.0f;
  }
  load(begin + radius, next);
  for (int z = begin; z < end; ++z)
  {
    float leaving[VChannels];
    for (int channel = 0; channel < VChannels; ++channel)
    {
      leaving[channel] = own[(slot * VChannels + channel) * correlationThreads];
    }
    enter();
    if (z + 1 < end)
    {
      load(z + 1 + radius, next);
    }
    for (int channel = 0; channel < VChannels; ++channel)
    {
      sums[channel] -= leaving[channel];
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
 * voxel, and 4 for BoxesOf::VoxelsWithValue; writes 12. */
template <BoxesOf VBoxes, bool VWithTerms>
static __global__ void
__launch_bounds__(correlationThreads) CorrelationTermKernel(const __grid_constant__ CorrelationArguments arguments)
{
  extern __shared__ float ring[];
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
      extent, arguments.radius, x, y, arguments.sums, ring, [&](std::int64_t i, const float(&sums)[correlationSums]) {
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

/** Completes the sums of terms along z and computes the derivative from them. Reads 12 bytes per voxel, and 8;
 * writes 4. */
static __global__ void
__launch_bounds__(correlationThreads)
  CorrelationDerivativeKernel(const __grid_constant__ CorrelationArguments arguments)
{
  extern __shared__ float ring[];
  const Extent &          extent = arguments.extent;
  const int               x = blockIdx.x * correlationColumnsX + threadIdx.x;
  const int               y = blockIdx.y * correlationColumnsY + threadIdx.y;
  if (arguments.gate.IsClosed() || x >= extent.x || y >= extent.y)
  {
    return;
  }
  ForBoxesAlongZ(extent,
                 arguments.radius,
                 x,
                 y,
                 arguments.termSums,
                 ring,
                 [&](std::int64_t i, const float(&sums)[correlationTerms]) {
                   arguments.derivative[i] = arguments.deformed[i] * sums[1] - arguments.fixed[i] * sums[0] + sums[2];
                 });
}

} // namespace
} // namespace cudaneuro

#endif
