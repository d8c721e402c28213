// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/FigureSlice.h"

#include <algorithm>
#include <cmath>

namespace
{

/** The row of the direction that is largest in a column: the axis of space to which an axis of the grid is nearest. */
std::size_t
NearestAxis(const cudaneuro::Geometry & geometry, std::size_t column)
{
  std::size_t nearest = 0;
  for (std::size_t row = 1; row < 3; ++row)
  {
    if (std::abs(geometry.direction[3 * row + column]) > std::abs(geometry.direction[3 * nearest + column]))
    {
      nearest = row;
    }
  }
  return nearest;
}

FigureSlice
GetMiddleSlice(const cudaneuro::Geometry & geometry, const float * voxels, std::size_t across)
{
  std::size_t horizontal = across == 0 ? 1 : 0;
  std::size_t vertical = across == 2 ? 1 : 2;
  // Seen from the side or the front, heads are up, whatever the order of the axes in the file.
  if (NearestAxis(geometry, horizontal) > NearestAxis(geometry, vertical))
  {
    std::swap(horizontal, vertical);
  }
  const auto isBackwards = [&](std::size_t axis) {
    const std::size_t row = NearestAxis(geometry, axis);
    // In LPS the second axis of space leads to the back, which is at the bottom when it is vertical.
    const bool isPosteriorUp = axis == vertical && row == 1;
    return (geometry.direction[3 * row + axis] < 0.0) != isPosteriorUp;
  };
  const bool                        flipsHorizontal = isBackwards(horizontal);
  const bool                        flipsVertical = isBackwards(vertical);
  const auto &                      size = geometry.grid.size;
  const std::array<std::int64_t, 3> strides{ 1, size[0], size[0] * size[1] };
  FigureSlice                       slice;
  slice.width = static_cast<int>(size[horizontal]);
  slice.height = static_cast<int>(size[vertical]);
  slice.widthInMillimeters = static_cast<double>(size[horizontal]) * geometry.grid.spacing[horizontal];
  slice.heightInMillimeters = static_cast<double>(size[vertical]) * geometry.grid.spacing[vertical];
  slice.values.reserve(static_cast<std::size_t>(size[horizontal] * size[vertical]));
  for (std::int64_t x = 0; x < size[horizontal]; ++x)
  {
    for (std::int64_t y = 0; y < size[vertical]; ++y)
    {
      const std::int64_t i = flipsHorizontal ? size[horizontal] - 1 - x : x;
      const std::int64_t j = flipsVertical ? size[vertical] - 1 - y : y;
      slice.values.push_back(
        voxels[strides[across] * (size[across] / 2) + strides[horizontal] * i + strides[vertical] * j]);
    }
  }
  return slice;
}

} // namespace

std::vector<FigureSlice>
GetMiddleSlices(const cudaneuro::Geometry & geometry, const float * voxels)
{
  std::vector<FigureSlice> slices{ GetMiddleSlice(geometry, voxels, 2) };
  if (geometry.grid.size[2] > 1)
  {
    slices.push_back(GetMiddleSlice(geometry, voxels, 1));
    slices.push_back(GetMiddleSlice(geometry, voxels, 0));
  }
  return slices;
}

std::pair<double, double>
GetWindow(const float * voxels, std::int64_t count)
{
  constexpr double   share = 0.995;
  std::vector<float> values(voxels, voxels + count);
  const auto         at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(count - 1));
  std::nth_element(values.begin(), at, values.end());
  const auto least = static_cast<double>(*std::min_element(values.begin(), at + 1));
  const auto largest = static_cast<double>(*at);
  // A constant image is black.
  return { least, largest > least ? largest : least + 1.0 };
}
