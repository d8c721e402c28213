// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/NoiseEstimate.h"

#include "core/Dispatch.h"
#include "core/ParameterChecks.h"
#include "cudaneuro/NoiseEstimate.h"
#include "images/NoiseEstimateFormulas.h"
#include "images/ReferenceIntensity.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace cudaneuro
{
namespace
{

/** A whole volume in host memory as float, with NaN where a voxel takes no part. */
std::vector<float>
ReadVoxels(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask)
{
  const float        limit = SampleIntensities(context, grid, input, mask).limit;
  const auto         count = static_cast<std::size_t>(grid.NumberOfVoxels());
  std::vector<float> values(count);
  CopyVolume(context, grid, input, { values.data() });
  std::vector<unsigned char> isInside(mask.data == nullptr ? 0 : count);
  if (!isInside.empty())
  {
    CopyVolume(context, grid, mask, { isInside.data(), PixelType::UnsignedChar });
  }
  for (std::size_t i = 0; i < count; ++i)
  {
    const bool takesPart = IsWithinNoiseLimit(values[i], limit) && (isInside.empty() || isInside[i] != 0);
    values[i] = takesPart ? values[i] : std::numeric_limits<float>::quiet_NaN();
  }
  return values;
}

/** Adds the two planes along an axis of two voxels. The sum over the root of 2 has as much noise as a plane. */
std::vector<float>
AddPlanes(const Grid & grid, int axis, const std::vector<float> & values)
{
  constexpr float inverseRoot = 0.70710678f;
  const auto      stride = static_cast<std::size_t>(axis == 0 ? 1 : axis == 1 ? grid.size[0] : grid.VoxelsPerPlane());
  std::vector<float> sums;
  sums.reserve(values.size() / 2);
  for (std::size_t begin = 0; begin < values.size(); begin += 2 * stride)
  {
    for (std::size_t i = begin; i < begin + stride; ++i)
    {
      sums.push_back(inverseRoot * values[i] + inverseRoot * values[i + stride]);
    }
  }
  return sums;
}

/** The estimate where an axis has two voxels, none of which has two neighbors on it. */
double
EstimateFromSums(Context & context, const Grid & grid, int axis, const ConstVolume & input, const ConstVolume & mask)
{
  const std::vector<float> sums = AddPlanes(grid, axis, ReadVoxels(context, grid, input, mask));
  Grid                     plane = grid;
  plane.size[axis] = 1;
  return EstimateNoiseSigma(context, plane, { sums.data() }, {});
}

} // namespace

double
EstimateNoiseSigma(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask)
{
  RequireGrid(grid);
  RequireVolume("input", context, input);
  RequireMask(context, mask);
  const auto two = std::find(grid.size.begin(), grid.size.end(), 2);
  if (two != grid.size.end())
  {
    return EstimateFromSums(context, grid, static_cast<int>(two - grid.size.begin()), input, mask);
  }
  CUDANEURO_DISPATCH(context, EstimateNoiseSigma(context, grid, input, mask));
}

} // namespace cudaneuro
