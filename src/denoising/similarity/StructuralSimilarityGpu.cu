// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/similarity/StructuralSimilarity.h"

#include "core/IntegerMath.h"
#include "cuda/Reduce.cuh"
#include "denoising/similarity/StructuralSimilarityKernel.cuh"
#include "jobs/PlanePipeline.h"

#include <algorithm>
#include <limits>

namespace cudaneuro::gpu
{
namespace
{

/** What the stage needs to know of a launch shape. */
struct ShapeInUse
{
  void (*launch)(const StructuralSimilarityArguments &, int multiprocessors, cudaStream_t);
  std::size_t sharedBytes;
  int         rowsPerTile;
  int         warps;
};

template <typename TShape>
ShapeInUse
Use()
{
  using Column = StructuralSimilarityColumn<TShape>;
  return { LaunchStructuralSimilarity<TShape>, Column::SharedBytes(), Column::tileY, TShape::warps };
}

/** Returns the first shape that fits; the last fits into the 64 KB of shared memory of the oldest devices. */
ShapeInUse
ChooseShape(std::size_t sharedBytesPerBlock)
{
  for (const ShapeInUse & shape : { Use<StructuralSimilarityDefaultShape>(),
                                    Use<StructuralSimilarityShapeOf160KB>(),
                                    Use<StructuralSimilarityShapeOf99KB>() })
  {
    if (shape.sharedBytes <= sharedBytesPerBlock)
    {
      return shape;
    }
  }
  return Use<StructuralSimilarityShapeOf64KB>();
}

class StructuralSimilarityStage : public PlaneStage
{
public:
  /** \param partials results of the whole volume */
  StructuralSimilarityStage(const GpuContext &                    gpu,
                            const StructuralSimilarityArguments & arguments,
                            const ShapeInUse &                    shape,
                            SimilarityPartial *                   partials,
                            const DeviceSlab &                    slab)
    : m_Stream(gpu.ComputeStream())
    , m_Multiprocessors(gpu.NumberOfMultiprocessors())
    , m_Shape(shape)
    , m_Arguments(arguments)
    , m_Planes(slab.grid.size[2])
    , m_KeepEnd(slab.keepEnd)
    , m_Done(slab.keepBegin)
  {
    const std::int64_t columns = std::int64_t{ arguments.tilesX } * arguments.tilesY;
    m_Arguments.reference = slab.inputs[0];
    m_Arguments.image = slab.inputs[1];
    m_Arguments.mask = slab.mask;
    m_Arguments.map = slab.output;
    m_Arguments.size.z = static_cast<int>(m_Planes);
    m_Arguments.averagedBegin[2] -= static_cast<int>(slab.firstPlane);
    m_Arguments.averagedEnd[2] -= static_cast<int>(slab.firstPlane);
    m_Arguments.partials = partials + slab.firstPlane / similarityBlockPlanes * columns * shape.warps;
  }

  std::int64_t
  Advance(std::int64_t available) override
  {
    const bool         last = available == m_Planes;
    const std::int64_t possible = (available - similarityReach) / similarityBlockPlanes * similarityBlockPlanes;
    const std::int64_t end = last ? m_KeepEnd : std::min(possible, m_KeepEnd);
    // Each launch recomputes some planes before its first; batch at least 32.
    constexpr std::int64_t fewestPlanes = 4 * similarityBlockPlanes;
    if (end > m_Done && (last || end - m_Done >= fewestPlanes))
    {
      m_Arguments.zBegin = static_cast<int>(m_Done);
      m_Arguments.zEnd = static_cast<int>(end);
      m_Shape.launch(m_Arguments, m_Multiprocessors, m_Stream);
      m_Done = end;
    }
    return last ? m_Planes : m_Done;
  }

private:
  cudaStream_t                  m_Stream;
  int                           m_Multiprocessors;
  ShapeInUse                    m_Shape;
  StructuralSimilarityArguments m_Arguments;
  std::int64_t                  m_Planes;
  std::int64_t                  m_KeepEnd;
  std::int64_t                  m_Done;
};

/** Sums over all voxels. */
struct SimilarityTotal
{
  double             similarity;
  double             squaredDifference;
  unsigned long long numberOfSimilarities;
  unsigned long long numberOfDifferences;

  CUDANEURO_HOST_DEVICE static SimilarityTotal
  Empty()
  {
    return { 0.0, 0.0, 0, 0 };
  }
  CUDANEURO_HOST_DEVICE void
  Include(const SimilarityTotal & other)
  {
    similarity += other.similarity;
    squaredDifference += other.squaredDifference;
    numberOfSimilarities += other.numberOfSimilarities;
    numberOfDifferences += other.numberOfDifferences;
  }
};

constexpr int sumThreads = 256;
constexpr int sumBlocks = 128;

/** Sums partial results, an equal share in each block, in an order that their number decides. */
__global__ void
SumSimilaritiesKernel(const SimilarityPartial * partials, std::size_t count, SimilarityTotal * totals)
{
  const std::size_t end = count * (blockIdx.x + 1) / gridDim.x;
  SimilarityTotal   total = SimilarityTotal::Empty();
  for (std::size_t i = count * blockIdx.x / gridDim.x + threadIdx.x; i < end; i += sumThreads)
  {
    const SimilarityPartial & partial = partials[i];
    total.Include(
      { partial.similarity, partial.squaredDifference, partial.numberOfSimilarities, partial.numberOfDifferences });
  }
  ReduceBlock<sumThreads>(total, static_cast<int>(threadIdx.x), totals + blockIdx.x);
}

/** Returns the means. Waits for the compute stream. */
StructuralSimilarityResult
Finish(const GpuContext & gpu, const DeviceBuffer<SimilarityPartial> & partials, std::size_t count)
{
  const DeviceBuffer<SimilarityTotal> totals = gpu.AllocateArray<SimilarityTotal>(sumBlocks);
  SumSimilaritiesKernel<<<sumBlocks, sumThreads, 0, gpu.ComputeStream()>>>(partials.Data(), count, totals.Data());
  CUDANEURO_CUDA_LAUNCHED("SumSimilaritiesKernel");
  const SimilarityTotal total = ReduceOnHost(gpu, totals, sumBlocks);
  const auto            mean = [](double sum, std::uint64_t number) {
    return number == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(number);
  };
  return { mean(total.similarity, total.numberOfSimilarities),
           mean(total.squaredDifference, total.numberOfDifferences) };
}

} // namespace

StructuralSimilarityResult
StructuralSimilarity(Context & context, const SimilarityCall & call)
{
  GpuContext &                  gpu = GpuOf(context);
  const DeviceScope             scope(gpu.GetDevice());
  const ShapeInUse              shape = ChooseShape(gpu.SharedBytesPerBlock());
  StructuralSimilarityArguments arguments =
    MakeStructuralSimilarityArguments(call.parameters, call.grid, call.referenceOffset, call.imageOffset);
  arguments.tilesX = DivideUp(arguments.size.x, similarityTileX);
  arguments.tilesY = DivideUp(arguments.size.y, shape.rowsPerTile);

  const std::int64_t blocks = DivideUp(call.grid.size[2], similarityBlockPlanes);
  const std::size_t  count = static_cast<std::size_t>(blocks * arguments.tilesX * arguments.tilesY * shape.warps);
  const DeviceBuffer<SimilarityPartial> partials = gpu.AllocateArray<SimilarityPartial>(count);

  PlaneJob job;
  job.grid = call.grid;
  job.inputs = { call.reference, call.image };
  job.mask = call.mask;
  job.output = call.map;
  job.halo = similarityReach;
  job.planeAlignment = similarityBlockPlanes;
  job.operationsPerVoxel = 120.0;
  job.makeStage = [&](GpuContext & slabGpu, const DeviceSlab & slab) -> std::unique_ptr<PlaneStage> {
    return std::make_unique<StructuralSimilarityStage>(slabGpu, arguments, shape, partials.Data(), slab);
  };
  RunPlaneJob(context, job);

  return Finish(gpu, partials, count);
}

} // namespace cudaneuro::gpu
