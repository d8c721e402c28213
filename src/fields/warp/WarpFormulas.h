// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_warp_WarpFormulas_h
#define cudaneuro_fields_warp_WarpFormulas_h

#include "cudaneuro/DisplacementField.h"
#include "fields/FieldConversionFormulas.h"
#include "fields/IndexPosition.h"
#include "fields/warp/WideInterpolation.h"

/** Values of an image between its voxels, for both compilers. */
namespace cudaneuro
{

struct WarpSource
{
  Extent                extent;
  const float *         volume = nullptr;
  const unsigned char * mask = nullptr; // read only with VMasked
  /** The arrays of SplineCoefficients, for cubic B-splines. */
  const float * coefficients = nullptr;
  const int *   hasNotFinite = nullptr;
};

/** The map from voxels of the output to positions in the input. */
struct WarpMap
{
  IndexTransform transform;
  ConstSoAField  field; // null pointers if there is none
  FieldVectors   vectors;
};

/** Returns the displacement of a voxel of the output: in mm if there are vectors, else in voxels along the axes. */
template <typename TIndex>
CUDANEURO_HOST_DEVICE Displacement
DisplacementAt(const WarpMap & map, TIndex index)
{
  const FieldVectors & vectors = map.vectors;
  if (vectors.data && vectors.components == 2)
  {
    const float * const vector = vectors.data + static_cast<std::size_t>(index) * 2;
    return { vector[0], vector[1], 0.0f };
  }
  if (vectors.data)
  {
    const float * const vector = vectors.data + static_cast<std::size_t>(index) * 3;
    return { vector[0], vector[1], vector[2] };
  }
  return map.field.x ? Displacement{ map.field.x[index], map.field.y[index], map.field.z[index] } : Displacement{};
}

/** Returns the position of a voxel \p plane planes after one that is mapped to \p base without a field. */
CUDANEURO_HOST_DEVICE SplitPosition
MovedByVector(const WarpMap & map, const SplitPosition & base, const Displacement & vector, int plane)
{
  const float * const step = map.transform.linear;
  const auto          planes = static_cast<float>(plane);
  // This order of additions needs four instructions a row.
  const auto moved = [&](const float * row, float rest) {
    return row[0] * vector.x + (row[1] * vector.y + (row[2] * vector.z + rest));
  };
  const float * const m = map.vectors.matrix.m;
  return { base.x,
           base.y,
           base.z,
           moved(m, step[2] * planes + base.restX),
           moved(m + 3, step[5] * planes + base.restY),
           moved(m + 6, step[8] * planes + base.restZ) };
}

CUDANEURO_HOST_DEVICE SplitPosition
MovedByVoxels(const WarpMap & map, const SplitPosition & base, const Displacement & voxels, int plane)
{
  return Moved(map.transform, base, voxels.x, voxels.y, voxels.z + static_cast<float>(plane));
}

CUDANEURO_HOST_DEVICE SplitPosition
MovedPosition(const WarpMap & map, const SplitPosition & base, const Displacement & displacement, int plane)
{
  return map.vectors.data ? MovedByVector(map, base, displacement, plane)
                          : MovedByVoxels(map, base, displacement, plane);
}

/** Returns the linear interpolation of two values. A value of weight 0 is excluded, because it may not be finite. */
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

/** Sums over those voxels of a cell that are inside the mask. */
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

/** Interpolates linearly between the voxels inside the mask. \returns whether there are any */
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

/** Returns the nearer of two voxels; halves are rounded up, as in itk::NearestNeighborInterpolateImageFunction. */
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

/** Returns whether a label replaces the best one so far: it has more weight, or equal weight and a smaller value. */
CUDANEURO_HOST_DEVICE bool
IsBetterLabel(float weight, float label, float most, float best)
{
  // Within this tolerance weights count as equal, so that rounding does not decide between halves.
  constexpr float rounding = 1e-5f;
  const bool      isFirst = (most == 0.0f) & (weight > 0.0f);
  // There are no branches, so that compilers vectorize loops.
  return (weight > most + rounding) | ((weight > most - rounding) & (label < best)) | isFirst;
}

/** Finds the label with the largest weight of linear interpolation, and the smallest of several such labels. Voxels
 * outside the mask, and NaN, have no weight. \returns whether any voxel has weight */
template <bool VMasked, typename TIndex>
CUDANEURO_HOST_DEVICE bool
LabelOfMostWeight(const WarpSource & source, const SplitPosition & position, float & label)
{
  const SampleCellOf<TIndex> cell(position, source.extent);
  float                      labels[8];
  float                      weights[8];
  for (int i = 0; i < 8; ++i)
  {
    const TIndex voxel = cell.rows[i / 2] + (i % 2 == 0 ? cell.x.lower : cell.x.upper);
    const float  weightX = i % 2 == 0 ? 1.0f - cell.x.fraction : cell.x.fraction;
    const float  weightY = i / 2 % 2 == 0 ? 1.0f - cell.y.fraction : cell.y.fraction;
    const float  weightZ = i / 4 == 0 ? 1.0f - cell.z.fraction : cell.z.fraction;
    labels[i] = source.volume[voxel];
    const bool counts = labels[i] == labels[i] && (!VMasked || source.mask[voxel] != 0);
    weights[i] = counts ? weightX * weightY * weightZ : 0.0f;
  }
  float most = 0.0f;
  label = 0.0f;
  for (int i = 0; i < 8; ++i)
  {
    float weight = 0.0f;
    for (int k = 0; k < 8; ++k)
    {
      weight += labels[k] == labels[i] ? weights[k] : 0.0f;
    }
    if (weights[i] > 0.0f && IsBetterLabel(weight, labels[i], most, label))
    {
      most = weight;
      label = labels[i];
    }
  }
  return most > 0.0f;
}

/** Returns the cubic B-spline at a position on the grid, or linear interpolation if that is not finite. */
template <typename TIndex>
CUDANEURO_HOST_DEVICE float
CubicBSplineAt(const WarpSource & source, const SplitPosition & position)
{
  if (*source.hasNotFinite != 0)
  {
    const float linear = InterpolateWeighted(SampleCellOf<TIndex>(position, source.extent), source.volume);
    if (!IsFinite(linear))
    {
      return linear;
    }
  }
  return WideSum<CubicBSplineKind, TIndex>(source.coefficients, source.extent, WideCell::At<TIndex>(position));
}

/** Returns the windowed sinc at a position on the grid, or linear interpolation if that is not finite; other voxels
 * that are not finite are replaced by FiniteValue. */
template <typename TIndex>
CUDANEURO_HOST_DEVICE float
WindowedSincAt(const WarpSource & source, const SplitPosition & position)
{
  const WideCell cell = WideCell::At<TIndex>(position);
  const float    sum = WideSum<WindowedSincKind, TIndex>(source.volume, source.extent, cell);
  if (IsFinite(sum))
  {
    return sum;
  }
  const float linear = InterpolateWeighted(SampleCellOf<TIndex>(position, source.extent), source.volume);
  const int   length = source.extent.x;
  return IsFinite(linear) ? SumAnywhere<WindowedSincKind, TIndex>(
                              source.volume,
                              source.extent,
                              cell,
                              [length](const float * row, int x) { return FiniteValue(row, x, length); })
                          : linear;
}

/** Computes the value at a position. \returns whether there is one */
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
  else if constexpr (VInterpolation == Interpolation::Label)
  {
    return isInside && LabelOfMostWeight<VMasked, TIndex>(source, position, value);
  }
  else if constexpr (VInterpolation == Interpolation::CubicBSpline || VInterpolation == Interpolation::WindowedSinc)
  {
    static_assert(!VMasked);
    if (isInside)
    {
      value = VInterpolation == Interpolation::CubicBSpline ? CubicBSplineAt<TIndex>(source, position)
                                                            : WindowedSincAt<TIndex>(source, position);
    }
    return isInside;
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
