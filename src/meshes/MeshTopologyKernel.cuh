// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_MeshTopologyKernel_cuh
#define cudaneuro_meshes_MeshTopologyKernel_cuh

#include "meshes/DeviceMesh.cuh"
#include "meshes/MeshOrderFormulas.h"

/** Kernels that reorder a mesh so that neighbors in space are neighbors in memory, and find its connections. A thread
 * per element. */
namespace cudaneuro::gpu
{

/** Writes the sorting keys of vertices, with their numbers in the input. */
__global__ void
__launch_bounds__(meshThreads) VertexKeysKernel(const __grid_constant__ MeshFrame frame,
                                                std::int32_t                      count,
                                                const double *                    points,
                                                std::uint32_t *                   codes,
                                                std::int32_t *                    ofCodes,
                                                unsigned long long *              distances,
                                                std::int32_t *                    ofDistances)
{
  const std::int64_t i = ThreadItem();
  if (i < count)
  {
    codes[i] = frame.MortonCode(points + 3 * i);
    distances[i] = frame.DistanceKey(points + 3 * i);
    ofCodes[i] = static_cast<std::int32_t>(i);
    ofDistances[i] = static_cast<std::int32_t>(i);
  }
}

/** Writes the place of each element in an order, which is the inverse permutation. */
__global__ void
__launch_bounds__(meshThreads) PlaceKernel(std::int32_t count, const std::int32_t * order, std::int32_t * places)
{
  const std::int64_t i = ThreadItem();
  if (i < count)
  {
    places[order[i]] = static_cast<std::int32_t>(i);
  }
}

/** Writes positions and signs of vertices in their order. */
__global__ void
__launch_bounds__(meshThreads) VertexKernel(const __grid_constant__ MeshFrame frame,
                                            std::int32_t                      count,
                                            const double *                    points,
                                            const std::int32_t *              inputs,
                                            const std::int32_t *              ranks,
                                            float *                           positions,
                                            unsigned char *                   signs)
{
  const std::int64_t i = ThreadItem();
  if (i >= count)
  {
    return;
  }
  const std::int64_t input = inputs[i];
  for (int axis = 0; axis < 3; ++axis)
  {
    positions[3 * i + axis] = frame.Coordinate(points + 3 * input, axis);
  }
  signs[i] = SignsOfProbes(ranks[input]);
}

/** Writes the first of each triangle's vertices, with the triangle's number in the input. */
__global__ void
__launch_bounds__(meshThreads) TriangleKeysKernel(std::int32_t         count,
                                                  const std::int32_t * triangles,
                                                  const std::int32_t * places,
                                                  std::uint32_t *      keys,
                                                  std::int32_t *       numbers)
{
  const std::int64_t i = ThreadItem();
  if (i < count)
  {
    const std::int32_t * const corners = triangles + 3 * i;
    keys[i] = static_cast<std::uint32_t>(min(places[corners[0]], min(places[corners[1]], places[corners[2]])));
    numbers[i] = static_cast<std::int32_t>(i);
  }
}

/** Writes the corners of triangles in their order, also as keys, and counts the triangles of each vertex. A thread has
 * a corner. */
__global__ void
__launch_bounds__(meshThreads) CornerKernel(std::int64_t         count,
                                            const std::int32_t * triangles,
                                            const std::int32_t * order,
                                            const std::int32_t * places,
                                            std::int32_t *       corners,
                                            std::uint32_t *      keys,
                                            std::int32_t *       numbers,
                                            int *                counts)
{
  const std::int64_t i = ThreadItem();
  if (i < count)
  {
    const std::int32_t triangle = static_cast<std::int32_t>(i / 3);
    const std::int32_t vertex = places[triangles[3 * std::int64_t{ order[triangle] } + i % 3]];
    corners[i] = vertex;
    keys[i] = static_cast<std::uint32_t>(vertex);
    numbers[i] = triangle;
    atomicAdd(counts + vertex, 1);
  }
}

/** Calls body(vertex, whether the edge is on the border) for the neighbors of a vertex, those along the border first,
 * in increasing order. Searches all corners of the triangles around the vertex for each of them: these are few. */
template <typename TBody>
__device__ __forceinline__ void
ForEachNeighbor(const DeviceMesh & mesh, std::int64_t vertex, const TBody & body)
{
  const int first = mesh.firstTriangle[vertex];
  const int end = mesh.firstTriangle[vertex + 1];
  for (int border = 1; border >= 0; --border)
  {
    for (std::int32_t last = -1;;)
    {
      std::int32_t next = mesh.numberOfVertices;
      int          uses = 0;
      for (int i = first; i < end; ++i)
      {
        for (int corner = 0; corner < 3; ++corner)
        {
          const std::int32_t other = mesh.corners[3 * std::int64_t{ mesh.trianglesOf[i] } + corner];
          if (other != vertex && other > last)
          {
            uses = other < next ? 1 : (other == next ? uses + 1 : uses);
            next = min(next, other);
          }
        }
      }
      if (uses == 0)
      {
        break;
      }
      if ((uses == 1) == (border == 1))
      {
        body(next, border == 1);
      }
      last = next;
    }
  }
}

/** Writes the number of each vertex's neighbors, and of those that low-pass filters use; counts the ends of border
 * edges. */
__global__ void
__launch_bounds__(meshThreads) CountNeighborsKernel(const __grid_constant__ DeviceMesh mesh,
                                                    int *                              counts,
                                                    std::int32_t *                     meanNeighbors,
                                                    unsigned char *                    isOnBorder,
                                                    int *                              borderEnds)
{
  const std::int64_t vertex = ThreadItem();
  if (vertex >= mesh.numberOfVertices)
  {
    return;
  }
  int all = 0;
  int ofBorder = 0;
  ForEachNeighbor(mesh, vertex, [&](std::int32_t, bool isOfBorder) {
    ++all;
    ofBorder += isOfBorder ? 1 : 0;
  });
  counts[vertex] = all;
  meanNeighbors[vertex] = ofBorder > 0 ? ofBorder : all;
  isOnBorder[vertex] = ofBorder > 0 ? 1 : 0;
  if (ofBorder > 0)
  {
    atomicAdd(borderEnds, ofBorder);
  }
}

/** Writes the neighbors. */
__global__ void
__launch_bounds__(meshThreads) NeighborsKernel(const __grid_constant__ DeviceMesh mesh, std::int32_t * neighbors)
{
  const std::int64_t vertex = ThreadItem();
  if (vertex < mesh.numberOfVertices)
  {
    std::int32_t * next = neighbors + mesh.firstNeighbor[vertex];
    ForEachNeighbor(mesh, vertex, [&](std::int32_t other, bool) { *next++ = other; });
  }
}

} // namespace cudaneuro::gpu

#endif
