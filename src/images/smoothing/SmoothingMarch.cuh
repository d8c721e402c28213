// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_smoothing_SmoothingMarch_cuh
#define cudaneuro_images_smoothing_SmoothingMarch_cuh

#include "core/IntegerMath.h"
#include "core/SoAField.h"
#include "images/smoothing/GaussianWeights.h"

/** The common parts of the kernels of separable convolution with symmetric weights, for one volume or a field's three.
 *
 * Small radii take two kernels. SmoothPlanesKernel convolves along x and y: a block marches along y with a few rows at
 * a time, convolves them along x from shared memory, and adds each result to the 2 R + 1 outputs to which it belongs,
 * which are in registers: along y nothing is read twice. SmoothColumnsKernel does that along z from device memory. The
 * weights are kernel arguments, which the arithmetic units read in place. */
namespace cudaneuro
{

/** Volumes that are convolved with the same weights. */
struct SmoothingVolumes
{
  int           count = 0;
  const float * from[3]{};
  float *       to[3]{};
};

/** The weights along an axis in the form of a kernel argument. */
template <int VRadius>
struct SmoothingWeights
{
  float of[VRadius + 1];     // the weight at each distance
  float beyond[VRadius + 1]; // sum of the weights at larger distances; 0 if zeros lie outside the grid
};

/** Convolves a column of values, given in runs of VRows: adds each value to all outputs to which it contributes. */
template <int VRadius, int VRows>
struct MarchingConvolution
{
  static constexpr int reach = 2 * VRadius;
  /** The number of runs without values after the last one until all outputs are complete. */
  static constexpr int runsToFinish = DivideUp(VRadius, VRows);

  /** After a run is added: the sums of the outputs, starting VRadius rows before the run. */
  float sums[reach + VRows];

  /** Must be called first, with the first value of the first run. Earlier rows have that value, or are not needed. */
  __device__ __forceinline__ void
  Begin(float value, const SmoothingWeights<VRadius> & weights)
  {
#pragma unroll
    for (int i = 0; i < VRadius; ++i)
    {
      sums[i] = 0.0f;
      sums[VRadius + i] = weights.beyond[i] * value;
    }
  }

  /** Adds row \p row of a run. Must be called for all rows in order. */
  __device__ __forceinline__ void
  Add(int row, float value, const SmoothingWeights<VRadius> & weights)
  {
    if constexpr (VRadius == 0)
    {
      this->Pass(row, value);
    }
    else
    {
#pragma unroll
      for (int i = 0; i < reach; ++i)
      {
        const int distance = i < VRadius ? VRadius - i : i - VRadius;
        sums[row + i] = fmaf(weights.of[distance], value, sums[row + i]);
      }
      sums[row + reach] = weights.of[VRadius] * value;
    }
  }

  /** Adds a row without convolution: the output is the value itself, bit by bit. */
  __device__ __forceinline__ void
  Pass(int row, float value)
  {
    sums[row + VRadius] = value;
  }

  /** Must be called after the last run and Shift, with the last value, which all later rows have. */
  __device__ __forceinline__ void
  Finish(float value, const SmoothingWeights<VRadius> & weights)
  {
#pragma unroll
    for (int i = 0; i < VRadius; ++i)
    {
      sums[VRadius - 1 - i] = fmaf(weights.beyond[i], value, sums[VRadius - 1 - i]);
    }
  }

  /** Makes room for the next run. */
  __device__ __forceinline__ void
  Shift()
  {
#pragma unroll
    for (int i = 0; i < reach; ++i)
    {
      sums[i] = sums[i + VRows];
    }
  }
};

/** The runs of VRows values of a march for the outputs [begin, end) of a row of \p length values. */
template <int VRows>
struct MarchingRange
{
  int first; // the first value
  int runs;

  __device__ __forceinline__
  MarchingRange(int begin, int end, int length, int radius)
    : first(max(begin - radius, 0))
    , runs((min(end - 1 + radius, length - 1) - first) / VRows + 1)
  {}
};

/** Writes the outputs of a march that are complete: VRows of them from row \p first on, as far as they are in
 * [begin, end). \p stride is the distance from row to row, \p origin the address of row 0. */
template <int VRadius, int VRows>
__device__ __forceinline__ void
WriteComplete(
  const MarchingConvolution<VRadius, VRows> & march, float * origin, std::int64_t stride, int first, int begin, int end)
{
  float * to = origin + first * stride;
  if (first >= begin && first + VRows <= end)
  {
#pragma unroll
    for (int row = 0; row < VRows; ++row)
    {
      *to = march.sums[row];
      to += stride;
    }
    return;
  }
#pragma unroll
  for (int row = 0; row < VRows; ++row)
  {
    if (first + row >= begin && first + row < end)
    {
      *to = march.sums[row];
    }
    to += stride;
  }
}

} // namespace cudaneuro

#endif
