// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_PackFixedKernel_cuh
#define cudaneuro_metrics_PackFixedKernel_cuh

#include "cuda/GpuContext.h"
#include "metrics/ColumnVoxels.cuh"
#include "metrics/ComparisonFormulas.h"
#include "metrics/MetricEvaluator.h"
#include "metrics/MutualInformationFormulas.h"
#include "metrics/correlation/WeightUnits.h"

#include <algorithm>

namespace cudaneuro::gpu
{

/** Four voxels of a column as rows of the joint histogram, counted from the first row that can be nonempty; the first
 * voxel is in the lowest byte. */
struct PackOfRows
{
  static constexpr unsigned int nothing = 0xffu;

  unsigned int rows = 0xffffffffu;

  __device__ unsigned int
  Value(int voxel) const
  {
    return (rows >> (8 * voxel)) & nothing;
  }
  __device__ bool
  Has(int voxel) const
  {
    return this->Value(voxel) != nothing;
  }
  __device__ bool
  IsEmpty() const
  {
    return rows == 0xffffffffu;
  }
  __device__ void
  Set(int voxel, float intensity, unsigned int, int bins)
  {
    const auto row = static_cast<unsigned int>(HistogramBin(intensity, bins) - histogramPadding);
    rows = (rows & ~(nothing << (8 * voxel))) | row << (8 * voxel);
  }
};

/** A row of the joint histogram, and a weight. */
struct WeightedRow
{
  unsigned int row;
  unsigned int weight; // in the units of ImageComparison::fixedWeights

  __device__ float
  Weight() const
  {
    return static_cast<float>(weight) * weightPerUnit;
  }
};

/** The same with weights; the weight of the first voxel is in the lowest byte. */
struct PackOfWeightedRows
{
  PackOfRows   rows;
  unsigned int weights = 0;

  __device__ WeightedRow
  Value(int voxel) const
  {
    return { rows.Value(voxel), (weights >> (8 * voxel)) & 0xffu };
  }
  __device__ bool
  Has(int voxel) const
  {
    return rows.Has(voxel);
  }
  __device__ bool
  IsEmpty() const
  {
    return rows.IsEmpty();
  }
  __device__ void
  Set(int voxel, float intensity, unsigned int weight, int bins)
  {
    rows.Set(voxel, intensity, weight, bins);
    weights |= weight << (8 * voxel);
  }
};

/** Four voxels of a column; NaN for excluded voxels. */
struct PackOfValues
{
  float4 values{ NAN, NAN, NAN, NAN };

  __device__ float
  Value(int voxel) const
  {
    return voxel == 0 ? values.x : (voxel == 1 ? values.y : (voxel == 2 ? values.z : values.w));
  }
  __device__ bool
  Has(int voxel) const
  {
    return !isnan(this->Value(voxel));
  }
  __device__ bool
  IsEmpty() const
  {
    return isnan(values.x) && isnan(values.y) && isnan(values.z) && isnan(values.w);
  }
  __device__ void
  Set(int voxel, float intensity, unsigned int, int)
  {
    (voxel == 0 ? values.x : (voxel == 1 ? values.y : (voxel == 2 ? values.z : values.w))) = intensity;
  }
};

constexpr int packThreads = 256;

/** Distances in the fixed image's memory between neighbors, in an order of its axes. */
struct FixedStrides
{
  std::int64_t x;
  std::int64_t y;
  std::int64_t z;

  FixedStrides(const Extent & extent, int order)
  {
    const std::int64_t       strides[3] = { 1, extent.x, std::int64_t{ extent.x } * extent.y };
    const std::array<int, 3> axes = OrderedAxes(extent, order);
    x = strides[axes[0]];
    y = strides[axes[1]];
    z = strides[axes[2]];
  }
};

/** Reads the fixed image, its mask and weights, which may be null, and writes them in the order of the columns; one
 * pack per thread. Voxels outside the grid, outside the mask or of weight 0 are excluded. \param bins is for packs
 * of rows. */
template <typename TPack>
__global__ void
PackFixedKernel(const MetricColumns   columns,
                const FixedStrides    strides,
                const float *         fixed,
                const unsigned char * mask,
                const unsigned char * weights,
                int                   bins,
                TPack *               packs)
{
  const std::int64_t i = std::int64_t{ blockIdx.x } * packThreads + threadIdx.x;
  const auto         packOfTile = static_cast<int>(i / lanesOfTile);
  const int          tile = packOfTile / columns.packs;
  if (tile >= columns.tiles)
  {
    return;
  }
  ColumnStart start = StartOfColumn(columns, tile, static_cast<int>(threadIdx.x) % lanesOfTile);
  start.z += (packOfTile - tile * columns.packs) * voxelsOfPack;
  TPack pack;
#pragma unroll
  for (int voxel = 0; voxel < voxelsOfPack; ++voxel)
  {
    const int z = start.z + voxel;
    if (start.x < columns.extentX && start.y < columns.extentY && z < columns.extentZ)
    {
      const std::int64_t at = z * strides.z + start.y * strides.y + start.x * strides.x;
      const unsigned int weight = weights != nullptr ? weights[at] : 255u;
      if ((mask == nullptr || mask[at] != 0) && weight != 0)
      {
        pack.Set(voxel, fixed[at], weight, bins);
      }
    }
  }
  packs[i] = pack;
}

/** The copies of the fixed image in the orders that maps have. */
template <typename TPack>
class FixedCopies
{
public:
  /** \param width and packs as in ColumnsOf; bins is for PackOfRows. */
  FixedCopies(const ImageComparison & comparison, int bins, int width = 0, int packs = 0)
    : m_Comparison(comparison)
    , m_Bins(bins)
  {
    for (int order = 0; order < numberOfOrders; ++order)
    {
      m_Columns[order] = ColumnsOf(OrderedExtent(comparison.fixedExtent, order), width, packs);
    }
  }

  /** Makes the copy of an order if it does not exist. */
  void
  Make(const GpuContext & gpu, int order)
  {
    if (m_IsMade[order])
    {
      return;
    }
    const MetricColumns & columns = m_Columns[order];
    const std::size_t     count = columns.NumberOfPacks();
    m_Packs[order] = gpu.AllocateArray<TPack>(count);
    const auto         blocks = static_cast<unsigned int>(DivideUp(count, std::size_t{ packThreads }));
    const FixedStrides strides(m_Comparison.fixedExtent, order);
    PackFixedKernel<<<blocks, packThreads, 0, gpu.ComputeStream()>>>(columns,
                                                                     strides,
                                                                     m_Comparison.fixed,
                                                                     m_Comparison.fixedMask,
                                                                     m_Comparison.fixedWeights,
                                                                     m_Bins,
                                                                     m_Packs[order].Data());
    CUDANEURO_CUDA_LAUNCHED("PackFixedKernel");
    m_IsMade[order] = true;
  }

  ComparedImages<TPack>
  With(const MovingImage & moving) const
  {
    ComparedImages<TPack> images;
    for (int order = 0; order < numberOfOrders; ++order)
    {
      images.fixed[order] = { m_Columns[order], m_Packs[order].Data() };
    }
    images.moving = moving;
    return images;
  }

  /** Returns the largest number of tiles of an order. */
  int
  Tiles() const
  {
    return std::max({ m_Columns[0].tiles, m_Columns[1].tiles, m_Columns[2].tiles });
  }
  int
  VoxelsOfColumn() const
  {
    return m_Columns[0].VoxelsOfColumn();
  }

private:
  ImageComparison     m_Comparison;
  int                 m_Bins;
  MetricColumns       m_Columns[numberOfOrders];
  DeviceBuffer<TPack> m_Packs[numberOfOrders];
  bool                m_IsMade[numberOfOrders] = {};
};

} // namespace cudaneuro::gpu

#endif
