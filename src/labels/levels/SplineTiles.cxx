// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/levels/SplineTiles.h"

#include "core/IntegerMath.h"

#include <algorithm>

namespace cudaneuro
{

namespace
{

/** Whether a band has voxels in the tile whose first voxel is (x, y, z). */
bool
HasVoxels(const Extent & box, const std::vector<std::int32_t> & numbers, int x, int y, int z)
{
  for (int k = z; k < std::min(z + tileSide, box.z); ++k)
  {
    for (int j = y; j < std::min(y + tileSide, box.y); ++j)
    {
      const auto row = numbers.begin() + (std::int64_t{ k } * box.y + j) * box.x;
      if (std::any_of(row + x, row + std::min(x + tileSide, box.x), [](std::int32_t number) { return number >= 0; }))
      {
        return true;
      }
    }
  }
  return false;
}

} // namespace

SplineTiles
MakeSplineTiles(Context & context, const Extent & box, const std::vector<std::int32_t> & numbers)
{
  SplineTiles    tiles{ { DivideUp(box.x, tileSide), DivideUp(box.y, tileSide), DivideUp(box.z, tileSide) }, {}, {} };
  const Extent & extent = tiles.extent;
  const auto     plane = static_cast<std::size_t>(extent.x) * static_cast<std::size_t>(extent.y);
  tiles.numbers.assign(plane * static_cast<std::size_t>(extent.z), -1);
  context.ParallelFor(extent.z, [&](std::int64_t z) {
    std::int32_t * const own = tiles.numbers.data() + static_cast<std::size_t>(z) * plane;
    for (int y = 0; y < extent.y; ++y)
    {
      for (int x = 0; x < extent.x; ++x)
      {
        const bool isThere = HasVoxels(box, numbers, tileSide * x, tileSide * y, tileSide * static_cast<int>(z));
        own[y * extent.x + x] = isThere ? 0 : -1;
      }
    }
  });
  for (std::size_t place = 0; place < tiles.numbers.size(); ++place)
  {
    if (tiles.numbers[place] == 0)
    {
      tiles.numbers[place] = static_cast<std::int32_t>(tiles.places.size());
      tiles.places.push_back(static_cast<std::int32_t>(place));
    }
  }
  return tiles;
}

} // namespace cudaneuro
