// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_correlation_LocalCorrelationKernel_cuh
#define cudaneuro_metrics_correlation_LocalCorrelationKernel_cuh

#include "cuda/ResidentBlocks.cuh"
#include "metrics/correlation/LocalCorrelationArguments.cuh"
#include "metrics/correlation/LocalCorrelationBoxes.cuh"
#include "metrics/correlation/LocalCorrelationFormulas.h"

#include <cstdint>

/** The kernels of the local correlation: the terms of all voxels with their energy, and the derivative. */
namespace cudaneuro
{
namespace
{

/** Sums the values of a block's VThreads threads in a fixed order. Each of the VCount sums has an array of one
 * element per block, one array after another. */
template <int VThreads, int VCount>
__device__ __forceinline__ void
WriteBlockSums(double (&values)[VCount], double * sums)
{
  __shared__ double perWarp[VCount][VThreads / 32];
  const int         thread = threadIdx.y * blockDim.x + threadIdx.x;
  for (int distance = 16; distance > 0; distance /= 2)
  {
    for (double & value : values)
    {
      value += __shfl_down_sync(0xffffffffu, value, distance);
    }
  }
  if (thread % 32 == 0)
  {
    for (int quantity = 0; quantity < VCount; ++quantity)
    {
      perWarp[quantity][thread / 32] = values[quantity];
    }
  }
  __syncthreads();
  if (thread < VCount)
  {
    double sum = 0.0;
    for (const double value : perWarp[thread])
    {
      sum += value;
    }
    const unsigned int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    sums[thread * gridDim.x * gridDim.y * gridDim.z + block] = sum;
  }
}

/** Computes the terms of all voxels from the sums over their boxes; writes them unless VWithTerms is false. Reads 8
 * bytes per voxel and its margin, and 1 byte if boxes are weighted; writes 12. */
template <BoxesOf VBoxes, bool VWithTerms, typename TKernel>
static __global__ void
__launch_bounds__(boxThreads, ResidentBlocks(BoxBlocks(TKernel::columns == fewBoxColumns), boxThreads))
  CorrelationTermKernel(const __grid_constant__ CorrelationArguments arguments)
{
  extern __shared__ float shared[];
  if (arguments.gate.IsClosed())
  {
    return;
  }
  double     energy = 0.0;
  int        count = 0;
  const auto prepare = [](int, std::int64_t) {};
  ForBoxes<LoadProducts, TKernel>(
    arguments, shared, prepare, [&](int, std::int64_t i, const float(&sums)[correlationSums]) {
      CorrelationTerm term = CorrelationTermOf({ sums[0], sums[1], sums[2], sums[3], sums[4], sums[5] });
      if constexpr (VBoxes != BoxesOf::AllVoxels)
      {
        const int units = WeightOfBox<VBoxes>(arguments.deformed, arguments.weights, i);
        term = Weighted<VBoxes>(term, units);
        count += units;
      }
      if constexpr (VWithTerms)
      {
        arguments.terms.volume[0][i] = term.p;
        arguments.terms.volume[1][i] = term.q;
        arguments.terms.volume[2][i] = term.s;
      }
      energy -= static_cast<double>(term.square);
    });
  if constexpr (VBoxes != BoxesOf::AllVoxels)
  {
    double values[2] = { energy, static_cast<double>(count) / wholeBox<VBoxes> };
    WriteBlockSums<boxThreads>(values, arguments.energyTerms);
  }
  else
  {
    double values[1] = { energy };
    WriteBlockSums<boxThreads>(values, arguments.energyTerms);
  }
}

/** Computes the derivative from the terms' box sums. Reads 12 bytes per voxel, and its margin, and 8; writes 4. */
template <typename TKernel>
static __global__ void
__launch_bounds__(boxThreads, ResidentBlocks(BoxBlocks(TKernel::columns == fewBoxColumns), boxThreads))
  CorrelationDerivativeKernel(const __grid_constant__ CorrelationArguments arguments)
{
  extern __shared__ float shared[];
  if (arguments.gate.IsClosed())
  {
    return;
  }
  float      deformed[boxRunY];
  float      fixed[boxRunY];
  const auto prepare = [&](int k, std::int64_t i) {
    deformed[k] = arguments.deformed[i];
    fixed[k] = arguments.fixed[i];
  };
  ForBoxes<LoadTerms, TKernel>(
    arguments, shared, prepare, [&](int k, std::int64_t i, const float(&sums)[correlationTerms]) {
      arguments.derivative[i] = deformed[k] * sums[1] - fixed[k] * sums[0] + sums[2];
    });
}

} // namespace
} // namespace cudaneuro

#endif
