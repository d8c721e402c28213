// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/TileCpu.h"
#include "core/IntegerMath.h"

#include "core/ApproximateMath.h"

#include <algorithm>
#include <cstring>

namespace cudaneuro::cpu
{
namespace
{

/** Returns takesNoPart plus \p serial units in the last place (each 2^40): distinct below 2^22, with finite squares. */
float
ValueThatTakesNoPart(std::int64_t serial)
{
  std::uint32_t bits = 0;
  std::memcpy(&bits, &takesNoPart, sizeof(bits));
  bits += static_cast<std::uint32_t>(serial & 0x3fffff);
  float value = 0.0f;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/** Returns the part [first, second) of [begin, end) that is inside [0, size). */
std::array<std::int64_t, 2>
Inside(std::int64_t begin, std::int64_t end, std::int64_t size)
{
  const std::int64_t first = std::clamp<std::int64_t>(0, begin, end);
  return { first, std::clamp<std::int64_t>(size, first, end) };
}

} // namespace

Tiling::Tiling(const Grid &                        grid,
               const std::array<std::int64_t, 3> & largestSize,
               const std::array<std::int64_t, 3> & halo)
  : m_GridSize(grid.size)
  , m_Halo(halo)
{
  for (int axis = 0; axis < 3; ++axis)
  {
    m_NumberOfTiles[axis] = DivideUp(grid.size[axis], largestSize[axis]);
  }
}

Tile
Tiling::GetTile(std::int64_t i) const
{
  const std::array<std::int64_t, 3> position{ i % m_NumberOfTiles[0],
                                              i / m_NumberOfTiles[0] % m_NumberOfTiles[1],
                                              i / (m_NumberOfTiles[0] * m_NumberOfTiles[1]) };
  Tile                              tile{};
  for (int axis = 0; axis < 3; ++axis)
  {
    // The products of a size and a number of tiles do not overflow: both factors are below 2^31.
    tile.begin[axis] = m_GridSize[axis] * position[axis] / m_NumberOfTiles[axis];
    tile.size[axis] = m_GridSize[axis] * (position[axis] + 1) / m_NumberOfTiles[axis] - tile.begin[axis];
  }
  tile.halo = m_Halo;
  constexpr std::int64_t floatsPerCacheLine = 16;
  tile.rowStride = RoundUp(tile.size[0] + 2 * m_Halo[0], floatsPerCacheLine);
  return tile;
}

TileParticipation
GatherTile(const Grid &           grid,
           const Tile &           tile,
           const float *          input,
           const unsigned char *  mask,
           const IntensityScale & scale,
           float *                buffer)
{
  TileParticipation  participation;
  const std::int64_t xBegin = tile.begin[0] - tile.halo[0];
  const auto [xFirst, xLast] = Inside(xBegin, tile.begin[0] + tile.size[0] + tile.halo[0], grid.size[0]);
  std::int64_t serial = 0;
  for (std::int64_t z = -tile.halo[2]; z < tile.size[2] + tile.halo[2]; ++z)
  {
    for (std::int64_t y = -tile.halo[1]; y < tile.size[1] + tile.halo[1]; ++y, serial += tile.rowStride)
    {
      float * const row = buffer + serial;
      for (std::int64_t x = 0; x < tile.rowStride; ++x)
      {
        row[x] = ValueThatTakesNoPart(serial + x);
      }
      const std::int64_t imageY = tile.begin[1] + y;
      const std::int64_t imageZ = tile.begin[2] + z;
      if (imageY < 0 || imageY >= grid.size[1] || imageZ < 0 || imageZ >= grid.size[2])
      {
        continue;
      }
      const bool         rowInBox = y >= 0 && y < tile.size[1] && z >= 0 && z < tile.size[2];
      const std::int64_t rowStart = grid.size[0] * (imageY + grid.size[1] * imageZ);
      for (std::int64_t x = xFirst; x < xLast; ++x)
      {
        const float value = input[rowStart + x];
        if (IsFinite(value) && (!mask || mask[rowStart + x] != 0))
        {
          row[x - xBegin] = ScaledIntensity(scale, value);
          participation.anyInBox |= rowInBox && x >= tile.begin[0] && x < tile.begin[0] + tile.size[0];
        }
        else
        {
          participation.allInImage = false;
        }
      }
    }
  }
  return participation;
}

} // namespace cudaneuro::cpu
