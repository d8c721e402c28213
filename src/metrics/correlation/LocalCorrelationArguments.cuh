// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_correlation_LocalCorrelationArguments_cuh
#define cudaneuro_metrics_correlation_LocalCorrelationArguments_cuh

#include "core/SoAField.h"
#include "cuda/DeviceGate.h"
#include "metrics/correlation/LocalCorrelationFormulas.h"

#include <cstdint>

/** The arguments of the local correlation's kernels, and the quantities of a voxel that they sum over boxes. */
namespace cudaneuro
{
namespace
{

/** Volumes of one float per voxel, one volume per quantity. */
template <int VCount>
struct SumVolumes
{
  float * volume[VCount];
};

/** The arguments of all kernels of the local correlation. */
struct CorrelationArguments
{
  Extent extent;
  int    radius;
  /** The number of planes that a block processes one after another. */
  int        planes;
  DeviceGate gate;
  /** The deformed moving image and the fixed image, NaN where either has no value. */
  const float * deformed;
  const float * fixed;
  /** The weight of the box around a voxel, in 255ths; for BoxesOf::WeightedVoxels only. */
  const unsigned char *        weights;
  SumVolumes<correlationTerms> terms;
  /** The result of the derivative's kernel; it may be the deformed image. */
  float * derivative;
  /** Minus the squared correlations, one sum per block of CorrelationTermKernel; then, except for
   * BoxesOf::AllVoxels, the weighted numbers of voxels that have a value. */
  double * energyTerms;
};

/** The products of the intensities of a voxel in both images; 0 where the voxel has no value. */
struct LoadProducts
{
  static constexpr int inputs = 2;
  static constexpr int count = correlationSums;

  __device__ __forceinline__ static void
  Load(const CorrelationArguments & arguments, std::int64_t i, float (&values)[inputs])
  {
    values[0] = arguments.deformed[i];
    values[1] = arguments.fixed[i];
  }
  /** Returns the value that voxels outside the grid have. */
  __device__ __forceinline__ static float
  Outside()
  {
    return __int_as_float(0x7fffffff); // NaN
  }
  __device__ __forceinline__ static void
  Compute(const float (&values)[inputs], float (&products)[count])
  {
    const bool  hasValue = values[0] == values[0] && values[1] == values[1];
    const float w = hasValue ? values[0] : 0.0f;
    const float r = hasValue ? values[1] : 0.0f;
    products[0] = hasValue ? 1.0f : 0.0f;
    products[1] = w;
    products[2] = r;
    products[3] = w * w;
    products[4] = r * r;
    products[5] = w * r;
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
};

} // namespace
} // namespace cudaneuro

#endif
