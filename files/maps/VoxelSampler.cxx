// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/maps/VoxelSampler.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro::files
{

namespace
{

/** Indices within this distance, in voxels, of an integer are rounded to it, because products of matrices round shifts
 * by whole voxels. */
constexpr double rounding = 1e-9;

constexpr double pi = 3.14159265358979323846;

double
Sinc(double x)
{
  return x == 0.0 ? 1.0 : std::sin(pi * x) / (pi * x);
}

/** Returns the index on the grid of an index beyond its ends, where the grid is mirrored. */
std::int64_t
Mirrored(std::int64_t place, std::int64_t length)
{
  if (length == 1)
  {
    return 0;
  }
  const std::int64_t period = 2 * (length - 1);
  const std::int64_t inside = (place % period + period) % period;
  return std::min(inside, period - inside);
}

std::int64_t
Clamped(std::int64_t place, std::int64_t length)
{
  return std::clamp<std::int64_t>(place, 0, length - 1);
}

void
Add(AxisTaps & taps, std::int64_t place, std::int64_t stride, double weight)
{
  if (weight != 0.0)
  {
    taps.steps[static_cast<std::size_t>(taps.count)] = place * stride;
    taps.weights[static_cast<std::size_t>(taps.count)] = weight;
    ++taps.count;
  }
}

void
AddCubic(AxisTaps & taps, std::int64_t base, double f, std::int64_t length, std::int64_t stride)
{
  const double g = 1.0 - f;
  const double weights[] = { g * g * g / 6.0,
                             (4.0 - 6.0 * f * f + 3.0 * f * f * f) / 6.0,
                             (4.0 - 6.0 * g * g + 3.0 * g * g * g) / 6.0,
                             f * f * f / 6.0 };
  for (int i = 0; i < 4; ++i)
  {
    Add(taps, Mirrored(base - 1 + i, length), stride, weights[i]);
  }
}

void
AddSinc(AxisTaps & taps, std::int64_t base, double f, std::int64_t length, std::int64_t stride)
{
  constexpr int radius = 3;
  double        sum = 0.0;
  for (int i = 1 - radius; i <= radius; ++i)
  {
    const double distance = f - i;
    const double weight = Sinc(distance) * Sinc(distance / radius);
    sum += weight;
    Add(taps, Clamped(base + i, length), stride, weight);
  }
  // Otherwise a constant image would have ripples of 1 %.
  std::for_each_n(taps.weights.begin(), taps.count, [sum](double & weight) { weight /= sum; });
}

/** Returns the sum of weighted values over voxels whose weight is not 0. */
template <typename TTaps>
double
SumOf(const double * values, const TTaps & taps, std::size_t axis = TTaps().size() - 1)
{
  double sum = 0.0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(taps[axis].count); ++i)
  {
    const double * const there = values + taps[axis].steps[i];
    sum += taps[axis].weights[i] * (axis == 0 ? *there : SumOf(there, taps, axis - 1));
  }
  return sum;
}

/** Replaces the values along a line by coefficients of a cubic spline, by the two recursive filters of Unser 1999, with
 * mirrored ends. */
void
FilterLine(double * line, std::int64_t length, std::int64_t stride)
{
  static const double pole = std::sqrt(3.0) - 2.0;
  constexpr int       horizon = 30; // the pole to this power is below the precision of double
  const auto          at = [=](std::int64_t i) -> double & { return line[i * stride]; };
  double              first = 0.0;
  double              power = 1.0;
  for (std::int64_t i = 0; i < horizon; ++i, power *= pole)
  {
    first += power * at(Mirrored(i, length));
  }
  constexpr double gain = 6.0;
  at(0) = gain * first;
  for (std::int64_t i = 1; i < length; ++i)
  {
    at(i) = gain * at(i) + pole * at(i - 1);
  }
  at(length - 1) = pole / (pole * pole - 1.0) * (pole * at(length - 2) + at(length - 1));
  for (std::int64_t i = length - 1; i-- > 0;)
  {
    at(i) = pole * (at(i + 1) - at(i));
  }
}

template <unsigned int VDimension>
void
FilterLines(double * values, const itk::Size<VDimension> & size, cudaneuro::Context & context)
{
  std::int64_t count = 1;
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    count *= static_cast<std::int64_t>(size[axis]);
  }
  std::int64_t stride = 1;
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    const auto length = static_cast<std::int64_t>(size[axis]);
    if (length > 1)
    {
      context.ParallelFor(count / length, [=](std::int64_t line) {
        FilterLine(values + line / stride * stride * length + line % stride, length, stride);
      });
    }
    stride *= length;
  }
}

/** Replaces voxels that are not finite by the finite one before them in their row, or else after them, so that
 * they do not spread by wide kernels. */
void
FillRow(double * row, std::size_t length)
{
  double * const       end = row + length;
  const auto           isFinite = [](double value) { return std::isfinite(value); };
  const double * const found = std::find_if(row, end, isFinite);
  double               last = found == end ? 0.0 : *found;
  for (double * at = row; at != end; ++at)
  {
    last = isFinite(*at) ? *at : last;
    *at = last;
  }
}

/** Returns the voxels at a continuous index along an axis. */
AxisTaps
AxisTapsAt(Interpolation interpolation, double place, std::int64_t length, std::int64_t stride)
{
  const double floor = std::floor(place);
  const double f = place - floor;
  const auto   base = static_cast<std::int64_t>(floor);
  AxisTaps     taps;
  if (interpolation == Interpolation::Nearest)
  {
    Add(taps, Clamped(static_cast<std::int64_t>(std::floor(place + 0.5)), length), stride, 1.0);
  }
  else if (interpolation == Interpolation::CubicBSpline)
  {
    AddCubic(taps, base, f, length, stride);
  }
  else if (interpolation == Interpolation::WindowedSinc && f != 0.0)
  {
    AddSinc(taps, base, f, length, stride);
  }
  else
  {
    Add(taps, Clamped(base, length), stride, 1.0 - f);
    Add(taps, Clamped(base + 1, length), stride, f);
  }
  return taps;
}

} // namespace

template <unsigned int VDimension>
bool
FindPlace(const itk::ImageBase<VDimension> & grid, const double * point, VoxelPlace<VDimension> & place)
{
  itk::ContinuousIndex<double, VDimension> index;
  grid.TransformPhysicalPointToContinuousIndex(itk::Point<double, VDimension>(point), index);
  const auto & region = grid.GetLargestPossibleRegion();
  bool         isInside = true;
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    const double nearest = std::round(index[axis]);
    const double offset = static_cast<double>(region.GetIndex(axis));
    place[axis] = (std::abs(index[axis] - nearest) < rounding ? nearest : index[axis]) - offset;
    // With these comparisons NaN is outside.
    isInside = isInside && place[axis] >= -0.5 && place[axis] < static_cast<double>(region.GetSize(axis)) - 0.5;
  }
  return isInside;
}

template <unsigned int VDimension>
VoxelTaps<VDimension>
TapsAt(Interpolation interpolation, const VoxelPlace<VDimension> & place, const itk::Size<VDimension> & size)
{
  VoxelTaps<VDimension> taps;
  std::int64_t          stride = 1;
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    const auto length = static_cast<std::int64_t>(size[axis]);
    taps[axis] = AxisTapsAt(interpolation, place[axis], length, stride);
    stride *= length;
  }
  return taps;
}

template <unsigned int VDimension>
VoxelSampler<VDimension>::VoxelSampler(const ImageType &    image,
                                       Interpolation        interpolation,
                                       cudaneuro::Context & context)
  : m_Values(image.GetBufferPointer())
  , m_Size(image.GetLargestPossibleRegion().GetSize())
  , m_Interpolation(interpolation)
{
  const std::size_t count = image.GetLargestPossibleRegion().GetNumberOfPixels();
  if (interpolation != Interpolation::CubicBSpline && interpolation != Interpolation::WindowedSinc)
  {
    return;
  }
  m_IsFinite = std::all_of(m_Values, m_Values + count, [](double value) { return std::isfinite(value); });
  if (interpolation == Interpolation::WindowedSinc && m_IsFinite)
  {
    return;
  }
  m_Coefficients.assign(m_Values, m_Values + count);
  for (std::size_t row = 0; row < count && !m_IsFinite; row += m_Size[0])
  {
    FillRow(m_Coefficients.data() + row, m_Size[0]);
  }
  if (interpolation == Interpolation::CubicBSpline)
  {
    FilterLines<VDimension>(m_Coefficients.data(), m_Size, context);
  }
}

template <unsigned int VDimension>
double
VoxelSampler<VDimension>::Sample(const VoxelPlace<VDimension> & place) const
{
  if (!m_IsFinite)
  {
    const double linear = SumOf(m_Values, TapsAt<VDimension>(Interpolation::Linear, place, m_Size));
    if (!std::isfinite(linear))
    {
      return linear;
    }
  }
  return SumOf(m_Coefficients.empty() ? m_Values : m_Coefficients.data(),
               TapsAt<VDimension>(m_Interpolation, place, m_Size));
}

template <unsigned int VDimension>
std::int64_t
LabelOfMostWeight(const std::int64_t * labels, const Segmentation & segmentation, const VoxelTaps<VDimension> & taps)
{
  // All corners of the cell, with their weights.
  std::array<std::int64_t, 1 << VDimension> corners{};
  std::array<double, 1 << VDimension>       weights{};
  std::size_t                               count = 1;
  weights[0] = 1.0;
  std::array<std::int64_t, 1 << VDimension> steps{};
  for (const AxisTaps & axis : taps)
  {
    const std::size_t before = count;
    for (std::size_t i = static_cast<std::size_t>(axis.count); i-- > 0;)
    {
      for (std::size_t corner = 0; corner < before; ++corner)
      {
        steps[i * before + corner] = steps[corner] + axis.steps[i];
        weights[i * before + corner] = weights[corner] * axis.weights[i];
      }
    }
    count = before * static_cast<std::size_t>(axis.count);
  }
  std::transform(
    steps.begin(), steps.begin() + count, corners.begin(), [&](std::int64_t step) { return labels[step]; });
  std::int64_t result = 0;
  for (std::size_t layer = 0; layer < segmentation.GetLayers(); ++layer)
  {
    std::int64_t best = 0;
    double       most = -1.0;
    for (std::size_t i = 0; i < count; ++i)
    {
      const std::int64_t label = segmentation.LabelIn(corners[i], layer);
      double             weight = 0.0;
      for (std::size_t k = 0; k < count; ++k)
      {
        weight += segmentation.LabelIn(corners[k], layer) == label ? weights[k] : 0.0;
      }
      // The tolerance keeps rounded halves equal.
      if (weight > most + rounding || (weight > most - rounding && label < best))
      {
        best = label;
        most = weight;
      }
    }
    result = segmentation.GetLayers() == 1
               ? best
               : static_cast<std::int64_t>(static_cast<std::uint64_t>(result) | static_cast<std::uint64_t>(best)
                                                                                  << (layer * segmentation.GetBits()));
  }
  return result;
}

#define INSTANTIATE(VDimension) \
  template bool FindPlace<VDimension>(const itk::ImageBase<VDimension> &, const double *, VoxelPlace<VDimension> &); \
  template VoxelTaps<VDimension> TapsAt<VDimension>( \
    Interpolation, const VoxelPlace<VDimension> &, const itk::Size<VDimension> &); \
  template class VoxelSampler<VDimension>; \
  template std::int64_t LabelOfMostWeight<VDimension>( \
    const std::int64_t *, const Segmentation &, const VoxelTaps<VDimension> &)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE

} // namespace cudaneuro::files
