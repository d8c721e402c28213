// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_points_PairSums_cuh
#define cudaneuro_points_PairSums_cuh

#include "cuda/AsyncCopy.cuh"
#include "points/NearGroups.cuh"

namespace cudaneuro
{

/** Shape of a block of VWarps warps that sums over pairs for the points i of its tile: a lane has VPointsPerLane of
 * them in registers, a warp all of them VSlices times. Warps and slices process different points j.
 *
 * Each load of a point j from shared memory serves VPointsPerLane pairs of a lane. With one pair per load, kernels
 * would be bound by shared memory. */
template <typename TNumber, int VDimension, int VPointsPerLane, int VSlices, int VWarps, int VResidentBlocks>
struct PairTile
{
  using T = TNumber;
  static constexpr int dimension = VDimension;
  static constexpr int pointsPerLane = VPointsPerLane;
  static constexpr int slices = VSlices;
  static constexpr int warps = VWarps;
  static constexpr int threads = 32 * VWarps;
  /** Resident blocks per multiprocessor, which limits the number of registers. */
  static constexpr int residentBlocks = VResidentBlocks;
  static constexpr int lanesOfSlice = 32 / VSlices;
  static constexpr int points = lanesOfSlice * VPointsPerLane;
  static constexpr int numbers = 2 * VDimension;
  static_assert(points % pointsPerGroup == 0, "a tile has whole groups");

  /** Number of points j in each of two buffers in shared memory, one of which is filled while the other is in use. */
  static constexpr int chunkPoints = static_cast<int>(32 * VWarps * 4 / sizeof(T));
  static constexpr int chunkGroups = chunkPoints / pointsPerGroup;
  /** Size of a buffer for one array, in numbers. */
  static constexpr int bufferNumbers = chunkPoints * recordWidth<VDimension>;
  /** Two buffers, each for two arrays. */
  static constexpr std::size_t sharedBytes = 4 * bufferNumbers * sizeof(T);

  /** Number of terms that are added plainly; longer sums are sums of such sums. */
  static constexpr int termsOfPlainSum = 64;
  static constexpr int termsOfChunk = chunkPoints / (VWarps * VSlices);
  static constexpr int chunksOfPlainSum = termsOfChunk < termsOfPlainSum ? termsOfPlainSum / termsOfChunk : 1;
};

/** Shared memory of PairSums. */
template <typename TTile>
struct PairSumMemory
{
  using T = typename TTile::T;
  /** The compensation of each thread's sums, in shared memory because it is seldom used and registers are few. */
  T excess[TTile::pointsPerLane][TTile::numbers][TTile::threads];
};

/** The sums of the warps, for each of the tile's numbers. They overwrite the chunks when these are no longer
 * needed. */
template <typename TTile>
struct PartialSums
{
  typename TTile::T sums[TTile::warps][TTile::numbers][TTile::points];
  static_assert(sizeof(sums) <= TTile::sharedBytes, "there is room for it");
};

/** Sums over the points j of a list of groups, at the points of a tile. Called by all threads of a block. TPoint is
 * SlopePoint or AdjointPoint, and TTile a PairTile.
 *
 * Short sums are added plainly, and their results with compensation (Kahan), so that the error does not grow with the
 * number of points. */
template <typename TTile, typename TPoint>
class PairSums
{
public:
  using T = typename TTile::T;
  static constexpr int dimension = TTile::dimension;

  /** Loads the lane's points i. \param states, adjoints of all points; \param chunks TTile::sharedBytes of shared
   * memory */
  __device__
  PairSums(const T * states, const T * adjoints, int tile, PairSumMemory<TTile> & memory, T * chunks)
    : m_Arrays{ states, adjoints }
    , m_Memory(memory)
    , m_Chunks(chunks)
  {
    for (int r = 0; r < TTile::pointsPerLane; ++r)
    {
      for (int number = 0; number < TTile::numbers; ++number)
      {
        m_Memory.excess[r][number][threadIdx.x] = 0;
      }
    }
    const int firstPoint = tile * TTile::points + static_cast<int>(threadIdx.x) % TTile::lanesOfSlice;
    for (int r = 0; r < TTile::pointsPerLane; ++r)
    {
      const std::int64_t at = static_cast<std::int64_t>(firstPoint + r * TTile::lanesOfSlice) * recordWidth<dimension>;
      m_Own[r].template Load<ReadThroughL2>(states + at, adjoints + at);
    }
  }

  /** Adds the points of listed groups. While one chunk of them is summed over, the next one is copied. */
  __device__ void
  Add(const int * list, int groups)
  {
    const int chunks = DivideUp(groups, TTile::chunkGroups);
    this->StartChunk(list, groups, 0);
    for (int chunk = 0; chunk < chunks; ++chunk)
    {
      this->StartChunk(list, groups, chunk + 1);
      WaitForCopies<1>();
      __syncthreads();
      this->AddChunk(chunk % 2, min(TTile::chunkGroups, groups - chunk * TTile::chunkGroups) * pointsPerGroup);
      __syncthreads();
      if ((chunk + 1) % TTile::chunksOfPlainSum == 0)
      {
        this->Flush();
      }
    }
    this->Flush();
  }

  /** Writes the sums of each warp to PartialSums. */
  __device__ void
  Store()
  {
    auto &    partial = *reinterpret_cast<PartialSums<TTile> *>(m_Chunks);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    for (int r = 0; r < TTile::pointsPerLane; ++r)
    {
      for (int number = 0; number < TTile::numbers; ++number)
      {
        T sum = m_Sums[r][number];
        for (int distance = TTile::lanesOfSlice; distance < 32; distance *= 2)
        {
          sum += __shfl_xor_sync(0xffffffffu, sum, distance);
        }
        if (lane < TTile::lanesOfSlice)
        {
          partial.sums[warp][number][r * TTile::lanesOfSlice + lane] = sum;
        }
      }
    }
  }

private:
  __device__ T *
  Buffer(int buffer, int array) const
  {
    return m_Chunks + (2 * buffer + array) * TTile::bufferNumbers;
  }

  /** Starts to copy the records of a chunk of the list; does nothing beyond its end. */
  __device__ void
  StartChunk(const int * list, int groups, int chunk) const
  {
    constexpr int piecesOfGroup = pointsPerGroup * recordWidth<dimension> * static_cast<int>(sizeof(T)) / 16;
    const int     first = chunk * TTile::chunkGroups;
    const int     pieces = min(TTile::chunkGroups, groups - first) * piecesOfGroup;
#pragma unroll 1
    for (int piece = static_cast<int>(threadIdx.x); piece < pieces; piece += TTile::threads)
    {
      const std::int64_t from =
        static_cast<std::int64_t>(list[first + piece / piecesOfGroup]) * piecesOfGroup + piece % piecesOfGroup;
      for (int array = 0; array < TPoint::arrays; ++array)
      {
        StartCopy(reinterpret_cast<int4 *>(this->Buffer(chunk % 2, array)) + piece,
                  reinterpret_cast<const int4 *>(m_Arrays[array]) + from);
      }
    }
    CommitCopies();
  }

  __device__ __forceinline__ void
  AddChunk(int buffer, int points)
  {
    const T * const states = this->Buffer(buffer, 0);
    const T * const adjoints = this->Buffer(buffer, 1);
    const int       slice = static_cast<int>(threadIdx.x) / TTile::lanesOfSlice;
#pragma unroll 2
    for (int j = slice; j < points; j += TTile::warps * TTile::slices)
    {
      TPoint other;
      other.template Load<ReadPlainly>(states + j * recordWidth<dimension>, adjoints + j * recordWidth<dimension>);
#pragma unroll
      for (int r = 0; r < TTile::pointsPerLane; ++r)
      {
        m_Own[r].Add(other, m_PlainSums[r]);
      }
    }
  }

  __device__ __forceinline__ void
  Flush()
  {
#pragma unroll
    for (int r = 0; r < TTile::pointsPerLane; ++r)
    {
#pragma unroll
      for (int d = 0; d < dimension; ++d)
      {
        this->AddCompensated(r, d, m_PlainSums[r].first[d]);
        this->AddCompensated(r, dimension + d, m_PlainSums[r].second[d]);
      }
      m_PlainSums[r] = {};
    }
  }

  __device__ __forceinline__ void
  AddCompensated(int r, int number, T value)
  {
    T &     excess = m_Memory.excess[r][number][threadIdx.x];
    const T corrected = value - excess;
    const T next = m_Sums[r][number] + corrected;
    excess = (next - m_Sums[r][number]) - corrected;
    m_Sums[r][number] = next;
  }

  const T *                m_Arrays[2];
  PairSumMemory<TTile> &   m_Memory;
  T *                      m_Chunks;
  TPoint                   m_Own[TTile::pointsPerLane];
  RecordSums<T, dimension> m_PlainSums[TTile::pointsPerLane];
  T                        m_Sums[TTile::pointsPerLane][TTile::numbers] = {};
};

} // namespace cudaneuro

#endif
