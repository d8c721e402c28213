// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_WarpFormulas_h
#define cudaneuro_fields_WarpFormulas_h

#include "cudaneuro/DisplacementField.h"
#include "fields/IndexPosition.h"

/** Values of an image between its voxels, for both compilers. */
namespace cudaneuro
{

struct WarpSource
{
  Extent                extent;
  const float *         volume = nullptr;
  const unsigned char * mask = nullptr; // read only where VMasked
};

/** Linear interpolation between two values. A value of weight 0 is left out, as it may not be finite. */
CUDANEURO_HOST_DEVICE float
BetweenWeighted(float fraction, float lower, float upper)
{
  return fraction > 0.0f ? SampleCell::Along(fraction, lower, upper) : lower;
}

template <typename TIndex>
CUDANEURO_HOST_DEVICE float
InterpolateWeighted(const SampleCellOf<TIndex> & cell, const float * volume)
{
  float rows[4];
  for (int row = 0; row < 4; ++row)
  {
    const float * const values = volume + cell.rows[row];
    rows[row] = BetweenWeighted(cell.x.fraction, values[cell.x.lower], values[cell.x.upper]);
  }
  return BetweenWeighted(cell.z.fraction,
                         BetweenWeighted(cell.y.fraction, rows[0], rows[1]),
                         BetweenWeighted(cell.y.fraction, rows[2], rows[3]));
}

/** Sums over the voxels of a cell that are inside the mask. */
struct MaskedSum
{
  float value = 0.0f;
  float weight = 0.0f;

  template <typename TIndex>
  CUDANEURO_HOST_DEVICE void
  Add(float weightOfVoxel, const WarpSource & source, TIndex voxel)
  {
    const bool counts = source.mask[voxel] != 0 && weightOfVoxel > 0.0f;
    value += counts ? weightOfVoxel * source.volume[voxel] : 0.0f;
    weight += counts ? weightOfVoxel : 0.0f;
  }

  template <typename TIndex>
  CUDANEURO_HOST_DEVICE void
  AddRow(float weightOfRow, const WarpSource & source, TIndex row, const SamplePair & x)
  {
    Add(weightOfRow * (1.0f - x.fraction), source, row + x.lower);
    Add(weightOfRow * x.fraction, source, row + x.upper);
  }
};

/** Linear interpolation of the voxels inside the mask. \returns whether there are any */
template <typename TIndex>
CUDANEURO_HOST_DEVICE bool
MaskedLinear(const WarpSource & source, const SplitPosition & position, float & value)
{
  const SampleCellOf<TIndex> cell(position, source.extent);
  MaskedSum                  sum;
  sum.AddRow((1.0f - cell.y.fraction) * (1.0f - cell.z.fraction), source, cell.rows[0], cell.x);
  sum.AddRow(cell.y.fraction * (1.0f - cell.z.fraction), source, cell.rows[1], cell.x);
  sum.AddRow((1.0f - cell.y.fraction) * cell.z.fraction, source, cell.rows[2], cell.x);
  sum.AddRow(cell.y.fraction * cell.z.fraction, source, cell.rows[3], cell.x);
  value = sum.value / sum.weight;
  return sum.weight > 0.0f;
}

/** The nearer of two voxels; halves are rounded up, as in itk::NearestNeighborInterpolateImageFunction. */
CUDANEURO_HOST_DEVICE int
NearestOf(const SamplePair & pair)
{
  return pair.fraction >= 0.5f ? pair.upper : pair.lower;
}

template <typename TIndex>
CUDANEURO_HOST_DEVICE TIndex
NearestVoxel(const SplitPosition & position, const Extent & extent)
{
  const int x = NearestOf(SamplePairAt<TIndex>(position.x, position.restX, extent.x));
  const int y = NearestOf(SamplePairAt<TIndex>(position.y, position.restY, extent.y));
  const int z = NearestOf(SamplePairAt<TIndex>(position.z, position.restZ, extent.z));
  return (static_cast<TIndex>(z) * extent.y + y) * extent.x + x;
}

/** The value at a position. \returns whether there is one */
template <Interpolation VInterpolation, bool VMasked, typename TIndex>
CUDANEURO_HOST_DEVICE bool
SampleAt(const WarpSource & source, const SplitPosition & position, float & value)
{
  const bool isInside = IsInside(position, source.extent);
  if constexpr (VInterpolation == Interpolation::Nearest)
  {
    const auto voxel = NearestVoxel<TIndex>(position, source.extent);
    value = source.volume[voxel];
    return isInside && (!VMasked || source.mask[voxel] != 0);
  }
  else if constexpr (VMasked)
  {
    const bool hasValue = MaskedLinear<TIndex>(source, position, value);
    return isInside && hasValue;
  }
  else
  {
    value = InterpolateWeighted(SampleCellOf<TIndex>(position, source.extent), source.volume);
    return isInside;
  }
}

} // namespace cudaneuro

#endif
