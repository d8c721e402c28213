// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ReferenceIntensity.h"

#include "core/ApproximateMath.h"
#include "core/Dispatch.h"
#include "cudaneuro/Error.h"
#include "images/ReferenceIntensityLattice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace cudaneuro
{
namespace
{

constexpr int fewestPointsPerAxis = 8;

/** As many voxels as make quantiles that one of them cannot move far. */
constexpr std::size_t enoughVoxels = 32;

/** Where the values begin that are codes or errors, as SampleIntensities() says.
 * \param values by magnitude */
std::size_t
FindEndOfOrdinary(const std::vector<float> & values)
{
  constexpr float       jump = 16.0f;
  constexpr std::size_t mostCodes = 4;
  const std::size_t     firstNonzero =
    std::find_if(values.begin(), values.end(), [](float value) { return value != 0.0f; }) - values.begin();
  // From above: how many different values there are from i on.
  std::size_t end = values.size();
  std::size_t numberOfDifferent = 1;
  for (std::size_t i = values.size(); --i > firstNonzero + (values.size() - firstNonzero) / 16;)
  {
    const bool isFew = numberOfDifferent <= mostCodes || values.size() - i <= values.size() / 16;
    if (isFew && std::abs(values[i]) / jump > std::abs(values[i - 1]))
    {
      end = i;
    }
    numberOfDifferent += values[i] != values[i - 1] ? 1 : 0;
  }
  return end;
}

/** \param values of at least one voxel; in another order afterwards */
IntensitySample
SampleFrom(std::vector<float> & values)
{
  // Values of equal magnitude in one order on every machine.
  std::sort(values.begin(), values.end(), [](float a, float b) {
    return std::abs(a) != std::abs(b) ? std::abs(a) < std::abs(b) : a < b;
  });
  values.resize(FindEndOfOrdinary(values));
  const double    largest = std::abs(values.back());
  IntensitySample sample;
  if (largest > 0.0)
  {
    sample.limit = static_cast<float>(std::min<double>(16.0 * largest, std::numeric_limits<float>::max()));
  }
  const std::size_t sixteenth = values.size() / 16;
  const auto        quantile = [&](std::size_t rank) {
    std::nth_element(values.begin(), values.begin() + rank, values.end());
    return values[rank];
  };
  const float lower = quantile(sixteenth);
  const float upper = quantile(values.size() - 1 - sixteenth);
  sample.reference = 0.5f * lower + 0.5f * upper;
  sample.spread = upper - lower;
  return sample;
}

} // namespace

Lattice
MakeLattice(const Grid & grid, int pointsPerAxis)
{
  Lattice lattice{};
  for (int axis = 0; axis < 3; ++axis)
  {
    lattice.size[axis] = grid.size[axis];
    lattice.points[axis] = static_cast<int>(std::min<std::int64_t>(grid.size[axis], pointsPerAxis));
  }
  return lattice;
}

std::vector<float>
ReadLattice(Context & context, const ConstVolume & volume, const Lattice & lattice)
{
  if constexpr (builtWithCuda)
  {
    if (volume.space == MemorySpace::Device)
    {
      return gpu::ReadLattice(context, volume, lattice);
    }
  }
  std::vector<float> values(lattice.NumberOfPoints());
  for (int point = 0; point < lattice.NumberOfPoints(); ++point)
  {
    values[point] = ReadPixel(volume.data, volume.type, lattice.Voxel(point));
  }
  return values;
}

std::vector<float>
SampleVoxels(
  Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask, int pointsPerAxis)
{
  const Lattice      lattice = MakeLattice(grid, pointsPerAxis);
  std::vector<float> values = ReadLattice(context, input, lattice);
  std::vector<float> inMask(values.size(), 1.0f);
  if (mask.data != nullptr)
  {
    inMask = ReadLattice(context, mask, lattice);
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    if (IsFinite(values[i]) && inMask[i] != 0.0f)
    {
      values[count++] = values[i];
    }
  }
  values.resize(count);
  return values;
}

IntensitySample
SampleIntensities(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask)
{
  std::vector<float> values;
  for (int points = fewestPointsPerAxis; points <= mostPointsPerAxis; points *= 2)
  {
    values = SampleVoxels(context, grid, input, mask, points);
    const bool hasAll = points >= *std::max_element(grid.size.begin(), grid.size.end());
    if (values.size() >= enoughVoxels || hasAll)
    {
      break;
    }
  }
  return values.empty() ? IntensitySample() : SampleFrom(values);
}

NegativeVoxels
FindNegativeVoxels(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask)
{
  constexpr float leastDepth = 0.1f;
  constexpr int   leastShare = 20;
  NegativeVoxels  result;
  for (const int points : { 32, mostPointsPerAxis })
  {
    std::vector<float> values = SampleVoxels(context, grid, input, mask, points);
    std::sort(values.begin(), values.end());
    const auto positive = std::upper_bound(values.begin(), values.end(), 0.0f);
    const auto bright = positive + (values.end() - positive) * 15 / 16;
    const auto depth = bright == values.end() ? 0.0f : leastDepth * *bright;
    const auto deep = std::lower_bound(values.begin(), values.end(), -depth) - values.begin();
    result.count = std::lower_bound(values.begin(), values.end(), 0.0f) - values.begin();
    result.lookedAt = static_cast<std::int64_t>(values.size());
    result.areMany = leastShare * deep > result.lookedAt;
    if (!result.areMany)
    {
      break;
    }
  }
  return result;
}

void
RequireMagnitude(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask)
{
  const NegativeVoxels negative = FindNegativeVoxels(context, grid, input, mask);
  if (negative.areMany)
  {
    const bool isAll = *std::max_element(grid.size.begin(), grid.size.end()) <= mostPointsPerAxis;
    throw InvalidParameterError("RicianCorrection is on, but the input has " + std::to_string(negative.count) +
                                " negative voxels of " + std::to_string(negative.lookedAt) +
                                (isAll ? "" : " looked at") +
                                "; a magnitude image has none, and for others it must be off");
  }
}

float
ReferenceIntensity(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask)
{
  return SampleIntensities(context, grid, input, mask).reference;
}

} // namespace cudaneuro
