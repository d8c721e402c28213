// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_CellSampler_h
#define cudaneuro_fields_CellSampler_h

#include "fields/Sampling.h"

/** Linear interpolation with as few instructions as possible, for the iterations of a registration. Grids must be
 * IsSmall and have at least 2 voxels along x. */
namespace cudaneuro
{

/** Bounds of positions, and the distances in memory from a voxel to its neighbors. It is constructed on the host and
 * passed to kernels as an argument. */
struct CellGrid
{
  float lastX = 0.0f; // coordinates of the last voxel
  float lastY = 0.0f;
  float lastZ = 0.0f;
  float mostX = 0.0f; // largest coordinates of the lower corner of a cell
  float mostY = 0.0f;
  float mostZ = 0.0f;
  int   row = 0;
  int   plane = 0;
  int   stepY = 0; // 0 along an axis of length 1
  int   stepZ = 0;

  CellGrid() = default;
  explicit CellGrid(const Extent & extent)
    : lastX(static_cast<float>(extent.x - 1))
    , lastY(static_cast<float>(extent.y - 1))
    , lastZ(static_cast<float>(extent.z - 1))
    , mostX(static_cast<float>(extent.x - 2))
    , mostY(static_cast<float>(extent.y > 1 ? extent.y - 2 : 0))
    , mostZ(static_cast<float>(extent.z > 1 ? extent.z - 2 : 0))
    , row(extent.x)
    , plane(extent.x * extent.y)
    , stepY(extent.y > 1 ? row : 0)
    , stepZ(extent.z > 1 ? plane : 0)
  {}

  /** Returns whether a position is between the centers of the outermost voxels; false for NaN. */
  CUDANEURO_HOST_DEVICE bool
  Contains(float x, float y, float z) const
  {
    return x >= 0.0f && x <= lastX && y >= 0.0f && y <= lastY && z >= 0.0f && z <= lastZ;
  }
};

/** Returns the linear interpolation, which is exact at both ends. */
CUDANEURO_HOST_DEVICE float
Between(float fraction, float lower, float upper)
{
  return std::fma(fraction, upper, std::fma(-fraction, lower, lower));
}

/** The values at the corners of a cell. The digits are the offsets along x, y and z. */
struct CellValues
{
  float v000;
  float v100;
  float v010;
  float v110;
  float v001;
  float v101;
  float v011;
  float v111;
};

/** The cell of eight voxels around a position of the grid. */
struct Cell
{
  int   offset; // index of the lower corner
  float x;      // the position in the cell, from 0 to 1
  float y;
  float z;

  Cell() = default;

  /** Makes the cell of a position that the grid contains. */
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): Lower sets the fractions.
  CUDANEURO_HOST_DEVICE
  Cell(const CellGrid & grid, float positionX, float positionY, float positionZ)
  {
    const int lowerX = Lower(positionX, grid.mostX, x);
    const int lowerY = Lower(positionY, grid.mostY, y);
    const int lowerZ = Lower(positionZ, grid.mostZ, z);
    offset = lowerZ * grid.plane + lowerY * grid.row + lowerX;
  }

  /** Returns the cell of the grid's position that is nearest to a given position; NaN counts as 0. */
  CUDANEURO_HOST_DEVICE static Cell
  Nearest(const CellGrid & grid, float positionX, float positionY, float positionZ)
  {
    return { grid,
             std::fmin(std::fmax(positionX, 0.0f), grid.lastX),
             std::fmin(std::fmax(positionY, 0.0f), grid.lastY),
             std::fmin(std::fmax(positionZ, 0.0f), grid.lastZ) };
  }

  CUDANEURO_HOST_DEVICE CellValues
  Load(const CellGrid & grid, const float * volume) const
  {
    const float * const v00 = volume + offset;
    const float * const v10 = volume + (offset + grid.stepY);
    const float * const v01 = volume + (offset + grid.stepZ);
    const float * const v11 = volume + (offset + grid.stepY + grid.stepZ);
    return { v00[0], v00[1], v10[0], v10[1], v01[0], v01[1], v11[0], v11[1] };
  }

  CUDANEURO_HOST_DEVICE float
  Interpolate(const CellValues & v) const
  {
    return Between(z,
                   Between(y, Between(x, v.v000, v.v100), Between(x, v.v010, v.v110)),
                   Between(y, Between(x, v.v001, v.v101), Between(x, v.v011, v.v111)));
  }

  CUDANEURO_HOST_DEVICE float
  Interpolate(const CellGrid & grid, const float * volume) const
  {
    return this->Interpolate(this->Load(grid, volume));
  }

  /** Returns the value and its derivative inside the cell. */
  CUDANEURO_HOST_DEVICE ValueAndGradient
  InterpolateWithGradient(const CellValues & v) const
  {
    const float m00 = Between(x, v.v000, v.v100);
    const float m10 = Between(x, v.v010, v.v110);
    const float m01 = Between(x, v.v001, v.v101);
    const float m11 = Between(x, v.v011, v.v111);
    const float m0 = Between(y, m00, m10);
    const float m1 = Between(y, m01, m11);
    const float d0 = Between(y, v.v100 - v.v000, v.v110 - v.v010);
    const float d1 = Between(y, v.v101 - v.v001, v.v111 - v.v011);
    return { Between(z, m0, m1), Between(z, d0, d1), Between(z, m10 - m00, m11 - m01), m1 - m0 };
  }

private:
  CUDANEURO_HOST_DEVICE static int
  Lower(float position, float most, float & fraction)
  {
#if defined(__CUDA_ARCH__)
    // The sum with 1.5 * 2^23, rounded down, has no bits for a fraction. Conversion instructions would be slower.
    const float whole = fminf(__fadd_rd(position, roundingShift) - roundingShift, most);
    fraction = position - whole;
    return __float_as_int(whole + roundingShift) - 0x4B400000;
#else
    const float whole = std::fmin(std::floor(position), most);
    fraction = position - whole;
    return static_cast<int>(whole);
#endif
  }
};

} // namespace cudaneuro

#endif
