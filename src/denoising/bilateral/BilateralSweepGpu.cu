// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/bilateral/BilateralSweep.h"

#include "core/IntegerMath.h"
#include "denoising/bilateral/BilateralSweepKernel.cuh"
#include "denoising/bilateral/BilateralSweepTables.cuh"
#include "jobs/Convert.h"
#include "jobs/PlanePipeline.h"

#include <algorithm>
#include <vector>

namespace cudaneuro::gpu
{
namespace
{

/** Sets the block's rows: as many along y as along z, or more along one axis if the other axis is short. */
void
SetBlockShape(const Grid & grid, BilateralSweepArguments & arguments)
{
  const auto log2Of = [](std::int64_t length, int most) {
    int log2 = 0;
    while (log2 < most && (std::int64_t{ 1 } << log2) < length)
    {
      ++log2;
    }
    return log2;
  };
  constexpr int log2Rows = 6;
  static_assert(1 << log2Rows == sweepRowsPerBlock, "rows of a block");
  arguments.log2BlockY = log2Of(grid.size[1], log2Rows / 2);
  arguments.log2BlockZ = log2Of(grid.size[2], log2Rows - arguments.log2BlockY);
  arguments.log2BlockY = log2Rows - arguments.log2BlockZ;
}

/** Returns whether the kernel writes an output itself. Otherwise the stage's memory holds some planes at a time. */
bool
IsWrittenDirectly(const Volume & output)
{
  return output.space == MemorySpace::Device && output.type == PixelType::Float;
}

/** Returns the memory that the stage needs for one plane: floats of all outputs that are not written directly, and
 * pixels of one of them, of any type. */
std::size_t
ScratchBytesPerPlane(const Grid & grid, const std::vector<Volume> & outputs)
{
  const auto count = static_cast<std::size_t>(
    std::count_if(outputs.begin(), outputs.end(), [](const Volume & output) { return !IsWrittenDirectly(output); }));
  return count > 0 ? (sizeof(double) + count * sizeof(float)) * static_cast<std::size_t>(grid.VoxelsPerPlane()) : 0;
}

/** Returns how many planes of a slab share the scratch memory of one plane. No slab has fewer. */
std::int64_t
SlabPlanesPerScratchPlane(const Grid & grid)
{
  return std::min<std::int64_t>(3, grid.size[2]);
}

/** Filters the planes that the slab keeps, as their neighborhoods arrive. */
class SweepStage : public PlaneStage
{
public:
  SweepStage(Context &                        context,
             const std::vector<SweepTables> & tables,
             const std::vector<Volume> &      outputs,
             const DeviceSlab &               slab)
    : m_Context(context)
    , m_Gpu(GpuOf(context))
    , m_Tables(tables)
    , m_Outputs(outputs)
    , m_Slab(slab)
    , m_PlaneVoxels(slab.grid.VoxelsPerPlane())
    , m_Done(slab.keepBegin)
    , m_PlanesAtOnce(slab.grid.size[2])
  {
    const std::size_t bytesPerPlane = ScratchBytesPerPlane(slab.grid, outputs);
    if (bytesPerPlane > 0)
    {
      m_PlanesAtOnce =
        std::min<std::int64_t>(slab.grid.size[2] / SlabPlanesPerScratchPlane(slab.grid), this->BlockOfPlanes());
      m_Scratch = m_Gpu.Allocate(bytesPerPlane * static_cast<std::size_t>(m_PlanesAtOnce));
    }
  }

  std::int64_t
  Advance(std::int64_t available) override
  {
    const std::int64_t planes = m_Slab.grid.size[2];
    std::int64_t       end = m_Slab.keepEnd;
    if (available < planes && available - this->Halo() < end)
    {
      // Launches before the last end at a multiple of whole blocks, so that no block is partly idle.
      end = available - this->Halo();
      end -= (end - m_Done) % this->BlockOfPlanes();
    }
    while (m_Done < end)
    {
      const std::int64_t next = std::min(end, m_Done + m_PlanesAtOnce);
      this->Filter(m_Done, next);
      m_Done = next;
    }
    return available == planes ? planes : m_Done;
  }

private:
  std::int64_t
  Halo() const
  {
    return m_Tables.front().GetArguments().image.radius[2];
  }
  std::int64_t
  BlockOfPlanes() const
  {
    return std::int64_t{ 1 } << m_Tables.front().GetArguments().log2BlockZ;
  }

  /** Computes planes [begin, end) of all outputs. */
  void
  Filter(std::int64_t begin, std::int64_t end)
  {
    const std::int64_t   count = (end - begin) * m_PlaneVoxels;
    const std::int64_t   firstVoxel = (m_Slab.firstPlane + begin) * m_PlaneVoxels;
    std::vector<float *> floats;
    auto * const         pixels = static_cast<double *>(m_Scratch.Data());
    std::int64_t         next = 0;
    for (const Volume & output : m_Outputs)
    {
      const bool isDirect = IsWrittenDirectly(output);
      floats.push_back(isDirect ? static_cast<float *>(output.data) + firstVoxel
                                : reinterpret_cast<float *>(pixels + count) + next);
      next += isDirect ? 0 : count;
    }
    for (const SweepTables & tables : m_Tables)
    {
      this->Launch(begin, end, tables, floats);
    }
    for (std::size_t i = 0; i < m_Outputs.size(); ++i)
    {
      if (!IsWrittenDirectly(m_Outputs[i]))
      {
        this->Deliver(floats[i], count, m_Outputs[i], firstVoxel, pixels);
      }
    }
  }

  void
  Launch(std::int64_t begin, std::int64_t end, const SweepTables & tables, const std::vector<float *> & floats)
  {
    BilateralSweepArguments arguments = tables.GetArguments();
    arguments.image.size.z = static_cast<int>(m_Slab.grid.size[2]);
    arguments.image.zBegin = static_cast<int>(begin);
    arguments.image.zEnd = static_cast<int>(end);
    SetBilateralVolumes(arguments.image, m_Slab.inputs[0], m_Slab.mask, nullptr);
    const std::size_t numberOfSigmas = floats.size() / arguments.numberOfRadii;
    for (int radius = 0; radius < arguments.numberOfRadii; ++radius)
    {
      for (int s = 0; s < sweepSigmas; ++s)
      {
        const int sigma = tables.GetSigmas()[s];
        arguments.outputs[radius][s] = sigma < 0 ? nullptr : floats[radius * numberOfSigmas + sigma];
      }
    }
    LaunchBilateralSweep(arguments, m_Gpu.ComputeStream());
  }

  /** Enqueues the conversion of \p count floats to the output's type, into \p pixels where the output is on the host,
   * and the copy to \p output from element \p first on. */
  void
  Deliver(const float * from, std::int64_t count, const Volume & output, std::int64_t first, void * pixels)
  {
    const cudaStream_t stream = m_Gpu.ComputeStream();
    void * const to = static_cast<char *>(output.data) + first * static_cast<std::int64_t>(PixelSize(output.type));
    if (output.space == MemorySpace::Device)
    {
      EnqueueConvertFromFloat(stream, count, from, to, output.type);
      return;
    }
    const std::size_t bytes = static_cast<std::size_t>(count) * PixelSize(output.type);
    const void *      source = from;
    if (output.type != PixelType::Float)
    {
      EnqueueConvertFromFloat(stream, count, from, pixels, output.type);
      source = pixels;
    }
    CUDANEURO_CUDA(cudaMemcpyAsync(to, source, bytes, cudaMemcpyDeviceToHost, stream));
    StatisticsOf(m_Context).deviceToHostBytes += bytes;
  }

  Context &                        m_Context;
  const GpuContext &               m_Gpu;
  const std::vector<SweepTables> & m_Tables;
  const std::vector<Volume> &      m_Outputs;
  DeviceSlab                       m_Slab;
  std::int64_t                     m_PlaneVoxels;
  std::int64_t                     m_Done;
  std::int64_t                     m_PlanesAtOnce;
  DeviceMemory                     m_Scratch;
};

/** Sets the arguments that depend neither on tables nor on volumes. */
BilateralSweepArguments
MakeArguments(const BilateralSweepParameters & parameters, const BilateralSweepPlan & plan, const Grid & grid)
{
  BilateralSweepArguments arguments{};
  arguments.image.size = ExtentOf(grid);
  std::copy_n(plan.GetRadius().begin(), 3, arguments.image.radius);
  const double scale = BilateralRangeScale(parameters.rangeSigma);
  arguments.image.rangeScale = static_cast<float>(scale);
  arguments.image.inverseRangeScale = static_cast<float>(1.0 / scale);
  SetBlockShape(grid, arguments);
  return arguments;
}

/** Returns PlaneJob::operationsPerVoxel. Copying a float to pageable host memory takes as long as 8000 operations. */
double
OperationsPerVoxel(const BilateralSweepPlan & plan, std::size_t launches, const std::vector<Volume> & outputs)
{
  double neighbors = 1.0;
  for (const int radius : plan.GetRadius())
  {
    neighbors *= 2.0 * radius + 1.0;
  }
  const auto onHost = static_cast<double>(std::count_if(
    outputs.begin(), outputs.end(), [](const Volume & output) { return output.space == MemorySpace::Host; }));
  return 8.0 * neighbors * static_cast<double>(launches) + 8000.0 * onHost;
}

} // namespace

void
BilateralSweep(Context & context, const BilateralSweepCall & call)
{
  const DeviceScope        scope(GpuOf(context).GetDevice());
  const BilateralSweepPlan plan(call.parameters, call.grid);
  const auto               tables =
    MakeSweepTables(GpuOf(context), plan, call.parameters, MakeArguments(call.parameters, plan, call.grid));

  PlaneJob job;
  job.grid = call.grid;
  job.inputs = { call.input };
  job.mask = call.mask;
  job.halo = plan.GetRadius()[2];
  const auto slabPlanes = static_cast<std::size_t>(SlabPlanesPerScratchPlane(call.grid));
  job.scratchBytesPerPlane = DivideUp(ScratchBytesPerPlane(call.grid, call.outputs), slabPlanes);
  job.operationsPerVoxel = OperationsPerVoxel(plan, tables.size(), call.outputs);
  job.makeStage = [&](GpuContext &, const DeviceSlab & slab) -> std::unique_ptr<PlaneStage> {
    return std::make_unique<SweepStage>(context, tables, call.outputs, slab);
  };
  RunPlaneJob(context, job);
}

} // namespace cudaneuro::gpu
