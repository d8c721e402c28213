// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_ForceNeighbors_cuh
#define cudaneuro_registration_step_ForceNeighbors_cuh

#include "registration/step/DisplacementRing.cuh"
#include "registration/step/ForceParts.cuh"

/** The derivatives of the map at a voxel of the force kernel with the unbiased term. */
namespace cudaneuro
{
namespace
{

/** Keeps the compiler from recomputing the value in each iteration of a loop. */
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

/** Indices of a thread's voxel and its neighbors in a plane in shared memory. Along x, the voxel itself replaces
 * neighbors outside the grid; rows outside the grid are stored in the plane. */
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
    const auto & values = plane.values;
    const auto   difference = [&](int upper, int lower) {
      return Vector3{ values[0][upper] - values[0][lower],
                      values[1][upper] - values[1][lower],
                      values[2][upper] - values[2][lower] };
    };
    return TwiceMapGradient(difference(upperX, lowerX),
                            difference(own + DisplacementPlane::pitch, own - DisplacementPlane::pitch),
                            above - below,
                            scaleX,
                            scaleY,
                            scaleZ);
  }
};

} // namespace
} // namespace cudaneuro

#endif
