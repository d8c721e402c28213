// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansTile_cuh
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansTile_cuh

#include "denoising/nonlocalmeans/NonLocalMeansVoxel.cuh"

namespace cudaneuro::gpu
{

/** The part of the image that a block works on, scaled, in shared memory: a ring of planes that moves along z. The 32
 * lanes of a warp lie along x, of which VBorder on either side have no outputs. VWarps warps of VRows output rows each
 * lie along y. With VMap, voxels with unknown noise are excluded. With VUpward, the window along z extends only to
 * the planes above. */
template <int  VPatch,
          int  VPatchZ,
          int  VRows,
          int  VPlanes,
          int  VWarps,
          bool VMap,
          int  VBorder = VPatch,
          bool VUpward = false>
struct NonLocalMeansTile
{
  /** Distance between rows in memory. It is constant, so that loads need no address arithmetic. */
  static constexpr int pitch = 32 + 2 * nonLocalMeansLargestWindow;
  static constexpr int tileX = 32 - 2 * VBorder;
  static constexpr int tileY = VWarps * VRows;
  static constexpr int threads = 32 * VWarps;

  float * values;
  /** For each row of the ring, plane by plane: a bit for each excluded voxel. */
  std::uint64_t * excluded;
  int             rows;
  int             planes;
  int             xFirst;
  int             yFirst;
  /** The lowest plane in the ring, and its place there. */
  int zFirst;
  int slot;

  /** Returns the number of voxels of a row that are used, at most pitch. */
  __host__ __device__ static int
  Columns(const NonLocalMeansArguments & a)
  {
    return 32 + 2 * a.window[0];
  }
  __host__ __device__ static int
  Rows(const NonLocalMeansArguments & a)
  {
    return tileY + 2 * (VPatch + a.window[1]);
  }
  __host__ __device__ static int
  Planes(const NonLocalMeansArguments & a)
  {
    return VPlanes + 2 * VPatchZ + (VUpward ? 1 : 2) * a.window[2];
  }
  static std::size_t
  Bytes(const NonLocalMeansArguments & a)
  {
    return (sizeof(float) * pitch + sizeof(std::uint64_t)) * Rows(a) * Planes(a);
  }

  /** Loads the first planes. \param shared dynamic shared memory, aligned to 8 bytes */
  __device__ __forceinline__ void
  Start(const NonLocalMeansArguments & a, float * shared, int column, int zStrip)
  {
    rows = Rows(a);
    planes = Planes(a);
    values = shared;
    excluded = reinterpret_cast<std::uint64_t *>(shared + pitch * rows * planes);
    xFirst = (column % a.tilesX) * tileX - VBorder - a.window[0];
    yFirst = (column / a.tilesX) * tileY - VPatch - a.window[1];
    zFirst = zStrip - VPatchZ - (VUpward ? 0 : a.window[2]);
    slot = 0;
    this->Load(a, 0, planes);
  }

  /** Moves the ring up by VPlanes planes. */
  __device__ __forceinline__ void
  Advance(const NonLocalMeansArguments & a)
  {
    __syncthreads();
    zFirst += VPlanes;
    slot += VPlanes;
    slot = slot >= planes ? slot - planes : slot;
    this->Load(a, planes - VPlanes, planes);
  }

  /** Returns the place in the ring of plane zFirst + \p index; 0 <= index < planes. */
  __device__ __forceinline__ int
  Slot(int index) const
  {
    const int s = slot + index;
    return s >= planes ? s - planes : s;
  }
  __device__ __forceinline__ const float *
  Plane(int index) const
  {
    return values + this->Slot(index) * (pitch * rows);
  }

  /** Fills planes zFirst + [begin, end), several rows at a time to hide latency. Ends with a barrier. */
  __device__ void
  Load(const NonLocalMeansArguments & a, int begin, int end)
  {
    constexpr int rowsAtOnce = 4;
    const int     lane = threadIdx.x % 32;
    const int     columns = Columns(a);
    const int     count = (end - begin) * rows;
    for (int first = threadIdx.x / 32; first < count; first += VWarps * rowsAtOnce)
    {
      float voxels[rowsAtOnce][2];
#pragma unroll
      for (int i = 0; i < rowsAtOnce; ++i)
      {
        const int row = first + i * VWarps;
        const int y = yFirst + row % rows;
        const int z = zFirst + begin + row / rows;
        voxels[i][0] = LoadNonLocalMeansVoxel<VMap>(a, xFirst + lane, y, z);
        voxels[i][1] = lane + 32 < columns ? LoadNonLocalMeansVoxel<VMap>(a, xFirst + lane + 32, y, z) : 0.0f;
      }
#pragma unroll
      for (int i = 0; i < rowsAtOnce; ++i)
      {
        const int row = first + i * VWarps;
        if (row < count)
        {
          const int          rowInRing = this->Slot(begin + row / rows) * rows + row % rows;
          const unsigned int lower = __ballot_sync(0xffffffffu, !TakesPart(voxels[i][0]));
          const unsigned int upper = __ballot_sync(0xffffffffu, !TakesPart(voxels[i][1]));
          float * const      target = values + rowInRing * pitch + lane;
          target[0] = voxels[i][0];
          if (lane + 32 < columns)
          {
            target[32] = voxels[i][1];
          }
          if (lane == 0)
          {
            excluded[rowInRing] = (static_cast<std::uint64_t>(upper) << 32) | lower;
          }
        }
      }
    }
    __syncthreads();
  }

  /** The columns (along x), rows (along y), and planes of a box that hold excluded voxels, as bits, and whether all
   * voxels of the box are excluded. Bit 0 is the tile's first column, and the box's first row and plane. */
  struct Exclusion
  {
    std::uint64_t columns = 0;
    unsigned int  rows = 0;
    unsigned int  planes = 0;
    bool          all = true;
  };

  /** Returns whether a voxel of the image in rows [yBegin, yEnd) is excluded. All lanes of a warp get one result. */
  __device__ __forceinline__ bool
  HasExcludedVoxels(const NonLocalMeansArguments & a, int yBegin, int yEnd) const
  {
    const int           xBegin = max(0, -xFirst);
    const int           xEnd = min(Columns(a), a.size.x - xFirst);
    const std::uint64_t inside = xBegin < xEnd ? ((1ull << (xEnd - xBegin)) - 1) << xBegin : 0;
    const int           rowsInBox = yEnd - yBegin;
    bool                found = false;
    for (int i = threadIdx.x % 32; i < rowsInBox * planes; i += 32)
    {
      const int row = yBegin + i % rowsInBox;
      const int plane = i / rowsInBox;
      const int y = yFirst + row;
      const int z = zFirst + plane;
      if (y >= 0 && y < a.size.y && z >= 0 && z < a.size.z)
      {
        found = found || (excluded[this->Slot(plane) * rows + row] & inside) != 0;
      }
    }
    return __any_sync(0xffffffffu, found);
  }

  /** Returns whether rows [yBegin, yEnd) lie in the image with all columns and planes. */
  __device__ __forceinline__ bool
  IsInside(const NonLocalMeansArguments & a, int yBegin, int yEnd) const
  {
    return xFirst >= 0 && xFirst + Columns(a) <= a.size.x && yFirst + yBegin >= 0 && yFirst + yEnd <= a.size.y &&
           zFirst >= 0 && zFirst + planes <= a.size.z;
  }

  /** Finds the excluded voxels of a box of at most 32 rows and planes. All lanes of a warp get the same
   * result. */
  __device__ __forceinline__ Exclusion
  Scan(int xBegin, int xEnd, int yBegin, int yEnd, int zBegin, int zEnd) const
  {
    const std::uint64_t inside = ((1ull << (xEnd - xBegin)) - 1) << xBegin;
    const int           rowsInBox = yEnd - yBegin;
    Exclusion           found;
    for (int i = threadIdx.x % 32; i < rowsInBox * (zEnd - zBegin); i += 32)
    {
      const int           row = i % rowsInBox;
      const int           plane = i / rowsInBox;
      const std::uint64_t bits = excluded[this->Slot(zBegin + plane) * rows + yBegin + row] & inside;
      found.columns |= bits;
      found.rows |= bits != 0 ? 1u << row : 0u;
      found.planes |= bits != 0 ? 1u << plane : 0u;
      found.all = found.all && bits == inside;
    }
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
    {
      found.columns |= __shfl_xor_sync(0xffffffffu, found.columns, distance);
      found.rows |= __shfl_xor_sync(0xffffffffu, found.rows, distance);
      found.planes |= __shfl_xor_sync(0xffffffffu, found.planes, distance);
    }
    found.all = __all_sync(0xffffffffu, found.all);
    return found;
  }
};

} // namespace cudaneuro::gpu

#endif
