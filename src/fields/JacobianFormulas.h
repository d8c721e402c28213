// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_JacobianFormulas_h
#define cudaneuro_fields_JacobianFormulas_h

#include "core/HostDevice.h"
#include "core/SoAField.h"

/** Derivatives of fields and functions of these, for both compilers. Fields and derivatives are in voxels. */
namespace cudaneuro
{

/** A 3x3 matrix by rows. In the derivative of a field u, xy is d u_x / d y. */
struct FieldGradient
{
  float xx;
  float xy;
  float xz;
  float yx;
  float yy;
  float yz;
  float zx;
  float zy;
  float zz;
};

/** The two voxels whose difference gives the derivative along one axis. */
struct DifferencePair
{
  int   lower;
  int   upper;
  float scale; // factor of the difference: 0.5 for central differences
};

/** Returns the pair of a central difference, one-sided at the border; along an axis of length 1 the difference is 0. */
CUDANEURO_HOST_DEVICE DifferencePair
DifferencePairAt(int coordinate, int length)
{
  const int lower = coordinate > 0 ? coordinate - 1 : coordinate;
  const int upper = coordinate + 1 < length ? coordinate + 1 : coordinate;
  return { lower, upper, upper - lower == 2 ? 0.5f : 1.0f };
}

/** Returns the derivative of a field at voxel (x, y, z); TIndex is as in Sampling.h. */
template <typename TIndex = std::int64_t>
CUDANEURO_HOST_DEVICE FieldGradient
GradientAt(const ConstSoAField & field, const Extent & extent, int x, int y, int z)
{
  const DifferencePair alongX = DifferencePairAt(x, extent.x);
  const DifferencePair alongY = DifferencePairAt(y, extent.y);
  const DifferencePair alongZ = DifferencePairAt(z, extent.z);
  const TIndex         planeVoxels = static_cast<TIndex>(extent.x) * extent.y;
  const TIndex         voxel = (static_cast<TIndex>(z) * extent.y + y) * extent.x + x;
  const TIndex         xLower = voxel + (alongX.lower - x);
  const TIndex         xUpper = voxel + (alongX.upper - x);
  const TIndex         yLower = alongY.lower < y ? voxel - extent.x : voxel;
  const TIndex         yUpper = alongY.upper > y ? voxel + extent.x : voxel;
  const TIndex         zLower = alongZ.lower < z ? voxel - planeVoxels : voxel;
  const TIndex         zUpper = alongZ.upper > z ? voxel + planeVoxels : voxel;
  return { alongX.scale * (field.x[xUpper] - field.x[xLower]), alongY.scale * (field.x[yUpper] - field.x[yLower]),
           alongZ.scale * (field.x[zUpper] - field.x[zLower]), alongX.scale * (field.y[xUpper] - field.y[xLower]),
           alongY.scale * (field.y[yUpper] - field.y[yLower]), alongZ.scale * (field.y[zUpper] - field.y[zLower]),
           alongX.scale * (field.z[xUpper] - field.z[xLower]), alongY.scale * (field.z[yUpper] - field.z[yLower]),
           alongZ.scale * (field.z[zUpper] - field.z[zLower]) };
}

/** Returns I + scale * du. */
CUDANEURO_HOST_DEVICE FieldGradient
IdentityPlus(const FieldGradient & du, float scale = 1.0f)
{
  return { 1.0f + scale * du.xx, scale * du.xy, scale * du.xz, scale * du.yx,       1.0f + scale * du.yy,
           scale * du.yz,        scale * du.zx, scale * du.zy, 1.0f + scale * du.zz };
}

CUDANEURO_HOST_DEVICE float
Determinant(const FieldGradient & m)
{
  return m.xx * (m.yy * m.zz - m.yz * m.zy) - m.xy * (m.yx * m.zz - m.yz * m.zx) + m.xz * (m.yx * m.zy - m.yy * m.zx);
}

/** Returns the cofactor matrix, whose entry ab is d Determinant(m) / d m.ab; Lee et al., eq. 11, is that of m = I - Du.
 * The inverse of m is the transpose of this matrix, divided by the determinant. */
CUDANEURO_HOST_DEVICE FieldGradient
Cofactors(const FieldGradient & m)
{
  return { m.yy * m.zz - m.yz * m.zy, m.yz * m.zx - m.yx * m.zz, m.yx * m.zy - m.yy * m.zx,
           m.xz * m.zy - m.xy * m.zz, m.xx * m.zz - m.xz * m.zx, m.xy * m.zx - m.xx * m.zy,
           m.xy * m.yz - m.xz * m.yy, m.xz * m.yx - m.xx * m.yz, m.xx * m.yy - m.xy * m.yx };
}

} // namespace cudaneuro

#endif
