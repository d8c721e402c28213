// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_DeviceMesh_cuh
#define cudaneuro_meshes_DeviceMesh_cuh

#include "core/IntegerMath.h"
#include "meshes/MeshDenoisingFormulas.h"

#include <cstdint>

/** Common types of DenoiseMesh's kernels. Vectors of all versions of the mesh at a vertex or triangle are side by side,
 * as (x, y, z, a number), so that neighboring threads, which have one version each, read 64 contiguous bytes. */
namespace cudaneuro::gpu
{

constexpr int meshThreads = 256;

/** MeshTopology on the device. */
struct DeviceMesh
{
  std::int32_t          numberOfVertices;
  std::int32_t          numberOfTriangles;
  const float *         positions;
  const std::int32_t *  corners;
  const std::int32_t *  firstTriangle;
  const std::int32_t *  trianglesOf;
  const std::int32_t *  firstNeighbor;
  const std::int32_t *  neighborsOf;
  const std::int32_t *  meanNeighbors;
  const unsigned char * isOnBorder;
  const unsigned char * signs;

  __device__ Vector3
  Position(std::int64_t vertex) const
  {
    const float * const position = positions + 3 * vertex;
    return { position[0], position[1], position[2] };
  }
};

__device__ __forceinline__ Vector3
VectorOf(const float4 & vector)
{
  return { vector.x, vector.y, vector.z };
}

__device__ __forceinline__ float4
WithNumber(const Vector3 & vector, float number)
{
  return make_float4(vector.x, vector.y, vector.z, number);
}

/** The vertex or triangle of this thread, and its version. */
struct VersionItem
{
  std::int64_t element;
  int          version;

  __device__
  VersionItem()
  {
    const std::int64_t thread = std::int64_t{ blockIdx.x } * meshThreads + threadIdx.x;
    element = thread / versions;
    version = static_cast<int>(thread % versions);
  }

  /** The index of this version of another vertex or triangle. */
  __device__ std::int64_t
             Of(std::int64_t other) const
  {
    return other * versions + version;
  }
  __device__ std::int64_t
             Own() const
  {
    return this->Of(element);
  }
};

/** The vertex or triangle of this thread. */
__device__ __forceinline__ std::int64_t
                           ThreadItem()
{
  return std::int64_t{ blockIdx.x } * meshThreads + threadIdx.x;
}

inline unsigned int
MeshBlocks(std::int64_t threads)
{
  return static_cast<unsigned int>(DivideUp(threads, std::int64_t{ meshThreads }));
}

} // namespace cudaneuro::gpu

#endif
