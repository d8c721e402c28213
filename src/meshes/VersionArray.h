// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_VersionArray_h
#define cudaneuro_meshes_VersionArray_h

#include "meshes/MeshDenoisingFormulas.h"
#include "system/FloatLanes.h"

#include <cstdint>
#include <vector>

namespace cudaneuro::cpu
{

/** A number for each version, in one vector register: products and sums are those of all versions. */
using VersionLanes = FloatLanes<versions>;

CUDANEURO_ALWAYS_INLINE VersionLanes
LanesAt(const float * values)
{
  return ReadLanes<versions>(values);
}

CUDANEURO_ALWAYS_INLINE void
StoreLanes(const VersionLanes & lanes, float * values)
{
  WriteLanes<versions>(lanes, values);
}

/** Vectors of all versions of the mesh at one vertex or triangle: the x of all versions, then the y, then the z, so
 * that compilers vectorize loops over the versions. */
struct VersionVectors
{
  float x[versions];
  float y[versions];
  float z[versions];

  CUDANEURO_ALWAYS_INLINE Vector3
  Get(int version) const
  {
    return { x[version], y[version], z[version] };
  }

  CUDANEURO_ALWAYS_INLINE void
  Set(int version, const Vector3 & vector)
  {
    x[version] = vector.x;
    y[version] = vector.y;
    z[version] = vector.z;
  }
};

using VersionArray = std::vector<VersionVectors>;

/** A number for each version. */
struct VersionNumbers
{
  float values[versions];
};

/** Vectors of one version. */
using VectorArray = std::vector<Vector3>;

} // namespace cudaneuro::cpu

#endif
