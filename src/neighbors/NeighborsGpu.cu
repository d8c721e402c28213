// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "neighbors/DistinctPoints.h"
#include "neighbors/NeighborPasses.cuh"
#include "neighbors/ScanKernel.cuh"

#include <array>

namespace cudaneuro::gpu
{
namespace
{

/** Shapes for vectors of VDepth halves. Longer vectors take more shared memory, and their rows more registers of a
 * lane. */
template <int VDepth>
using MaximaShape = std::conditional_t<
  (VDepth <= 128),
  ProductShape<VDepth, 2, 4, 8, 64, 3>,
  std::conditional_t<(VDepth <= 256), ProductShape<VDepth, 1, 4, 8, 32, 3>, ProductShape<VDepth, 1, 2, 8, 16, 3>>>;

template <int VDepth>
using CandidateShape =
  std::conditional_t<(VDepth <= 128), ProductShape<VDepth, 2, 2, 8, 64, 3, 2>, MaximaShape<VDepth>>;

/** Number of points of a sample, from which thresholds are estimated well. */
constexpr std::int64_t pointsOfSample = 8000;

/** Target number of candidates per query, which is about the number of neighbors times the step. Lists have room for
 * more than twice as many. */
constexpr std::int64_t candidatesWanted = 400;

NeighborTuning
TuningFor(int numberOfNeighbors, std::int64_t numberOfPoints)
{
  const std::int64_t most = std::clamp<std::int64_t>(candidatesWanted / numberOfNeighbors, 1, 4);
  NeighborTuning     tuning;
  tuning.step = static_cast<int>(std::clamp<std::int64_t>(numberOfPoints / pointsOfSample, 1, most));
  return tuning;
}

/** A list of queries that have too many candidates. */
class QueryList
{
public:
  QueryList(const GpuContext & gpu, std::int64_t most)
    : m_Count(gpu.AllocateArray<int>(1))
    , m_Queries(gpu.AllocateArray<std::int32_t>(static_cast<std::size_t>(most)))
  {
    CUDANEURO_CUDA(cudaMemsetAsync(m_Count.Data(), 0, sizeof(int), gpu.ComputeStream()));
  }

  OverflowQueries
  Room() const
  {
    return { m_Count.Data(), m_Queries.Data() };
  }

  /** The listed queries. Waits for the compute stream. */
  VectorChoice
  Listed(const GpuContext & gpu) const
  {
    return { gpu.CopyToHost(m_Count, 1)[0], m_Queries.Data() };
  }

private:
  DeviceBuffer<int>          m_Count;
  DeviceBuffer<std::int32_t> m_Queries;
};

/** Calls enqueue(begin, end) for batches of at most \p most of \p count queries. Enqueuing is one batch ahead of the
 * progress, so that the device does not wait for the host. */
template <typename TEnqueue>
void
EnqueueBatches(Context & context, std::int64_t count, std::int64_t most, const TEnqueue & enqueue)
{
  const cudaStream_t   stream = GpuOf(context).ComputeStream();
  std::array<Event, 2> done;
  std::int64_t         batch = 0;
  std::int64_t         reached = 0;
  for (std::int64_t begin = 0; begin < count; begin += most, ++batch)
  {
    const std::int64_t end = std::min(count, begin + most);
    enqueue(begin, end);
    done[batch % 2].Record(stream);
    if (batch > 0)
    {
      done[(batch - 1) % 2].Synchronize();
      context.ReportProgress(static_cast<double>(reached) / static_cast<double>(count));
    }
    reached = end;
  }
  CUDANEURO_CUDA(cudaStreamSynchronize(stream));
  context.ReportProgress(1.0);
}

/** Writes the neighbors of chosen queries among chosen points, except for queries with too many candidates, which are
 * appended to \p left. */
template <int VDepth>
void
SearchAmong(Context &              context,
            const NeighborSearch & search,
            const VectorChoice &   points,
            const VectorChoice &   queries,
            const QueryList &      left)
{
  NeighborPasses<MaximaShape<VDepth>, CandidateShape<VDepth>> passes(
    GpuOf(context), search, points, queries, TuningFor(search.numberOfNeighbors, points.count), left.Room());
  passes.Prepare();
  EnqueueBatches(context, queries.count, passes.QueriesOfBatch(), [&](std::int64_t begin, std::int64_t end) {
    passes.BeginBatch(begin, end);
    passes.FindMaxima();
    passes.FindThresholds();
    passes.FindCandidates();
    passes.RankCandidates();
  });
}

/** Compares chosen queries with all points. */
void
Scan(Context & context, const NeighborSearch & search, const VectorChoice & queries)
{
  AllowAllSharedMemory(ScanKernel);
  const GpuContext & gpu = GpuOf(context);
  const std::int64_t most = std::int64_t{ 16 } * gpu.NumberOfMultiprocessors() * scanQueries;
  EnqueueBatches(context, queries.count, most, [&](std::int64_t begin, std::int64_t end) {
    const auto blocks = static_cast<unsigned int>(DivideUp(end - begin, std::int64_t{ scanQueries }));
    ScanKernel<<<blocks, scanThreads, ScanSharedBytes(search.stride), gpu.ComputeStream()>>>(search,
                                                                                             queries.Part(begin, end));
    CUDANEURO_CUDA_LAUNCHED("ScanKernel");
  });
}

/** Handles queries with too many candidates, which are mostly near many equal points: searches again among points of
 * which few are equal, and compares the queries for which this does not suffice with all points. */
template <int VDepth>
void
Search(Context & context, const NeighborSearch & search)
{
  const GpuContext &     gpu = GpuOf(context);
  Context::ProgressSteps progress(context);
  progress.UpTo(0.8);
  QueryList left(gpu, search.numberOfQueries);
  SearchAmong<VDepth>(context, search, { search.numberOfPoints }, { search.numberOfQueries }, left);
  VectorChoice again = left.Listed(gpu);
  if (again.count > 0)
  {
    const DistinctPoints distinct = FindDistinctPoints(gpu, search);
    const QueryList      leftAgain(gpu, again.count);
    progress.UpTo(0.9);
    if (distinct.count < search.numberOfPoints)
    {
      SearchAmong<VDepth>(context, search, distinct.Choice(), again, leftAgain);
      again = leftAgain.Listed(gpu);
    }
    progress.UpTo(1.0);
    Scan(context, search, again);
  }
  progress.UpTo(1.0);
  context.ReportProgress(1.0);
}

} // namespace

void
FindNeighbors(Context & context, const NeighborSearch & search)
{
  const DeviceScope scope(GpuOf(context).GetDevice());
  const bool        found = WithConstantFrom<32, 64, 96, 128, 192, 256, 384, 528>(
    search.dimension + halfTail, [&](auto depth) { Search<depth()>(context, search); });
  if (!found)
  {
    throw Error("FindNeighbors", "vectors of " + std::to_string(search.dimension) + " components are too long");
  }
}

} // namespace cudaneuro::gpu
