// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_VersionArray_h
#define cudaneuro_meshes_VersionArray_h

#include "core/VectorDispatch.h"
#include "meshes/MeshDenoisingFormulas.h"

#include <cstdint>
#include <vector>

namespace cudaneuro::cpu
{

#if defined(__GNUC__)
/** A number for each version, in one vector register: products and sums are those of all versions. */
using VersionLanes __attribute__((vector_size(versions * sizeof(float)), aligned(sizeof(float)), may_alias)) = float;

CUDANEURO_ALWAYS_INLINE VersionLanes
LanesAt(const float * values)
{
  return *reinterpret_cast<const VersionLanes *>(values);
}

CUDANEURO_ALWAYS_INLINE void
StoreLanes(const VersionLanes & lanes, float * values)
{
  *reinterpret_cast<VersionLanes *>(values) = lanes;
}
#else
struct VersionLanes
{
  float values[versions];
};

CUDANEURO_ALWAYS_INLINE VersionLanes
LanesAt(const float * values)
{
  VersionLanes lanes;
  for (int v = 0; v < versions; ++v)
  {
    lanes.values[v] = values[v];
  }
  return lanes;
}

CUDANEURO_ALWAYS_INLINE void
StoreLanes(const VersionLanes & lanes, float * values)
{
  for (int v = 0; v < versions; ++v)
  {
    values[v] = lanes.values[v];
  }
}

CUDANEURO_ALWAYS_INLINE VersionLanes
operator+(VersionLanes a, const VersionLanes & b)
{
  for (int v = 0; v < versions; ++v)
  {
    a.values[v] += b.values[v];
  }
  return a;
}

CUDANEURO_ALWAYS_INLINE VersionLanes
operator*(VersionLanes a, const VersionLanes & b)
{
  for (int v = 0; v < versions; ++v)
  {
    a.values[v] *= b.values[v];
  }
  return a;
}

CUDANEURO_ALWAYS_INLINE VersionLanes
operator*(float factor, VersionLanes a)
{
  for (float & value : a.values)
  {
    value *= factor;
  }
  return a;
}
#endif

/** Vectors of all versions of the mesh at one vertex or triangle: the x of all versions, then the y, then the z, so
 * that compilers make vector instructions of loops over the versions. */
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
