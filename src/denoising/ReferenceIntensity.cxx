// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ReferenceIntensity.h"

#include "BuildConfiguration.h"
#include "Exp2.h"
#include "ReferenceIntensityGpu.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cudaneuro
{
namespace
{

constexpr int fewestPointsPerAxis = 8;
constexpr int mostPointsPerAxis = 128;

/** As many voxels as make a median that a few of them cannot move. */
constexpr std::size_t enoughVoxels = 32;

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

/** The values on the lattice that are finite and inside the mask. */
std::vector<float>
ReadParticipants(Context & context, const ConstVolume & input, const ConstVolume & mask, const Lattice & lattice)
{
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

/** The median of the values that are at most twice as large as what a sixteenth of them is below in magnitude.
 * \param values is sorted; not empty */
float
MedianOfOrdinary(std::vector<float> & values)
{
  // Values of equal magnitude in one order on every machine.
  std::sort(values.begin(), values.end(), [](float a, float b) {
    return std::abs(a) != std::abs(b) ? std::abs(a) < std::abs(b) : a < b;
  });
  const double limit = 2.0 * std::abs(values[values.size() / 16]);
  const auto end = std::find_if(values.begin(), values.end(), [limit](float value) { return std::abs(value) > limit; });
  const auto middle = values.begin() + (end - values.begin()) / 2;
  std::nth_element(values.begin(), middle, end);
  return *middle;
}

} // namespace

float
ReferenceIntensity(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask)
{
  std::vector<float> values;
  for (int points = fewestPointsPerAxis; points <= mostPointsPerAxis; points *= 2)
  {
    values = ReadParticipants(context, input, mask, MakeLattice(grid, points));
    const bool hasAll = points >= *std::max_element(grid.size.begin(), grid.size.end());
    if (values.size() >= enoughVoxels || hasAll)
    {
      break;
    }
  }
  return values.empty() ? 0.0f : MedianOfOrdinary(values);
}

} // namespace cudaneuro
