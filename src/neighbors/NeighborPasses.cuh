// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_NeighborPasses_cuh
#define cudaneuro_neighbors_NeighborPasses_cuh

#include "core/Dispatch.h"
#include "cuda/GpuContext.h"
#include "cuda/SharedMemoryLimit.h"
#include "neighbors/CandidateKernel.cuh"
#include "neighbors/CenterKernel.cuh"
#include "neighbors/MaximaKernel.cuh"
#include "neighbors/RankKernel.cuh"
#include "neighbors/ThresholdKernel.cuh"

#include <algorithm>

namespace cudaneuro::gpu
{

/** Maximum number of groups of columns for a query. */
constexpr int largestNumberOfGroups = 1024;

/** Parameters that balance the work of the passes. */
struct NeighborTuning
{
  /** Stride of the sample: thresholds are estimated from every step-th point. */
  int step = 1;
  /** Number of groups for each neighbor: with more groups, fewer neighbors share one. */
  int groupsOfNeighbor = 4;
  /** Maximum device memory for the queries of a batch. */
  std::size_t batchBytes = std::size_t{ 256 } << 20;
};

/** A division of columns among blocks. */
struct ColumnParts
{
  int parts;
  int columnsOfPart;
};

/** The number of parts from \p fewest to \p most that minimizes the time: the blocks of all parts run in waves that
 * fill the device, and the time of a block is that of its tiles and a fixed cost. */
inline ColumnParts
DivideColumns(std::int64_t columns, int tileColumns, std::int64_t rowBlocks, int slots, int fewest, int most)
{
  constexpr std::int64_t tilesToBegin = 3;
  const std::int64_t     tiles = DivideUp(columns, std::int64_t{ tileColumns });
  ColumnParts            best{ 1, 0 };
  std::int64_t           least = 0;
  for (std::int64_t wanted = std::min<std::int64_t>(fewest, tiles); wanted <= std::min<std::int64_t>(most, tiles);
       ++wanted)
  {
    const std::int64_t tilesOfPart = DivideUp(tiles, wanted);
    const std::int64_t parts = DivideUp(tiles, tilesOfPart);
    const std::int64_t time = DivideUp(rowBlocks * parts, std::int64_t{ slots }) * (tilesOfPart + tilesToBegin);
    if (best.columnsOfPart == 0 || time < least)
    {
      best = { static_cast<int>(parts), static_cast<int>(tilesOfPart * tileColumns) };
      least = time;
    }
  }
  return best;
}

/** The passes of a search for chosen queries among chosen points, which ignores all others. Prepare comes first; then,
 * for each batch of queries, the other functions in their order. All enqueue on the compute stream. */
template <typename TMaximaShape, typename TCandidateShape>
class NeighborPasses
{
public:
  static_assert(TMaximaShape::depth == TCandidateShape::depth);
  static constexpr int depth = TMaximaShape::depth;

  /** \param left receives the queries with too many candidates, appended to those that it has */
  NeighborPasses(const GpuContext &      gpu,
                 const NeighborSearch &  search,
                 const VectorChoice &    points,
                 const VectorChoice &    queries,
                 const NeighborTuning &  tuning,
                 const OverflowQueries & left)
    : m_Gpu(gpu)
    , m_Search(search)
    , m_Points(points)
    , m_Queries(queries)
    , m_Tuning(tuning)
    , m_Overflow(left)
    , m_IsSelfSearch(search.queries == search.points && points.count == queries.count && !points.indices &&
                     !queries.indices)
    , m_Stream(gpu.ComputeStream())
  {
    AllowAllSharedMemory(MaximaKernel<TMaximaShape>);
    AllowAllSharedMemory(CandidateKernel<TCandidateShape>);
    m_PointMemory.Allocate(gpu, points.count);
    m_Positions = gpu.AllocateArray<std::int32_t>(2 * static_cast<std::size_t>(points.count));
    m_PointMemory.vectors.positions = m_Positions.Data();
    m_PointMemory.vectors.vectorsAt = m_Positions.Data() + points.count;
    m_Center = gpu.AllocateArray<float>(static_cast<std::size_t>(search.stride));
    m_Scale = gpu.AllocateArray<HalfScale>(1);
    this->PlanBatches();
  }

  std::int64_t
  QueriesOfBatch() const
  {
    return m_QueriesOfBatch;
  }

  /** Converts the points to halves. */
  void
  Prepare()
  {
    CUDANEURO_CUDA(cudaMemsetAsync(m_Scale.Data(), 0, sizeof(HalfScale), m_Stream));
    CenterKernel<<<static_cast<unsigned int>(m_Search.stride / 32), dim3(32, centerRows), 0, m_Stream>>>(
      m_Search.points, m_Search.numberOfPoints, m_Search.stride, m_Center.Data());
    CUDANEURO_CUDA_LAUNCHED("CenterKernel");
    this->FindLargest(m_Search.points, m_Search.numberOfPoints);
    if (!m_IsSelfSearch)
    {
      this->FindLargest(m_Search.queries, m_Search.numberOfQueries);
    }
    this->MakeHalves(m_Search.points, m_Points, m_PointMemory.vectors, true);
  }

  /** Begins with queries [begin, end), at most QueriesOfBatch. */
  void
  BeginBatch(std::int64_t begin, std::int64_t end)
  {
    m_Batch = m_Queries.Part(begin, end);
    m_NumberOfQueries = static_cast<int>(m_Batch.count);
    if (m_IsSelfSearch)
    {
      m_BatchHalves = m_PointMemory.vectors;
      m_BatchHalves.positions += begin;
    }
    else
    {
      m_BatchHalves = m_QueryMemory.vectors;
      this->MakeHalves(m_Search.queries, m_Batch, m_BatchHalves, false);
    }
  }

  void
  FindMaxima()
  {
    const dim3 blocks(static_cast<unsigned int>(DivideUp(m_NumberOfQueries, TMaximaShape::rows)),
                      static_cast<unsigned int>(m_Sections.parts));
    MaximaKernel<TMaximaShape><<<blocks, TMaximaShape::threads, TMaximaShape::sharedBytes, m_Stream>>>(
      this->Operands(m_Sections.columnsOfPart), static_cast<int>(this->NumberOfSamples()), m_Maxima.Data());
    CUDANEURO_CUDA_LAUNCHED("MaximaKernel");
  }

  void
  FindThresholds()
  {
    const int  groups = this->NumberOfGroups();
    const bool launched = WithConstantFrom<4, 8, 12, 16, 24, 32>(DivideUp(groups, 32), [&](auto groupsOfLane) {
      ThresholdKernel<groupsOfLane()>
        <<<static_cast<unsigned int>(DivideUp(m_NumberOfQueries, thresholdWarps)), thresholdThreads, 0, m_Stream>>>(
          m_Maxima.Data(), groups, m_NumberOfQueries, this->Rank(), m_BatchHalves, m_Scale.Data(), this->Lists());
    });
    CUDANEURO_CUDA_LAUNCHED("ThresholdKernel");
    if (!launched)
    {
      throw Error("FindNeighbors", std::to_string(groups) + " groups of points are too many");
    }
  }

  void
  FindCandidates()
  {
    const std::int64_t rowBlocks = DivideUp(m_NumberOfQueries, TCandidateShape::rows);
    const ColumnParts  parts =
      DivideColumns(m_Points.count, TCandidateShape::tileColumns, rowBlocks, m_CandidateSlots, 1, mostCandidateParts);
    const dim3 blocks(static_cast<unsigned int>(rowBlocks), static_cast<unsigned int>(parts.parts));
    CandidateKernel<TCandidateShape><<<blocks, TCandidateShape::threads, TCandidateShape::sharedBytes, m_Stream>>>(
      this->Operands(parts.columnsOfPart), this->Lists());
    CUDANEURO_CUDA_LAUNCHED("CandidateKernel");
  }

  void
  RankCandidates()
  {
    RankKernel<<<static_cast<unsigned int>(DivideUp(m_NumberOfQueries, rankWarps)), rankThreads, 0, m_Stream>>>(
      m_Search, m_Batch, m_BatchHalves, m_PointMemory.vectors.vectorsAt, m_Scale.Data(), this->Lists(), m_Overflow);
    CUDANEURO_CUDA_LAUNCHED("RankKernel");
  }

  int
  NumberOfGroups() const
  {
    return m_Sections.parts * groupsOfBlock<TMaximaShape>;
  }

  CandidateLists
  Lists() const
  {
    return { m_LeastProducts.Data(), m_Counts.Data(), m_Candidates.Data() };
  }

private:
  static constexpr int mostCandidateParts = 64;

  /** Halves in device memory. */
  struct HalfMemory
  {
    DeviceBuffer<__half> data;
    DeviceBuffer<float>  bounds;
    Fp16Vectors          vectors;

    void
    Allocate(const GpuContext & gpu, std::int64_t count)
    {
      const auto size = static_cast<std::size_t>(count) + halfPadding;
      data = gpu.AllocateArray<__half>(size * depth);
      bounds = gpu.AllocateArray<float>(2 * size);
      vectors.data = data.Data();
      vectors.errors = bounds.Data();
      vectors.norms = bounds.Data() + size;
      vectors.depth = depth;
    }
  };

  int
  Rank() const
  {
    return m_Search.numberOfNeighbors + (m_Search.excludeSelf ? 1 : 0);
  }

  std::int64_t
  NumberOfSamples() const
  {
    return DivideUp(m_Points.count, std::int64_t{ m_Tuning.step });
  }

  /** Uses smaller batches if the device has less memory than it reported; they find the same neighbors. */
  void
  PlanBatches()
  {
    const std::size_t available = std::min(m_Gpu.AvailableBytes(), m_Gpu.GetBudget().GetRemaining());
    for (std::size_t bytes = std::min(m_Tuning.batchBytes, available / 2);; bytes /= 2)
    {
      try
      {
        this->PlanBatches(bytes);
        return;
      }
      catch (const OutOfMemoryError & error)
      {
        constexpr int rows = std::max(TMaximaShape::rows, TCandidateShape::rows);
        if (error.GetBound() == OutOfMemoryError::Bound::Limit || m_QueriesOfBatch <= rows)
        {
          throw;
        }
        m_Maxima = {};
        m_LeastProducts = {};
        m_Counts = {};
        m_Candidates = {};
      }
    }
  }

  /** Plans batches of at most \p bytes. The sections of the sample suit a full batch. */
  void
  PlanBatches(std::size_t bytes)
  {
    const int         groups = groupsOfBlock<TMaximaShape>;
    const int         mostSections = largestNumberOfGroups / groups;
    const int         sections = std::min(mostSections, DivideUp(m_Tuning.groupsOfNeighbor * this->Rank(), groups));
    const std::size_t bytesOfQuery =
      largestNumberOfGroups * sizeof(float) + candidateCapacity * sizeof(Candidate) + (m_IsSelfSearch ? 0 : depth * 2);
    const std::int64_t most = std::max<std::int64_t>(static_cast<std::int64_t>(bytes / bytesOfQuery), 1);
    const std::int64_t batches = DivideUp(m_Queries.count, most);
    constexpr int      rows = std::max(TMaximaShape::rows, TCandidateShape::rows);
    m_QueriesOfBatch = std::min(m_Queries.count, RoundUp(DivideUp(m_Queries.count, batches), std::int64_t{ rows }));
    m_Sections = DivideColumns(this->NumberOfSamples(),
                               TMaximaShape::tileColumns,
                               DivideUp(m_QueriesOfBatch, std::int64_t{ TMaximaShape::rows }),
                               this->Slots<TMaximaShape>(MaximaKernel<TMaximaShape>),
                               sections,
                               mostSections);
    m_CandidateSlots = this->Slots<TCandidateShape>(CandidateKernel<TCandidateShape>);
    const auto queries = static_cast<std::size_t>(m_QueriesOfBatch);
    m_Maxima = m_Gpu.AllocateArray<float>(queries * static_cast<std::size_t>(this->NumberOfGroups()));
    m_LeastProducts = m_Gpu.AllocateArray<float>(queries);
    m_Counts = m_Gpu.AllocateArray<int>(queries);
    m_Candidates = m_Gpu.AllocateArray<Candidate>(queries * candidateCapacity);
    if (!m_IsSelfSearch)
    {
      m_QueryMemory.Allocate(m_Gpu, m_QueriesOfBatch);
    }
  }

  /** Number of blocks that are resident on the device at the same time. */
  template <typename TShape, typename TKernel>
  int
  Slots(TKernel * kernel) const
  {
    int blocks = 0;
    CUDANEURO_CUDA(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, TShape::threads, TShape::sharedBytes));
    return std::max(blocks, 1) * m_Gpu.MultiprocessorsOfShare();
  }

  void
  FindLargest(const float * vectors, std::int64_t count)
  {
    const std::int64_t quads = count * (m_Search.stride / 4);
    const auto         blocks = static_cast<unsigned int>(std::min<std::int64_t>(
      DivideUp(quads, std::int64_t{ halfThreads }), std::int64_t{ 8 } * m_Gpu.NumberOfMultiprocessors()));
    LargestKernel<<<blocks, halfThreads, 0, m_Stream>>>(
      vectors, count, m_Search.stride, m_Center.Data(), m_Scale.Data());
    CUDANEURO_CUDA_LAUNCHED("LargestKernel");
  }

  void
  MakeHalves(const float * vectors, const VectorChoice & chosen, const Fp16Vectors & halves, bool tailed)
  {
    const auto blocks = static_cast<unsigned int>(DivideUp(chosen.count + halfPadding, std::int64_t{ halfWarps }));
    HalfVectorKernel<<<blocks, halfThreads, 0, m_Stream>>>(
      vectors, chosen, m_Search.stride, m_Search.dimension, m_Center.Data(), m_Scale.Data(), halves, tailed);
    CUDANEURO_CUDA_LAUNCHED("HalfVectorKernel");
  }

  ProductOperands
  Operands(int columnsOfBlock) const
  {
    return { m_BatchHalves,
             m_NumberOfQueries,
             m_Search.dimension,
             m_PointMemory.vectors.data,
             static_cast<int>(m_Points.count),
             columnsOfBlock };
  }

  const GpuContext &         m_Gpu;
  NeighborSearch             m_Search;
  VectorChoice               m_Points;
  VectorChoice               m_Queries;
  NeighborTuning             m_Tuning;
  OverflowQueries            m_Overflow;
  bool                       m_IsSelfSearch;
  cudaStream_t               m_Stream;
  HalfMemory                 m_PointMemory;
  DeviceBuffer<std::int32_t> m_Positions;
  HalfMemory                 m_QueryMemory;
  DeviceBuffer<float>        m_Center;
  DeviceBuffer<HalfScale>    m_Scale;
  std::int64_t               m_QueriesOfBatch = 0;
  ColumnParts                m_Sections{ 1, 0 };
  int                        m_CandidateSlots = 1;
  DeviceBuffer<float>        m_Maxima;
  DeviceBuffer<float>        m_LeastProducts;
  DeviceBuffer<int>          m_Counts;
  DeviceBuffer<Candidate>    m_Candidates;
  VectorChoice               m_Batch;
  int                        m_NumberOfQueries = 0;
  Fp16Vectors                m_BatchHalves;
};

} // namespace cudaneuro::gpu

#endif
