// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ReferenceIntensity.h"

#include "core/ApproximateMath.h"
#include "core/Dispatch.h"
#include "cudaneuro/Error.h"
#include "images/BrightObject.h"
#include "images/ReferenceIntensityLattice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace cudaneuro
{
namespace
{

constexpr int fewestPointsPerAxis = 8;

/** The number of voxels from which on a single voxel moves the quantiles little. */
constexpr std::size_t enoughVoxels = 32;

/** A value is beyond a gap if it is more than this many times as large as its predecessor. Beyond the larger gap are
 * codes and errors; beyond the smaller one there may also be objects. */
constexpr float jumpToCodes = 16.0f;
constexpr float jumpToErrors = 256.0f;

/** Returns whether the values of a sample of at least a given magnitude belong to an object; see IsBrightObject(). */
using ObjectTest = std::function<bool(float least, float bound)>;

/** Returns whether the values from i on are codes or errors, as SampleIntensities() defines them.
 * \param values sorted by magnitude
 * \param different the number of different values from i on */
bool
AreCodesOrErrors(const std::vector<float> & values, std::size_t i, std::size_t different, const ObjectTest & isObject)
{
  constexpr std::size_t mostCodes = 4;
  const float           magnitude = std::abs(values[i]);
  const float           before = std::abs(values[i - 1]);
  const bool            areFew = different <= mostCodes || values.size() - i <= values.size() / 16;
  // The formula divides, because products may exceed the range of float.
  return areFew && magnitude / jumpToCodes > before &&
         (magnitude / jumpToErrors > before || !isObject(magnitude, jumpToCodes * before));
}

/** Returns the index from which on the values are codes or errors.
 * \param values sorted by magnitude */
std::size_t
FindEndOfOrdinary(const std::vector<float> & values, const ObjectTest & isObject)
{
  const std::size_t firstNonzero =
    std::find_if(values.begin(), values.end(), [](float value) { return value != 0.0f; }) - values.begin();
  std::size_t end = values.size();
  std::size_t numberOfDifferent = 1;
  for (std::size_t i = values.size(); --i > firstNonzero + (values.size() - firstNonzero) / 16;)
  {
    end = AreCodesOrErrors(values, i, numberOfDifferent, isObject) ? i : end;
    numberOfDifferent += values[i] != values[i - 1] ? 1 : 0;
  }
  return end;
}

/** Returns the largest magnitude that is not a code or an error. The sample may lack the brightest voxels.
 * \param values sorted by magnitude
 * \param end index of the first code or error */
float
LimitOf(const std::vector<float> & values, std::size_t end)
{
  constexpr double shareOfCode = 0.5;
  const double     largest = std::abs(values[end - 1]);
  if (!(largest > 0.0))
  {
    return std::numeric_limits<float>::max();
  }
  double limit = std::min<double>(jumpToErrors * largest, std::numeric_limits<float>::max());
  if (end < values.size())
  {
    limit = std::min(limit, std::max(jumpToCodes * largest, shareOfCode * std::abs(values[end])));
  }
  return static_cast<float>(limit);
}

/** Sorts values by magnitude, and values of equal magnitude in the same order on every machine, negative ones first. A
 * radix sort, which takes a fifth of the time of a sort by comparisons. */
void
SortByMagnitude(std::vector<float> & values)
{
  constexpr std::uint32_t    signBit = 0x80000000u;
  std::vector<std::uint32_t> keys(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &values[i], sizeof(bits));
    keys[i] = bits << 1 | ((bits & signBit) != 0 ? 0u : 1u);
  }
  std::vector<std::uint32_t> sorted(keys.size());
  for (int shift = 0; shift < 32; shift += 8)
  {
    const auto                   digit = [shift](std::uint32_t key) { return key >> shift & 0xffu; };
    std::array<std::size_t, 257> begins{};
    for (const std::uint32_t key : keys)
    {
      ++begins[digit(key) + 1];
    }
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    for (const std::uint32_t key : keys)
    {
      sorted[begins[digit(key)]++] = key;
    }
    keys.swap(sorted);
  }
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    const std::uint32_t bits = keys[i] >> 1 | ((keys[i] & 1u) != 0 ? 0u : signBit);
    std::memcpy(&values[i], &bits, sizeof(bits));
  }
}

/** Returns IntensitySample::plateau. \param values ordinary ones, sorted by magnitude */
float
PlateauOf(const std::vector<float> & values)
{
  constexpr std::size_t fewest = 4;
  const float           largest = values.back();
  const std::size_t     count = values.end() - std::find(values.begin(), values.end(), largest);
  return largest > 0.0f && count >= std::max(fewest, values.size() / 8) ? largest
                                                                        : std::numeric_limits<float>::infinity();
}

/** \param values of at least one voxel; their order changes */
IntensitySample
SampleFrom(std::vector<float> & values, const ObjectTest & isObject)
{
  SortByMagnitude(values);
  const std::size_t end = FindEndOfOrdinary(values, isObject);
  IntensitySample   sample;
  sample.limit = LimitOf(values, end);
  values.resize(end);
  sample.plateau = PlateauOf(values);
  const std::size_t sixteenth = values.size() / 16;
  const bool        isSorted = std::none_of(values.begin(), values.end(), [](float value) { return value < 0.0f; });
  const auto        quantile = [&](std::size_t rank) {
    if (!isSorted)
    {
      std::nth_element(values.begin(), values.begin() + rank, values.end());
    }
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
ReadLattices(Context & context, const std::vector<ConstVolume> & volumes, const Lattice & lattice)
{
  std::vector<ConstVolume> onDevice;
  std::copy_if(volumes.begin(), volumes.end(), std::back_inserter(onDevice), [](const ConstVolume & volume) {
    return volume.space == MemorySpace::Device;
  });
  std::vector<float> fromDevice;
  if constexpr (builtWithCuda)
  {
    if (!onDevice.empty())
    {
      fromDevice = gpu::ReadLattices(context, onDevice, lattice);
    }
  }
  const int          points = lattice.NumberOfPoints();
  auto               next = fromDevice.begin();
  std::vector<float> values;
  values.reserve(volumes.size() * static_cast<std::size_t>(points));
  for (const ConstVolume & volume : volumes)
  {
    if (next != fromDevice.end() && volume.space == MemorySpace::Device)
    {
      values.insert(values.end(), next, next + points);
      next += points;
      continue;
    }
    for (int point = 0; point < points; ++point)
    {
      values.push_back(ReadPixel(volume.data, volume.type, lattice.Voxel(point)));
    }
  }
  return values;
}

std::vector<float>
SampleVoxels(
  Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask, int pointsPerAxis)
{
  const Lattice            lattice = MakeLattice(grid, pointsPerAxis);
  const auto               points = static_cast<std::size_t>(lattice.NumberOfPoints());
  std::vector<ConstVolume> volumes{ input };
  if (mask.data != nullptr)
  {
    volumes.push_back(mask);
  }
  std::vector<float> values = ReadLattices(context, volumes, lattice);
  std::size_t        count = 0;
  for (std::size_t i = 0; i < points; ++i)
  {
    if (IsFinite(values[i]) && (mask.data == nullptr || values[points + i] != 0.0f))
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
  Lattice            lattice{};
  for (int points = fewestPointsPerAxis; points <= mostPointsPerAxis; points *= 2)
  {
    lattice = MakeLattice(grid, points);
    values = SampleVoxels(context, grid, input, mask, points);
    const bool hasAll = points >= *std::max_element(grid.size.begin(), grid.size.end());
    if (values.size() >= enoughVoxels || hasAll)
    {
      break;
    }
  }
  return values.empty() ? IntensitySample() : SampleFrom(values, [&](float least, float bound) {
    return IsBrightObject(context, grid, input, mask, lattice, least, bound);
  });
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

std::vector<float>
ReferenceIntensities(Context & context, const Grid & grid, const std::vector<ConstVolume> & inputs)
{
  const Lattice            lattice = MakeLattice(grid, fewestPointsPerAxis);
  const auto               points = static_cast<std::size_t>(lattice.NumberOfPoints());
  const std::vector<float> all = ReadLattices(context, inputs, lattice);
  std::vector<float>       references;
  references.reserve(inputs.size());
  std::vector<float> values;
  for (std::size_t i = 0; i < inputs.size(); ++i)
  {
    values.clear();
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i * points);
    std::copy_if(begin, begin + static_cast<std::ptrdiff_t>(points), std::back_inserter(values), [](float value) {
      return IsFinite(value);
    });
    // If these values are too few, ReferenceIntensity refines the lattice.
    const auto isObject = [&](float least, float bound) {
      return IsBrightObject(context, grid, inputs[i], {}, lattice, least, bound);
    };
    references.push_back(values.size() >= enoughVoxels ? SampleFrom(values, isObject).reference
                                                       : ReferenceIntensity(context, grid, inputs[i], {}));
  }
  return references;
}

} // namespace cudaneuro
