// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansTile_cuh
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansTile_cuh

#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "cuda/SharedMemoryLimit.h"
#include "denoising/nonlocalmeans/NonLocalMeansArguments.cuh"
#include "denoising/nonlocalmeans/NonLocalMeansFormulas.h"

#include <algorithm>

namespace cudaneuro
{
namespace gpu
{

/** Stands in shared memory for a voxel that takes no part. Its square is infinite, and so is the square of its
 * difference from any voxel that does: the weight 2^(-d^2) of such a pair is exactly 0. */
constexpr float nonLocalMeansExcluded = 1.2676506e30f; // 2^100
/** Larger than any voxel that takes part, and than the difference of two of them. */
constexpr float nonLocalMeansExcludedLimit = 6.1897002e26f; // 2^89
static_assert(largestScaledIntensity < nonLocalMeansExcludedLimit, "voxels at the limit are not excluded ones");

__device__ __forceinline__ bool
TakesPart(float tileValue)
{
  return fabsf(tileValue) < nonLocalMeansExcludedLimit;
}

/** Voxel (x, y, z) as kernels compute with it, or nonLocalMeansExcluded. */
__device__ __forceinline__ float
LoadNonLocalMeansVoxel(const NonLocalMeansArguments & a, int x, int y, int z)
{
  if (x < 0 || x >= a.size[0] || y < 0 || y >= a.size[1] || z < 0 || z >= a.size[2])
  {
    return nonLocalMeansExcluded;
  }
  const long long voxel = (static_cast<long long>(z) * a.size[1] + y) * a.size[0] + x;
  const float     pixel = a.input[voxel];
  const bool      takesPart = IsFinite(pixel) && (a.mask == nullptr || a.mask[voxel] != 0);
  return takesPart ? ScaledIntensity(a.intensity, pixel) : nonLocalMeansExcluded;
}

/** Adds weight * value to one sum and weight to the other if \a tileValue takes part. Volatile, or the compiler keeps
 * the comparisons of all values for their next use, and runs out of registers. */
__device__ __forceinline__ void
AddIfTakesPart(float tileValue, float value, float weight, float & weightedSum, float & weightSum)
{
  asm volatile("{\n\t"
               ".reg .pred takesPart;\n\t"
               "setp.lt.f32 takesPart, %2, %5;\n\t"
               "@takesPart fma.rn.f32 %0, %3, %4, %0;\n\t"
               "@takesPart add.f32 %1, %1, %3;\n\t"
               "}"
               : "+f"(weightedSum), "+f"(weightSum)
               : "f"(tileValue), "f"(weight), "f"(value), "f"(nonLocalMeansExcludedLimit));
}

/** Both ends of a pair are compared by their difference. With the sign of one end flipped, two excluded voxels differ,
 * too, even a voxel from itself. */
__device__ __forceinline__ float
FlipExcluded(float tileValue)
{
  return TakesPart(tileValue) ? tileValue : -nonLocalMeansExcluded;
}

/** Sums of 2 VRadius + 1 successive inputs; in: VCount + 2 VRadius, out: VCount.
 * Neighboring outputs share all but their outermost terms, which are summed in pairs: two to three additions each. */
template <int VCount, int VRadius>
__device__ __forceinline__ void
BoxSums(const float (&in)[VCount + 2 * VRadius], float (&out)[VCount])
{
  if constexpr (VRadius == 0)
  {
#pragma unroll
    for (int i = 0; i < VCount; ++i)
    {
      out[i] = in[i];
    }
  }
  else
  {
    constexpr int numberOfPairs = (VCount + 1) / 2 + VRadius - 1;
    float         pairs[numberOfPairs];
#pragma unroll
    for (int i = 0; i < numberOfPairs; ++i)
    {
      pairs[i] = in[2 * i + 1] + in[2 * i + 2];
    }
#pragma unroll
    for (int i = 0; i < VCount; i += 2)
    {
      float middle = pairs[i / 2];
#pragma unroll
      for (int j = 1; j < VRadius; ++j)
      {
        middle += pairs[i / 2 + j];
      }
      out[i] = in[i] + middle;
      if (i + 1 < VCount)
      {
        out[i + 1] = middle + in[i + 2 * VRadius + 1];
      }
    }
  }
}

/** Sum over the lanes within VRadius of this one. Right in lanes [VRadius, 32 - VRadius). */
template <int VRadius>
__device__ __forceinline__ float
LaneBoxSum(float value)
{
  constexpr unsigned int all = 0xffffffffu;
  if constexpr (VRadius == 0)
  {
    return value;
  }
  else
  {
    float half = value;
#pragma unroll
    for (int i = 1; i < VRadius; ++i)
    {
      half += __shfl_down_sync(all, value, i);
    }
    return __shfl_up_sync(all, half, VRadius) + value + __shfl_down_sync(all, half, 1);
  }
}

/** The part of the image that one block works on, as (V - reference) * scale, in shared memory: a ring of planes that
 * moves along z. A warp's 32 lanes lie along x, VPatch of them on either side as the patch's border; VWarps warps of
 VRows output rows lie along y. */
template <int VPatch, int VPatchZ, int VRows, int VPlanes, int VWarps>
struct NonLocalMeansTile
{
  /** Distance of rows in memory; a constant, so that loads need no address arithmetic. */
  static constexpr int pitch = 32 + 2 * nonLocalMeansLargestWindow;
  static constexpr int tileX = 32 - 2 * VPatch;
  static constexpr int tileY = VWarps * VRows;
  static constexpr int stripPlanes = VPlanes;
  static constexpr int threads = 32 * VWarps;

  float * values;
  /** Of every row of the ring, by plane, a bit for each voxel that takes no part. */
  unsigned long long * excluded;
  int                  rows;
  int                  planes;
  int                  xFirst;
  int                  yFirst;
  /** Lowest plane in the ring, and where it is. */
  int zFirst;
  int slot;

  /** Voxels of a row that are used; at most pitch. */
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
    return VPlanes + 2 * (VPatchZ + a.window[2]);
  }
  static std::size_t
  Bytes(const NonLocalMeansArguments & a)
  {
    return (sizeof(float) * pitch + sizeof(unsigned long long)) * Rows(a) * Planes(a);
  }

  /** \a shared is aligned to 8 bytes. */
  __device__ __forceinline__ void
  Start(const NonLocalMeansArguments & a, float * shared, int column, int zStrip)
  {
    rows = Rows(a);
    planes = Planes(a);
    values = shared;
    excluded = reinterpret_cast<unsigned long long *>(shared + pitch * rows * planes);
    xFirst = (column % a.tilesX) * tileX - VPatch - a.window[0];
    yFirst = (column / a.tilesX) * tileY - VPatch - a.window[1];
    zFirst = zStrip - VPatchZ - a.window[2];
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

  /** Where plane zFirst + \a index is in the ring; 0 <= index < planes. */
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

  /** Fills planes zFirst + [begin, end), several rows at a time to have many loads on the way; ends with a barrier. */
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
        voxels[i][0] = LoadNonLocalMeansVoxel(a, xFirst + lane, y, z);
        voxels[i][1] = lane + 32 < columns ? LoadNonLocalMeansVoxel(a, xFirst + lane + 32, y, z) : 0.0f;
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
            excluded[rowInRing] = (static_cast<unsigned long long>(upper) << 32) | lower;
          }
        }
      }
    }
    __syncthreads();
  }

  /** Voxels of a box of the tile that take no part: the columns along x, the rows along y and the planes that hold any,
   * as bits, columns counted from the tile's, rows and planes from the box's first, and whether that is every voxel of
   * the box. The same in all lanes of a warp. At most 32 rows and planes. */
  struct Exclusion
  {
    unsigned long long columns = 0;
    unsigned int       rows = 0;
    unsigned int       planes = 0;
    bool               all = true;
  };

  __device__ __forceinline__ Exclusion
  Scan(int xBegin, int xEnd, int yBegin, int yEnd, int zBegin, int zEnd) const
  {
    const unsigned long long inside = ((1ull << (xEnd - xBegin)) - 1) << xBegin;
    const int                rowsInBox = yEnd - yBegin;
    Exclusion                found;
    for (int i = threadIdx.x % 32; i < rowsInBox * (zEnd - zBegin); i += 32)
    {
      const int                row = i % rowsInBox;
      const int                plane = i / rowsInBox;
      const unsigned long long bits = excluded[this->Slot(zBegin + plane) * rows + yBegin + row] & inside;
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

/** What is averaged of a voxel of the tile: x, or scaled V^2 - reference^2 for the Rician correction. */
template <bool VRician>
__device__ __forceinline__ float
ValueToAverage(const NonLocalMeansArguments & a, float x)
{
  return VRician ? x * (x + a.rician.twiceReference) : x;
}

/** Whether a voxel of the tile is denoised: it takes part, and its scaled intensity is not at the limit. */
__device__ __forceinline__ bool
IsDenoised(float tileValue)
{
  return fabsf(tileValue) < largestScaledIntensity;
}

/** What becomes of a voxel that is not denoised. */
template <bool VRician>
__device__ __forceinline__ float
KeptIntensity(float tileValue, float pixel)
{
  return VRician && TakesPart(tileValue) ? fabsf(pixel) : pixel;
}

/** The denoised intensity from the weighted sum and the sum of weights. */
template <bool VRician>
__device__ __forceinline__ float
NonLocalMeansResult(const NonLocalMeansArguments & a, float weightedSum, float weightSum)
{
  const float mean = weightedSum / weightSum;
  return VRician ? RicianCorrected(a.intensity.reference, mean, a.rician)
                 : fmaf(mean, a.rician.inverseScale, a.intensity.reference);
}

/** Of \a total strips, the first that is block \a block's or a later one's. Blocks that start later get less, so that
 * all end at about the same time. */
__device__ __forceinline__ long long
FirstStripOfBlock(long long total, long long block)
{
  const double part = static_cast<double>(block) / gridDim.x;
  return static_cast<long long>(static_cast<double>(total) * part * (2.0 - part));
}

/** Calls work(column, zBegin, zEnd) for this block's share of all strips of VPlanes planes of all columns. Shares are
 * contiguous, since starting a column costs. */
template <int VPlanes, typename TWork>
__device__ __forceinline__ void
ForEachPieceOfColumn(const NonLocalMeansArguments & a, const TWork & work)
{
  const long long total = static_cast<long long>(a.tilesX) * a.tilesY * a.strips;
  long long       strip = FirstStripOfBlock(total, blockIdx.x);
  const long long end = FirstStripOfBlock(total, blockIdx.x + 1);
  while (strip < end)
  {
    const int       column = static_cast<int>(strip / a.strips);
    const int       first = static_cast<int>(strip % a.strips);
    const long long left = end - strip;
    const int       count = left < a.strips - first ? static_cast<int>(left) : a.strips - first;
    const int       zBegin = a.zBegin + first * VPlanes;
    const int       zEnd = zBegin + count * VPlanes;
    work(column, zBegin, zEnd < a.zEnd ? zEnd : a.zEnd);
    strip += count;
  }
}

/** Launches a kernel whose blocks share the columns of TTile: a few times as many blocks as fit on the device at once,
 * which evens out columns of unequal cost. */
template <typename TTile>
void
LaunchOverTiles(void (*kernel)(NonLocalMeansArguments),
                NonLocalMeansArguments a,
                int                    multiprocessors,
                cudaStream_t           stream)
{
  constexpr int rounds = 6;
  a.tilesX = DivideUp(a.size[0], TTile::tileX);
  a.tilesY = DivideUp(a.size[1], TTile::tileY);
  a.strips = DivideUp(a.zEnd - a.zBegin, TTile::stripPlanes);
  const auto bytes = static_cast<int>(TTile::Bytes(a));
  AllowAllSharedMemory(kernel);
  int blocksPerMultiprocessor = 0;
  CUDANEURO_CUDA(
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocksPerMultiprocessor, kernel, TTile::threads, bytes));
  const long long strips = static_cast<long long>(a.tilesX) * a.tilesY * a.strips;
  const long long blocks = static_cast<long long>(std::max(1, blocksPerMultiprocessor)) * multiprocessors * rounds;
  kernel<<<static_cast<unsigned int>(std::min(strips, blocks)), TTile::threads, bytes, stream>>>(a);
  CUDANEURO_CUDA_LAUNCHED("non-local means");
}

} // namespace gpu
} // namespace cudaneuro

#endif
