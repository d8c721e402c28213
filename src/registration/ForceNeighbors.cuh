// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_ForceNeighbors_cuh
#define cudaneuro_registration_ForceNeighbors_cuh

#include "fields/JacobianFormulas.h"
#include "registration/DisplacementRing.cuh"

/** The derivatives of the map at a voxel of the force kernel. */
namespace cudaneuro
{
namespace
{

struct Vector3
{
  float x;
  float y;
  float z;
};

/** The position of a thread's voxel on an axis, moved to the nearest voxel of the grid. Derivatives are central
 * differences, one-sided at the border, and the force takes their transpose, f(i) = (w(i - 1) s(i - 1) - w(i + 1)
 * s(i + 1)) / 2 with w = 1 inside and 2 at the border; outside, w s is minus that of the border. */
struct AxisPosition
{
  int onGrid;
  /** Weight of this voxel's stress in the force. */
  float weight;

  __device__ __forceinline__
  AxisPosition(int i, int length)
    : onGrid(min(max(i, 0), length - 1))
    , weight((onGrid > 0 && onGrid < length - 1 ? 1.0f : 2.0f) * (onGrid == i ? 1.0f : -1.0f))
  {}

  /** Factor that makes the neighbors' difference twice the derivative. */
  __device__ __forceinline__ float
  Scale() const
  {
    return fabsf(weight);
  }
};

/** Keeps the compiler from computing the value again in each iteration of a loop. */
__device__ __forceinline__ int
KeptInRegister(int value)
{
  asm("" : "+r"(value));
  return value;
}

/** The value of the lower lane minus that of the upper lane. */
__device__ __forceinline__ float
DifferenceInWarp(float value)
{
  return __shfl_up_sync(0xffffffffu, value, 1) - __shfl_down_sync(0xffffffffu, value, 1);
}

/** Indices of a thread's voxel and of its neighbors in a plane in shared memory. Along x the voxel stands for neighbors
 * outside the grid; rows outside the grid are in the plane. */
struct PlaneNeighbors
{
  int own;
  int lowerX;
  int upperX;

  __device__ __forceinline__
  PlaneNeighbors(int x, int y, int lengthX, const DisplacementWindow & window)
    : own(KeptInRegister((y - window.firstY) * DisplacementPlane::pitch + x - window.firstX))
    , lowerX(KeptInRegister(x > 0 ? own - 1 : own))
    , upperX(KeptInRegister(x < lengthX - 1 ? own + 1 : own))
  {}

  __device__ __forceinline__ Vector3
  Displacement(const DisplacementPlane & plane) const
  {
    return { plane.values[0][own], plane.values[1][own], plane.values[2][own] };
  }

  /** Twice the derivative of the map. \p below and \p above are the displacements of the voxels in the neighboring
   * planes. */
  __device__ __forceinline__ FieldGradient
  Map(const DisplacementPlane & plane,
      const Vector3 &           below,
      const Vector3 &           above,
      float                     scaleX,
      float                     scaleY,
      float                     scaleZ) const
  {
    const auto alongX = [&](int i) { return plane.values[i][upperX] - plane.values[i][lowerX]; };
    const auto alongY = [&](int i) {
      return plane.values[i][own + DisplacementPlane::pitch] - plane.values[i][own - DisplacementPlane::pitch];
    };
    FieldGradient map;
    map.xx = fmaf(scaleX, alongX(0), 2.0f);
    map.yx = scaleX * alongX(1);
    map.zx = scaleX * alongX(2);
    map.xy = scaleY * alongY(0);
    map.yy = fmaf(scaleY, alongY(1), 2.0f);
    map.zy = scaleY * alongY(2);
    map.xz = scaleZ * (above.x - below.x);
    map.yz = scaleZ * (above.y - below.y);
    map.zz = fmaf(scaleZ, above.z - below.z, 2.0f);
    return map;
  }
};

} // namespace
} // namespace cudaneuro

#endif
