// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_TileCpu_h
#define cudaneuro_jobs_TileCpu_h

#include "core/IntensityScale.h"
#include "cudaneuro/Volume.h"

#include <array>
#include <cstdint>

namespace cudaneuro::cpu
{

/** A box of the volume with a halo around it, as stored in a buffer: all rows, halo included, have one stride, so
 * that a loop over several rows is one loop over contiguous memory. Local coordinates are relative to the first voxel
 * of the box. */
struct Tile
{
  /** The first voxel of the box in the volume. */
  std::array<std::int64_t, 3> begin;
  std::array<std::int64_t, 3> size;
  std::array<std::int64_t, 3> halo;
  std::int64_t                rowStride;

  std::int64_t
  RowsPerPlane() const
  {
    return size[1] + 2 * halo[1];
  }
  std::int64_t
  PlaneStride() const
  {
    return rowStride * this->RowsPerPlane();
  }
  std::int64_t
  Count() const
  {
    return this->PlaneStride() * (size[2] + 2 * halo[2]);
  }
  std::int64_t
  Index(std::int64_t x, std::int64_t y, std::int64_t z) const
  {
    return x + halo[0] + rowStride * (y + halo[1]) + this->PlaneStride() * (z + halo[2]);
  }
};

/** A grid divided into tiles of about equal size. */
class Tiling
{
public:
  Tiling(const Grid & grid, const std::array<std::int64_t, 3> & largestSize, const std::array<std::int64_t, 3> & halo);

  std::int64_t
  NumberOfTiles() const
  {
    return m_NumberOfTiles[0] * m_NumberOfTiles[1] * m_NumberOfTiles[2];
  }
  Tile
  GetTile(std::int64_t i) const;

private:
  std::array<std::int64_t, 3> m_GridSize;
  std::array<std::int64_t, 3> m_Halo;
  std::array<std::int64_t, 3> m_NumberOfTiles{};
};

/** In a gathered tile excluded voxels have this value or a larger one. Their differences from each other (see below)
 * and from other voxels are so large that 2^(-difference^2) is exactly 0; the square of such a difference is finite. */
constexpr float takesNoPart = 9223372036854775808.0f; // 2^63

/** Whether voxels of a tile, halo included, are excluded. */
struct TileParticipation
{
  /** Whether any voxel of the box is not excluded. */
  bool anyInBox = false;
  /** Whether no voxel inside the image is excluded. */
  bool allInImage = true;
};

/** Copies a tile, halo included, as ScaledIntensity() to \p buffer (tile.Count() floats). Excluded voxels become
 * takesNoPart plus a number of units in the last place that differs from voxel to voxel.
 * \param input whole volume; \param mask may be null */
TileParticipation
GatherTile(const Grid &           grid,
           const Tile &           tile,
           const float *          input,
           const unsigned char *  mask,
           const IntensityScale & scale,
           float *                buffer);

} // namespace cudaneuro::cpu

#endif
