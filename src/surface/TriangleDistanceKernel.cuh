// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_TriangleDistanceKernel_cuh
#define cudaneuro_surface_TriangleDistanceKernel_cuh

#include "core/IntegerMath.h"
#include "core/SoAField.h"
#include "cuda/WarpReduce.cuh"
#include "surface/SquaredDistance.cuh"
#include "surface/TriangleDistanceFormulas.h"
#include "surface/WindingNumberFormulas.h"

#include <cstdint>

/** The box of voxels around each triangle is divided into chunks, one for each warp, so that large triangles do not
 * take a warp longer than small ones. */
namespace cudaneuro::gpu
{

constexpr int triangleThreads = 128;
/** Maximum number of voxels along each edge of a chunk. */
constexpr int chunkLength = 16;

struct TriangleBox
{
  int begin[3];
  int end[3];
  /** The number of chunks of all preceding triangles. */
  std::int64_t firstChunk;

  /** Number of chunks along an axis. */
  CUDANEURO_HOST_DEVICE int
  Chunks(int axis) const
  {
    return DivideUp(end[axis] - begin[axis], chunkLength);
  }
};

struct SurfaceArguments
{
  Extent               extent;
  SpaceVector<double>  spacing;
  float                reach;
  int                  fractionBits;
  std::int64_t         numberOfTriangles;
  std::int64_t         numberOfChunks;
  const double *       points;
  const std::int32_t * triangles;
  const TriangleBox *  boxes;

  __device__ SpaceVector<double>
             Corner(std::int64_t triangle, int corner) const
  {
    return PointAt(points, triangles[3 * triangle + corner]);
  }
};

/** Some of the voxels around a triangle. */
struct Chunk
{
  std::int64_t triangle;
  /** The position in the triangle's box along x, in chunks. */
  int placeX;
  int begin[3];
  int end[3];

  __device__
  Chunk(const SurfaceArguments & arguments, std::int64_t chunk)
  {
    std::int64_t last = arguments.numberOfTriangles - 1;
    triangle = 0;
    while (triangle < last)
    {
      const std::int64_t middle = (triangle + last + 1) / 2;
      const bool         isBefore = arguments.boxes[middle].firstChunk > chunk;
      last = isBefore ? middle - 1 : last;
      triangle = isBefore ? triangle : middle;
    }
    const TriangleBox box = arguments.boxes[triangle];
    auto              place = static_cast<unsigned int>(chunk - box.firstChunk);
#pragma unroll
    for (int axis = 0; axis < 3; ++axis)
    {
      const int          chunks = box.Chunks(axis);
      const int          length = DivideUp(box.end[axis] - box.begin[axis], chunks);
      const unsigned int next = place / chunks;
      const int          placeOnAxis = static_cast<int>(place - next * chunks);
      placeX = axis == 0 ? placeOnAxis : placeX;
      begin[axis] = box.begin[axis] + placeOnAxis * length;
      end[axis] = min(begin[axis] + length, box.end[axis]);
      place = next;
    }
  }

  /** Whether a voxel may be within reach of the triangle, judged by its plane and the half-planes of its edges. */
  __device__ bool
  IsNear(const TriangleShape & shape, const SpaceVector<float> & spacing, float reach) const
  {
    const SpaceVector<float> half{ 0.5f * static_cast<float>(end[0] - 1 - begin[0]) * spacing.x,
                                   0.5f * static_cast<float>(end[1] - 1 - begin[1]) * spacing.y,
                                   0.5f * static_cast<float>(end[2] - 1 - begin[2]) * spacing.z };
    const SpaceVector<float> fromA = half - shape.a;
    const SpaceVector<float> fromB = fromA - shape.ab;
    const float              limit = 1.001f * (reach + sqrtf(Dot(half, half)));
    return fabsf(Dot(fromA, shape.normal)) <= limit && Dot(fromA, shape.beyondAb) <= limit &&
           Dot(fromA, shape.beyondAc) <= limit && Dot(fromB, shape.beyondBc) <= limit;
  }
};

/** Lowers the squared distances of all voxels to those of the triangles, where these are below reach^2. Reads the
 * corners of a triangle for each of its chunks; reads squared, and writes the values that become smaller. */
__global__ void
__launch_bounds__(triangleThreads)
  TriangleDistanceKernel(const __grid_constant__ SurfaceArguments arguments, float * squared)
{
  const int                lane = static_cast<int>(threadIdx.x % warpThreads);
  const std::int64_t       stride = std::int64_t{ gridDim.x } * (triangleThreads / warpThreads);
  const SpaceVector<float> spacing = ToFloat(arguments.spacing);
  const float              squaredReach = arguments.reach * arguments.reach;
  for (std::int64_t item = (std::int64_t{ blockIdx.x } * triangleThreads + threadIdx.x) / warpThreads;
       item < arguments.numberOfChunks;
       item += stride)
  {
    const Chunk               chunk(arguments, item);
    const SpaceVector<double> origin{ arguments.spacing.x * chunk.begin[0],
                                      arguments.spacing.y * chunk.begin[1],
                                      arguments.spacing.z * chunk.begin[2] };
    const TriangleShape       shape = MakeTriangleShape(arguments.Corner(chunk.triangle, 0) - origin,
                                                  arguments.Corner(chunk.triangle, 1) - origin,
                                                  arguments.Corner(chunk.triangle, 2) - origin);
    if (!chunk.IsNear(shape, spacing, arguments.reach))
    {
      continue;
    }
    const int sizeX = chunk.end[0] - chunk.begin[0];
    const int planeVoxels = sizeX * (chunk.end[1] - chunk.begin[1]);
    // i * perSizeX >> 16 is i / sizeX for i below 256.
    const int perSizeX = DivideUp(65536, sizeX);
    for (int z = chunk.begin[2]; z < chunk.end[2]; ++z)
    {
      for (int i = lane; i < planeVoxels; i += warpThreads)
      {
        const int                row = i * perSizeX >> 16;
        const int                x = i - row * sizeX;
        const SpaceVector<float> point{ static_cast<float>(x) * spacing.x,
                                        static_cast<float>(row) * spacing.y,
                                        static_cast<float>(z - chunk.begin[2]) * spacing.z };
        if (fabsf(Dot(point - shape.a, shape.normal)) < arguments.reach)
        {
          const float value = SquaredDistance(shape, point);
          if (value < squaredReach)
          {
            const Extent & extent = arguments.extent;
            LowerTo(squared + (std::int64_t{ z } * extent.y + chunk.begin[1] + row) * extent.x + chunk.begin[0] + x,
                    value);
          }
        }
      }
    }
  }
}

/** Adds the winding of each crossing to the element of \p windings at the first voxel of the row behind it. If several
 * chunks of a triangle have the same rows, the first one processes their crossings. */
__global__ void
__launch_bounds__(triangleThreads) CrossingKernel(const __grid_constant__ SurfaceArguments arguments, int * windings)
{
  const int          lane = static_cast<int>(threadIdx.x % warpThreads);
  const std::int64_t stride = std::int64_t{ gridDim.x } * (triangleThreads / warpThreads);
  const int          bits = arguments.fractionBits;
  for (std::int64_t item = (std::int64_t{ blockIdx.x } * triangleThreads + threadIdx.x) / warpThreads;
       item < arguments.numberOfChunks;
       item += stride)
  {
    const Chunk chunk(arguments, item);
    if (chunk.placeX != 0)
    {
      continue;
    }
    const WindingCorner a = MakeWindingCorner(arguments.Corner(chunk.triangle, 0), arguments.spacing, bits);
    const WindingCorner b = MakeWindingCorner(arguments.Corner(chunk.triangle, 1), arguments.spacing, bits);
    const WindingCorner c = MakeWindingCorner(arguments.Corner(chunk.triangle, 2), arguments.spacing, bits);
    const RowRange      rows = RowsOf(a, b, c, bits);
    const int           beginY = max(rows.beginY, chunk.begin[1]);
    const int           beginZ = max(rows.beginZ, chunk.begin[2]);
    const int           sizeY = min(rows.endY, chunk.end[1]) - beginY;
    const int           sizeZ = min(rows.endZ, chunk.end[2]) - beginZ;
    for (int i = lane; sizeY > 0 && i < sizeY * sizeZ; i += warpThreads)
    {
      const int z = beginZ + i / sizeY;
      const int y = beginY + i % sizeY;
      int       voxel = 0;
      const int winding = WindingOfCrossing(a, b, c, std::int64_t{ y } << bits, std::int64_t{ z } << bits, voxel);
      if (winding != 0)
      {
        atomicAdd(windings + (std::int64_t{ z } * arguments.extent.y + y) * arguments.extent.x + voxel, winding);
      }
    }
  }
}

/** The counts of WindingCounts. */
struct DeviceWindingCounts
{
  unsigned long long once;
  unsigned long long onceReversed;
  unsigned long long several;
};

/** Converts the squared distances in \p values to signed distances. Reads the changes of the winding number; each warp
 * computes their prefix sums along a row. */
__global__ void
__launch_bounds__(triangleThreads) SignKernel(const __grid_constant__ Extent extent,
                                              float                          reach,
                                              const int *                    windings,
                                              float *                        values,
                                              DeviceWindingCounts *          counts)
{
  const int           lane = static_cast<int>(threadIdx.x % warpThreads);
  const std::int64_t  stride = std::int64_t{ gridDim.x } * (triangleThreads / warpThreads);
  const std::int64_t  rows = std::int64_t{ extent.y } * extent.z;
  DeviceWindingCounts partial{};
  for (std::int64_t row = (std::int64_t{ blockIdx.x } * triangleThreads + threadIdx.x) / warpThreads; row < rows;
       row += stride)
  {
    int before = 0;
    for (int begin = 0; begin < extent.x; begin += warpThreads)
    {
      const int          x = begin + lane;
      const std::int64_t voxel = row * extent.x + x;
      int                winding = x < extent.x ? windings[voxel] : 0;
      for (int distance = 1; distance < warpThreads; distance *= 2)
      {
        const int lower = __shfl_up_sync(0xffffffffu, winding, distance);
        winding += lane >= distance ? lower : 0;
      }
      winding += before;
      before = __shfl_sync(0xffffffffu, winding, warpThreads - 1);
      if (x < extent.x)
      {
        partial.once += winding == 1 ? 1 : 0;
        partial.onceReversed += winding == -1 ? 1 : 0;
        partial.several += winding * winding > 1 ? 1 : 0;
        const float value = DistanceWithin(reach, values[voxel]);
        values[voxel] = winding != 0 ? -value : value;
      }
    }
  }
  const auto add = [](unsigned long long a, unsigned long long b) { return a + b; };
  partial.once = WarpReduce(partial.once, add);
  partial.onceReversed = WarpReduce(partial.onceReversed, add);
  partial.several = WarpReduce(partial.several, add);
  if (lane == 0)
  {
    atomicAdd(&counts->once, partial.once);
    atomicAdd(&counts->onceReversed, partial.onceReversed);
    atomicAdd(&counts->several, partial.several);
  }
}

} // namespace cudaneuro::gpu

#endif
