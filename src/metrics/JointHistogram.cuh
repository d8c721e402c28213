// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_JointHistogram_cuh
#define cudaneuro_metrics_JointHistogram_cuh

#include "core/ApproximateMath.h"
#include "fields/Sampling.h"
#include "metrics/MetricColumns.h"
#include "metrics/MutualInformationFormulas.h"

#include <cstdint>

/** The joint histogram in integers, whose sums do not depend on the order of the voxels. It has only the rows that can
 * be nonempty; columns are the bins of the moving image. */
namespace cudaneuro::gpu
{

/** The sum of a voxel's four weights. A weight is rounded by at most half of one part in a million. */
constexpr unsigned int weightUnit = 1u << 20;
/** The number of voxels that may be added to one element of 32 bits: no weight is more than 2/3. */
constexpr int voxelsOfElement = 6000;

CUDANEURO_HOST_DEVICE int
HistogramRows(int bins)
{
  return bins - 2 * histogramPadding;
}

CUDANEURO_HOST_DEVICE int
HistogramElements(int bins)
{
  return HistogramRows(bins) * bins;
}

/** Computes HistogramBin without slow conversions. */
struct MovingBin
{
  unsigned int bits; // of the bin plus roundingShift
  float        fraction;

  __device__
  MovingBin(float intensity, int bins)
  {
    const float least = roundingShift + static_cast<float>(histogramPadding);
    const float most = roundingShift + static_cast<float>(bins - histogramPadding - 1);
    const float shifted = Bounded(__fadd_rd(intensity, roundingShift), least, most);
    bits = __float_as_uint(shifted);
    fraction = intensity - (shifted - roundingShift);
  }

  /** Returns the number of the bin among those that can be the second one of a voxel. */
  __device__ unsigned int
  Second() const
  {
    return bits - (0x4B400000u + histogramPadding);
  }
};

/** Returns \p part times \p of, a number below 2^22, rounded to an integer: the sum has no bits for a fraction. */
__device__ __forceinline__ unsigned int
WholePart(float part, float of)
{
  return __float_as_uint(fmaf(part, of, roundingShift)) - 0x4B400000u;
}

/** The four weights of CubicWeights in units of 1 / weightUnit; their sum is exactly \p unit, the voxel's weight. */
struct WholeWeights
{
  unsigned int weight[4];

  __device__ explicit WholeWeights(float fraction, unsigned int unit = weightUnit)
  {
    const ParzenWeights weights = CubicWeights(fraction);
    const auto          scale = static_cast<float>(unit);
    weight[0] = WholePart(weights.weight[0], scale);
    weight[1] = WholePart(weights.weight[1], scale);
    weight[3] = WholePart(weights.weight[3], scale);
    weight[2] = unit - weight[0] - weight[1] - weight[3];
  }
};

/** A block's histogram in shared memory, in several copies, among which lanes alternate: neighboring voxels often have
 * the same bins, and additions to one address wait for each other. The copies of an element are adjacent in
 * memory. */
template <int VCopies>
class SharedHistogram
{
public:
  __device__
  SharedHistogram(float4 * memory, int bins)
    : m_Elements(reinterpret_cast<unsigned int *>(memory))
    , m_Bins(bins)
    , m_Lane(static_cast<unsigned int>(__cvta_generic_to_shared(m_Elements + threadIdx.x % VCopies)) -
             firstBits * bytesOfElement)
  {
    // Without this, compilers recompute it for each voxel.
    asm volatile("" : "+r"(m_Lane));
  }

  __device__ void
  Clear() const
  {
    static_assert(VCopies % 4 == 0);
    const int quads = HistogramElements(m_Bins) * (VCopies / 4);
    for (int i = static_cast<int>(threadIdx.x); i < quads; i += static_cast<int>(blockDim.x))
    {
      reinterpret_cast<uint4 *>(m_Elements)[i] = make_uint4(0u, 0u, 0u, 0u);
    }
  }

  __device__ void
  Add(unsigned int row, float intensity) const
  {
    const MovingBin bin(intensity, m_Bins);
    this->Add(row, bin, WholeWeights(bin.fraction));
  }

  /** Adds a voxel of weight \p weight, 0 to 1. A voxel of almost no weight is omitted: its third window's weight would
   * be smaller than the rounding errors of the others. */
  __device__ void
  Add(unsigned int row, float intensity, float weight) const
  {
    constexpr unsigned int fewParts = 64;
    const unsigned int     unit = WholePart(weight, static_cast<float>(weightUnit));
    if (unit >= fewParts)
    {
      const MovingBin bin(intensity, m_Bins);
      this->Add(row, bin, WholeWeights(bin.fraction, unit));
    }
  }

  /** Returns the sum of an element's copies. Threads start with different copies, so that they read different banks. */
  __device__ std::uint64_t
             Element(int element) const
  {
    std::uint64_t sum = 0;
    const int     begin = element * VCopies / lanesOfTile;
#pragma unroll
    for (int i = 0; i < VCopies; ++i)
    {
      sum += m_Elements[element * VCopies + (begin + i) % VCopies];
    }
    return sum;
  }

private:
  __device__ __forceinline__ void
  Add(unsigned int row, const MovingBin & bin, const WholeWeights & whole) const
  {
    const unsigned int at = m_Lane + (row * static_cast<unsigned int>(m_Bins) + bin.bits) * bytesOfElement;
    AddTo<0>(at, whole.weight[0]);
    AddTo<1>(at, whole.weight[1]);
    AddTo<2>(at, whole.weight[2]);
    AddTo<3>(at, whole.weight[3]);
  }

  /** The number of bytes of an element in all copies. */
  static constexpr unsigned int bytesOfElement = VCopies * sizeof(unsigned int);
  /** The bits of the MovingBin whose first element is a row's first: the first of the four bins is the one before the
   * MovingBin. */
  static constexpr unsigned int firstBits = 0x4B400000u + 1u;

  /** Adds to the element \p VElement elements after an address in shared memory, which 32 bits can hold. */
  template <int VElement>
  __device__ __forceinline__ static void
  AddTo(unsigned int address, unsigned int weight)
  {
    asm volatile("red.shared.add.u32 [%0 + %1], %2;" ::"r"(address), "n"(VElement * bytesOfElement), "r"(weight)
                 : "memory");
  }

  unsigned int * m_Elements;
  int            m_Bins;
  unsigned int   m_Lane; // address of element 0 of the lane's copy, minus firstBits elements
};

} // namespace cudaneuro::gpu

#endif
