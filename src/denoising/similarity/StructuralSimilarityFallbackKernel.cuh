// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_similarity_StructuralSimilarityFallbackKernel_cuh
#define cudaneuro_denoising_similarity_StructuralSimilarityFallbackKernel_cuh

#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "cuda/SharedMemoryLimit.h"
#include "denoising/similarity/StructuralSimilarityArguments.cuh"
#include "denoising/similarity/StructuralSimilarityShape.cuh"

#include <algorithm>

namespace cudaneuro::gpu
{

/** Mean and variance of the sum s and of the difference d of the images, over those voxels of a part of a window that
 * are not excluded, and the weight of these. In double precision no square of a float overflows, and none is lost
 * when it is added to another. */
struct SimilarityAverage
{
  double s;
  double sVariance;
  double d;
  double dVariance;
  double weight;
};

/** Returns the average of the results of get(offset) for the offsets of a window. Differences from the one nearest to
 * the window's center are averaged, because variances of values far from 0 would lose their digits. */
template <typename TGet>
__device__ __forceinline__ SimilarityAverage
AverageOfWindow(const StructuralSimilarityArguments & a, const TGet & get)
{
  constexpr int     radius = similarityWindowRadius;
  SimilarityAverage near = get(0);
  for (int offset = 1; near.weight == 0.0 && offset <= radius; ++offset)
  {
    near = get(-offset);
    near = near.weight == 0.0 ? get(offset) : near;
  }
  SimilarityAverage sums{ 0.0, 0.0, 0.0, 0.0, 0.0 };
#pragma unroll
  for (int offset = -radius; offset <= radius; ++offset)
  {
    const SimilarityAverage part = get(offset);
    if (part.weight != 0.0)
    {
      const double weight = a.taps[offset < 0 ? -offset : offset] * part.weight;
      const double s = part.s - near.s;
      const double d = part.d - near.d;
      sums.s = fma(weight, s, sums.s);
      sums.sVariance = fma(weight, fma(s, s, part.sVariance), sums.sVariance);
      sums.d = fma(weight, d, sums.d);
      sums.dVariance = fma(weight, fma(d, d, part.dVariance), sums.dVariance);
      sums.weight += weight;
    }
  }
  if (sums.weight == 0.0)
  {
    return sums;
  }
  const double inverse = 1.0 / sums.weight;
  const double s = sums.s * inverse;
  const double d = sums.d * inverse;
  return {
    near.s + s, fma(-s, s, sums.sVariance * inverse), near.d + d, fma(-d, d, sums.dVariance * inverse), sums.weight
  };
}

/** A warp's part of a tile in a block of planes, recomputed by one thread block: along x, then y, then z, plane by
 * plane. */
template <typename TShape>
class SimilarityFallback
{
public:
  static constexpr int radius = similarityWindowRadius;
  static constexpr int tileX = similarityTileX;
  static constexpr int tileY = 32 / tileX * TShape::rows;
  static constexpr int tile = tileX * tileY;
  static constexpr int inputRows = tileY + 2 * radius;
  static constexpr int threads = tileX * inputRows;
  static constexpr int window = 2 * radius + 1;
  static_assert(threads % 32 == 0 && threads <= 1024);

  static std::size_t
  SharedBytes()
  {
    return sizeof(SimilarityAverage) * (threads + window * tile);
  }

  /** \param item index among the partial results of planes [zBegin, zEnd) */
  __device__
  SimilarityFallback(const StructuralSimilarityArguments & arguments, SimilarityAverage * shared, int item)
    : a(arguments)
    , m_Rows(shared)
    , m_Planes(shared + threads)
  {
    const int columns = a.tilesX * a.tilesY;
    const int column = item / TShape::warps % columns;
    m_ZFirst = (a.zBegin / similarityBlockPlanes + item / (TShape::warps * columns)) * similarityBlockPlanes;
    m_ZEnd = min(m_ZFirst + similarityBlockPlanes, a.zEnd);
    m_X = column % a.tilesX * tileX + static_cast<int>(threadIdx.x) % tileX;
    m_YFirst = column / a.tilesX * SimilarityTileY<TShape>() + item % TShape::warps * tileY;
    m_Row = static_cast<int>(threadIdx.x) / tileX;
  }

  /** Adds the similarities of the part. All threads of the block must call it. */
  __device__ void
  AddSimilarities(double & sum, unsigned int & count) const
  {
    if (a.map == nullptr && !this->IsAnyAveraged())
    {
      return;
    }
    for (int z = m_ZFirst - radius; z < m_ZEnd + radius; ++z)
    {
      m_Rows[threadIdx.x] = this->AverageAlongX(z);
      __syncthreads();
      // Plane z is at the remainder of z + radius, which is not negative.
      if (m_Row < tileY)
      {
        m_Planes[(z + radius) % window * tile + threadIdx.x] = AverageOfWindow(
          a, [&](int offset) { return m_Rows[static_cast<int>(threadIdx.x) + (radius + offset) * tileX]; });
      }
      __syncthreads();
      const int center = z - radius;
      const int y = m_YFirst + m_Row;
      if (center >= m_ZFirst && m_Row < tileY && m_X < a.size.x && y < a.size.y)
      {
        this->Finish(y, center, sum, count);
      }
    }
    __syncthreads(); // before the next part overwrites the shared memory
  }

  /** Adds the squared differences of the part. */
  __device__ void
  AddSquaredDifferences(double & sum, unsigned int & count) const
  {
    const int y = m_YFirst + m_Row;
    for (int z = m_ZFirst; z < m_ZEnd && m_Row < tileY && m_X < a.size.x && y < a.size.y; ++z)
    {
      const std::int64_t voxel = this->VoxelAt(m_X, y, z);
      const float        reference = a.reference[voxel];
      const float        image = a.image[voxel];
      if (this->IsInMask(voxel) && IsFinite(reference) && IsFinite(image))
      {
        const double difference = double{ reference } - image;
        sum += difference * difference;
        ++count;
      }
    }
  }

private:
  __device__ std::int64_t
             VoxelAt(int x, int y, int z) const
  {
    return (static_cast<std::int64_t>(z) * a.size.y + y) * a.size.x + x;
  }
  __device__ bool
  IsInMask(std::int64_t voxel) const
  {
    return a.mask == nullptr || a.mask[voxel] != 0;
  }
  __device__ bool
  IsAnyAveraged() const
  {
    const int begin[3] = { m_X - static_cast<int>(threadIdx.x) % tileX, m_YFirst, m_ZFirst };
    const int end[3] = { begin[0] + tileX, m_YFirst + tileY, m_ZEnd };
    bool      isAny = true;
    for (int axis = 0; axis < 3; ++axis)
    {
      isAny = isAny && max(begin[axis], a.averagedBegin[axis]) < min(end[axis], a.averagedEnd[axis]);
    }
    return isAny;
  }

  /** Returns the average of the window along x around this thread's column, in the thread's row among those that are
   * averaged along y. */
  __device__ SimilarityAverage
  AverageAlongX(int z) const
  {
    const std::int64_t row =
      this->VoxelAt(0, ReflectIndex(m_YFirst - radius + m_Row, a.size.y), ReflectIndex(z, a.size.z));
    return AverageOfWindow(a, [&](int offset) {
      const int    x = ReflectIndex(m_X + offset, a.size.x);
      const double reference = a.reference[row + x];
      const double image = a.image[row + x];
      const bool   takesPart = isfinite(reference) && isfinite(image);
      return SimilarityAverage{ reference + image, 0.0, reference - image, 0.0, takesPart ? 1.0 : 0.0 };
    });
  }

  /** Computes the similarity of one voxel over the finite voxels of its window; NaN if the voxel is not finite. */
  __device__ void
  Finish(int y, int z, double & sum, unsigned int & count) const
  {
    const std::int64_t voxel = this->VoxelAt(m_X, y, z);
    const bool         averaged = m_X >= a.averagedBegin[0] && m_X < a.averagedEnd[0] && y >= a.averagedBegin[1] &&
                          y < a.averagedEnd[1] && z >= a.averagedBegin[2] && z < a.averagedEnd[2] &&
                          this->IsInMask(voxel);
    float similarity = NAN;
    if (IsFinite(a.reference[voxel]) && IsFinite(a.image[voxel]))
    {
      const SimilarityAverage average =
        AverageOfWindow(a, [&](int offset) { return m_Planes[(z + radius + offset) % window * tile + threadIdx.x]; });
      const SimilarityConstants<double> constants{ a.constants.c1, a.constants.c2 };
      similarity = static_cast<float>(
        SimilarityFromVariances(average.s, average.d, average.sVariance, average.dVariance, constants));
    }
    if (a.map != nullptr)
    {
      a.map[voxel] = similarity;
    }
    if (averaged && IsFinite(similarity))
    {
      sum += similarity;
      ++count;
    }
  }

  const StructuralSimilarityArguments & a;
  /** Averages along x of all rows of a plane, and averages along x and y of as many planes as a window has. */
  SimilarityAverage * m_Rows;
  SimilarityAverage * m_Planes;
  int                 m_ZFirst;
  int                 m_ZEnd;
  int                 m_X;
  int                 m_YFirst;
  int                 m_Row;
};

/** Reads both images and the mask; rewrites, in double precision and without voxels that are not finite, the partial
 * results and the map where StructuralSimilarityKernel<TShape> left them not finite in planes [zBegin, zEnd). */
template <typename TShape>
static __global__ void
__launch_bounds__(SimilarityFallback<TShape>::threads)
  StructuralSimilarityFallbackKernel(const StructuralSimilarityArguments a)
{
  using Fallback = SimilarityFallback<TShape>;
  extern __shared__ double  sharedDoubles[];
  __shared__ int            toDo[Fallback::threads];
  __shared__ int            numberToDo;
  __shared__ double         sums[Fallback::threads / 32];
  __shared__ unsigned int   counts[Fallback::threads / 32];
  const int                 columns = a.tilesX * a.tilesY;
  const int                 items = DivideUp(a.zEnd - a.zBegin, similarityBlockPlanes) * columns * TShape::warps;
  SimilarityPartial * const partials =
    a.partials + static_cast<std::int64_t>(a.zBegin / similarityBlockPlanes) * columns * TShape::warps;
  const auto isFinished = [](const SimilarityPartial & partial, bool isDifference) {
    return isDifference ? IsFinite(static_cast<float>(partial.squaredDifference)) : IsFinite(partial.similarity);
  };
  // A block processes every gridDim.x-th item; each of its threads checks one of them at a time.
  for (std::int64_t first = blockIdx.x; first < items; first += std::int64_t{ gridDim.x } * Fallback::threads)
  {
    if (threadIdx.x == 0)
    {
      numberToDo = 0;
    }
    __syncthreads();
    const std::int64_t own = first + std::int64_t{ threadIdx.x } * gridDim.x;
    if (own < items && (!isFinished(partials[own], false) || !isFinished(partials[own], true)))
    {
      toDo[atomicAdd(&numberToDo, 1)] = static_cast<int>(own);
    }
    __syncthreads();
    for (int i = 0; i < numberToDo; ++i)
    {
      SimilarityPartial & partial = partials[toDo[i]];
      const Fallback      work(a, reinterpret_cast<SimilarityAverage *>(sharedDoubles), toDo[i]);
      for (int pass = 0; pass < 2; ++pass)
      {
        const bool isDifference = pass != 0;
        if (isFinished(partial, isDifference))
        {
          continue;
        }
        double       sum = 0.0;
        unsigned int count = 0;
        if (isDifference)
        {
          work.AddSquaredDifferences(sum, count);
        }
        else
        {
          work.AddSimilarities(sum, count);
        }
        sum = WarpSum(sum);
        count = WarpSum(count);
        if (threadIdx.x % 32 == 0)
        {
          sums[threadIdx.x / 32] = sum;
          counts[threadIdx.x / 32] = count;
        }
        __syncthreads();
        if (threadIdx.x == 0)
        {
          for (int warp = 1; warp < Fallback::threads / 32; ++warp)
          {
            sum += sums[warp];
            count += counts[warp];
          }
          if (isDifference)
          {
            partial.squaredDifference = sum;
            partial.numberOfDifferences = count;
          }
          else
          {
            partial.similarity = static_cast<float>(sum);
            partial.numberOfSimilarities = count;
          }
        }
        __syncthreads();
      }
    }
    __syncthreads();
  }
}

/** Launches the kernel above. */
template <typename TShape>
void
LaunchSimilarityFallback(const StructuralSimilarityArguments & a, int multiprocessors, cudaStream_t stream)
{
  constexpr int      blocksPerMultiprocessor = 3;
  const auto         kernel = StructuralSimilarityFallbackKernel<TShape>;
  const int          columnBlocks = DivideUp(a.zEnd - a.zBegin, similarityBlockPlanes);
  const std::int64_t items = std::int64_t{ a.tilesX } * a.tilesY * columnBlocks * TShape::warps;
  const auto         blocks =
    static_cast<unsigned int>(std::min<std::int64_t>(items, std::int64_t{ blocksPerMultiprocessor } * multiprocessors));
  kernel<<<blocks, SimilarityFallback<TShape>::threads, SimilarityFallback<TShape>::SharedBytes(), stream>>>(a);
  CUDANEURO_CUDA_LAUNCHED("StructuralSimilarityFallbackKernel");
}

} // namespace cudaneuro::gpu

#endif
