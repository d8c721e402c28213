// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/BrightObject.h"

#include "core/ApproximateMath.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cudaneuro
{
namespace
{

/** Returns the voxels of the sample that are tested: all bright ones, or 64 evenly chosen ones if there are more. */
std::vector<std::int64_t>
BrightVoxels(
  Context & context, const ConstVolume & input, const ConstVolume & mask, const Lattice & lattice, float least)
{
  constexpr std::size_t    most = 64;
  std::vector<ConstVolume> volumes{ input };
  if (mask.data != nullptr)
  {
    volumes.push_back(mask);
  }
  const std::vector<float>  values = ReadLattices(context, volumes, lattice);
  const int                 points = lattice.NumberOfPoints();
  std::vector<std::int64_t> voxels;
  for (int point = 0; point < points; ++point)
  {
    const bool isInside = mask.data == nullptr || values[points + point] != 0.0f;
    if (isInside && IsFinite(values[point]) && std::abs(values[point]) >= least)
    {
      voxels.push_back(lattice.Voxel(point));
    }
  }
  std::vector<std::int64_t> some;
  for (std::size_t i = 0; i < std::min(most, voxels.size()); ++i)
  {
    some.push_back(voxels[i * voxels.size() / std::min(most, voxels.size())]);
  }
  return some;
}

/** Returns a voxel and its neighbors on the axes, with the voxel itself in place of neighbors outside the grid. */
std::array<std::int64_t, 7>
NeighborhoodOf(const Grid & grid, std::int64_t voxel)
{
  const std::int64_t          strides[3] = { 1, grid.size[0], grid.VoxelsPerPlane() };
  const std::int64_t          row = voxel / grid.size[0];
  const std::int64_t          place[3] = { voxel % grid.size[0], row % grid.size[1], row / grid.size[1] };
  std::array<std::int64_t, 7> voxels{};
  for (int axis = 0; axis < 3; ++axis)
  {
    voxels[2 * axis] = place[axis] > 0 ? voxel - strides[axis] : voxel;
    voxels[2 * axis + 1] = place[axis] < grid.size[axis] - 1 ? voxel + strides[axis] : voxel;
  }
  voxels[6] = voxel;
  return voxels;
}

/** Returns the values of some voxels, which are read together. */
std::vector<float>
ReadVoxels(Context & context, const ConstVolume & volume, const std::vector<std::int64_t> & voxels)
{
  std::vector<ConstVolume> places;
  places.reserve(voxels.size());
  for (const std::int64_t voxel : voxels)
  {
    const auto * const pixel = static_cast<const char *>(volume.data) + voxel * PixelSize(volume.type);
    places.push_back({ pixel, volume.type, volume.space });
  }
  return ReadLattices(context, places, MakeLattice(Grid{ { 1, 1, 1 } }, 1));
}

} // namespace

bool
IsBrightObject(Context &           context,
               const Grid &        grid,
               const ConstVolume & input,
               const ConstVolume & mask,
               const Lattice &     lattice,
               float               least,
               float               bound)
{
  const std::vector<std::int64_t> bright = BrightVoxels(context, input, mask, lattice, least);
  std::vector<std::int64_t>       places;
  for (const std::int64_t voxel : bright)
  {
    const auto neighborhood = NeighborhoodOf(grid, voxel);
    places.insert(places.end(), neighborhood.begin(), neighborhood.end());
  }
  const std::vector<float> values = ReadVoxels(context, input, places);
  const std::vector<float> inside =
    mask.data == nullptr ? std::vector<float>(values.size(), 1.0f) : ReadVoxels(context, mask, places);
  std::size_t ofObject = 0;
  for (std::size_t first = 0; first < values.size(); first += 7)
  {
    bool hasOther = false;
    for (std::size_t i = first; i < first + 6; ++i)
    {
      hasOther = hasOther || (inside[i] != 0.0f && IsFinite(values[i]) && std::abs(values[i]) > bound &&
                              values[i] != values[first + 6]);
    }
    ofObject += hasOther ? 1 : 0;
  }
  return 2 * ofObject > bright.size();
}

} // namespace cudaneuro
