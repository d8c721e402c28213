// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/similarity/StructuralSimilarity.h"

#include "core/IntegerMath.h"
#include "cuda/Reduce.cuh"
#include "denoising/similarity/StructuralSimilarityKernel.cuh"
#include "jobs/PlanePipeline.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace cudaneuro::gpu
{
namespace
{

/** The properties of a launch shape that the stage needs. */
struct ShapeInUse
{
  void (*launch)(std::vector<StructuralSimilarityArguments>, int multiprocessors, cudaStream_t);
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

/** Returns the first shape that fits; the last one fits into the 64 KB of shared memory of the oldest devices. */
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

/** Reads the partial results of each image; each block writes the sum of an equal share, in an order that depends on
 * their number only. \param count number of partial results of an image; the grid has a row of blocks for each image */
__global__ void
SumSimilaritiesKernel(const SimilarityPartial * partials, std::size_t count, SimilarityTotal * totals)
{
  const std::size_t end = count * (blockIdx.x + 1) / gridDim.x;
  SimilarityTotal   total = SimilarityTotal::Empty();
  for (std::size_t i = count * blockIdx.x / gridDim.x + threadIdx.x; i < end; i += sumThreads)
  {
    const SimilarityPartial & partial = partials[blockIdx.y * count + i];
    total.Include(
      { partial.similarity, partial.squaredDifference, partial.numberOfSimilarities, partial.numberOfDifferences });
  }
  ReduceBlock<sumThreads>(total, static_cast<int>(threadIdx.x), totals + blockIdx.y * gridDim.x + blockIdx.x);
}

/** The partial results of all images of a job take at most this number of bytes, unless there is one image. */
constexpr std::size_t mostBytesOfPartials = std::size_t{ 16 } << 20;

std::size_t
NumberOfPartials(const Grid & grid, const ShapeInUse & shape)
{
  return static_cast<std::size_t>(DivideUp(grid.size[0], similarityTileX) * DivideUp(grid.size[1], shape.rowsPerTile) *
                                  DivideUp(grid.size[2], similarityBlockPlanes) * shape.warps);
}

bool
IsFloatOnDevice(const ConstVolume & volume)
{
  return volume.space == MemorySpace::Device && volume.type == PixelType::Float;
}

/** The images that a job compares with one reference. */
struct SimilarityImages
{
  std::vector<StructuralSimilarityArguments> arguments;
  ShapeInUse                                 shape;
  std::size_t                                partialsOfImage = 0;
  DeviceBuffer<SimilarityPartial>            partials;
  DeviceBuffer<SimilarityTotal>              totals;
};

class StructuralSimilarityStage : public PlaneStage
{
public:
  /** \param planes number of planes of the whole volume; totals are summed after the last of them */
  StructuralSimilarityStage(const GpuContext &       gpu,
                            const SimilarityImages & images,
                            const DeviceSlab &       slab,
                            std::int64_t             planes)
    : m_Stream(gpu.ComputeStream())
    , m_Multiprocessors(gpu.NumberOfMultiprocessors())
    , m_Images(images)
    , m_Arguments(images.arguments)
    , m_Planes(slab.grid.size[2])
    , m_KeepEnd(slab.keepEnd)
    , m_Done(slab.keepBegin)
    , m_IsLast(slab.firstPlane + slab.keepEnd == planes)
  {
    for (std::size_t i = 0; i < m_Arguments.size(); ++i)
    {
      StructuralSimilarityArguments & arguments = m_Arguments[i];
      const std::int64_t              columns = std::int64_t{ arguments.tilesX } * arguments.tilesY;
      arguments.reference = slab.inputs[0];
      arguments.image = slab.inputs[i + 1];
      arguments.mask = slab.mask;
      arguments.map = slab.output;
      arguments.size.z = static_cast<int>(m_Planes);
      arguments.averagedBegin[2] -= static_cast<int>(slab.firstPlane);
      arguments.averagedEnd[2] -= static_cast<int>(slab.firstPlane);
      arguments.partials = images.partials.Data() + i * images.partialsOfImage +
                           slab.firstPlane / similarityBlockPlanes * columns * images.shape.warps;
    }
  }

  std::int64_t
  Advance(std::int64_t available) override
  {
    const bool         last = available == m_Planes;
    const std::int64_t possible = (available - similarityReach) / similarityBlockPlanes * similarityBlockPlanes;
    const std::int64_t end = last ? m_KeepEnd : std::min(possible, m_KeepEnd);
    // Each launch recomputes some planes before its first one; a minimum of 32 planes per launch limits this cost.
    constexpr std::int64_t fewestPlanes = 4 * similarityBlockPlanes;
    if (end > m_Done && (last || end - m_Done >= fewestPlanes))
    {
      for (StructuralSimilarityArguments & arguments : m_Arguments)
      {
        arguments.zBegin = static_cast<int>(m_Done);
        arguments.zEnd = static_cast<int>(end);
      }
      m_Images.shape.launch(m_Arguments, m_Multiprocessors, m_Stream);
      m_Done = end;
    }
    if (last && m_IsLast)
    {
      SumSimilaritiesKernel<<<dim3(sumBlocks, static_cast<unsigned int>(m_Arguments.size())),
                              sumThreads,
                              0,
                              m_Stream>>>(m_Images.partials.Data(), m_Images.partialsOfImage, m_Images.totals.Data());
      CUDANEURO_CUDA_LAUNCHED("SumSimilaritiesKernel");
    }
    return last ? m_Planes : m_Done;
  }

private:
  cudaStream_t                               m_Stream;
  int                                        m_Multiprocessors;
  const SimilarityImages &                   m_Images;
  std::vector<StructuralSimilarityArguments> m_Arguments;
  std::int64_t                               m_Planes;
  std::int64_t                               m_KeepEnd;
  std::int64_t                               m_Done;
  bool                                       m_IsLast;
};

/** Returns the means. */
StructuralSimilarityResult
MeansOf(const SimilarityTotal * totals)
{
  SimilarityTotal total = SimilarityTotal::Empty();
  for (int block = 0; block < sumBlocks; ++block)
  {
    total.Include(totals[block]);
  }
  const auto mean = [](double sum, std::uint64_t number) {
    return number == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(number);
  };
  return { mean(total.similarity, total.numberOfSimilarities),
           mean(total.squaredDifference, total.numberOfDifferences) };
}

/** Runs calls [begin, end) as one job, and appends their results. */
void
RunTogether(Context &                                 context,
            const SimilarityCall *                    begin,
            const SimilarityCall *                    end,
            std::vector<StructuralSimilarityResult> & results)
{
  const GpuContext & gpu = GpuOf(context);
  const auto         number = static_cast<std::size_t>(end - begin);
  PlaneJob           job;
  job.grid = begin->grid;
  job.inputs = { begin->reference };
  job.mask = begin->mask;
  job.output = begin->map;
  job.halo = similarityReach;
  job.planeAlignment = similarityBlockPlanes;
  job.operationsPerVoxel = 120.0 * static_cast<double>(number);
  SimilarityImages images;
  images.shape = ChooseShape(gpu.SharedBytesPerBlock());
  for (const SimilarityCall * call = begin; call != end; ++call)
  {
    job.inputs.push_back(call->image);
    images.arguments.push_back(
      MakeStructuralSimilarityArguments(call->parameters, call->grid, call->referenceOffset, call->imageOffset));
    images.arguments.back().tilesX = DivideUp(images.arguments.back().size.x, similarityTileX);
    images.arguments.back().tilesY = DivideUp(images.arguments.back().size.y, images.shape.rowsPerTile);
  }
  images.partialsOfImage = NumberOfPartials(begin->grid, images.shape);
  images.partials = gpu.AllocateArray<SimilarityPartial>(number * images.partialsOfImage);
  images.totals = gpu.AllocateArray<SimilarityTotal>(number * sumBlocks);
  job.makeStage = [&](GpuContext & slabGpu, const DeviceSlab & slab) -> std::unique_ptr<PlaneStage> {
    return std::make_unique<StructuralSimilarityStage>(slabGpu, images, slab, job.grid.size[2]);
  };
  RunPlaneJob(context, job);
  const std::vector<SimilarityTotal> totals = gpu.CopyToHost(images.totals, number * sumBlocks);
  for (std::size_t i = 0; i < number; ++i)
  {
    results.push_back(MeansOf(totals.data() + i * sumBlocks));
  }
}

} // namespace

std::vector<StructuralSimilarityResult>
StructuralSimilarities(Context & context, const std::vector<SimilarityCall> & calls)
{
  const GpuContext &                      gpu = GpuOf(context);
  const DeviceScope                       scope(gpu.GetDevice());
  std::vector<StructuralSimilarityResult> results;
  Context::ProgressSteps                  progress(context);
  for (auto call = calls.begin(); call != calls.end();)
  {
    // Images that are copied or converted take memory, so they are processed one at a time.
    auto              end = call + 1;
    const std::size_t bytes =
      NumberOfPartials(call->grid, ChooseShape(gpu.SharedBytesPerBlock())) * sizeof(SimilarityPartial);
    for (std::size_t most = std::max<std::size_t>(1, mostBytesOfPartials / bytes);
         IsFloatOnDevice(call->reference) && IsFloatOnDevice(call->image) && end != calls.end() &&
         IsFloatOnDevice(end->image) && static_cast<std::size_t>(end - call) < most;)
    {
      ++end;
    }
    progress.UpTo(static_cast<double>(end - calls.begin()) / static_cast<double>(calls.size()));
    RunTogether(context, calls.data() + (call - calls.begin()), calls.data() + (end - calls.begin()), results);
    call = end;
  }
  return results;
}

} // namespace cudaneuro::gpu
