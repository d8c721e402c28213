// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/bilateral/BilateralSweepGpu.h"
#include "core/IntegerMath.h"

#include "denoising/bilateral/BilateralSweepKernel.cuh"
#include "jobs/Convert.h"
#include "jobs/PlanePipeline.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace cudaneuro
{
namespace gpu
{

namespace
{

/** Rows of a block in y and z: as many in both, but for short axes. */
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

/** A plan in the memory of the device, for up to sweepSigmas domain sigmas. */
class SweepTables
{
public:
  /** \param sigmas places in the list of domain sigmas, by rising sigma */
  SweepTables(const GpuContext &               gpu,
              const BilateralSweepPlan &       plan,
              const BilateralSweepParameters & parameters,
              const std::vector<int> &         sigmas,
              const BilateralSweepArguments &  arguments)
    : m_Arguments(arguments)
  {
    // Places that are left are before the smallest sigma: as if it were 0.
    m_Sigmas.fill(-1);
    std::copy_backward(sigmas.begin(), sigmas.end(), m_Sigmas.end());
    m_Arguments.numberOfRadii = static_cast<int>(parameters.radii.size());
    for (std::size_t radius = 0; radius < plan.GetShells().size(); ++radius)
    {
      for (const BilateralSweepGroup & group : plan.GetShells()[radius])
      {
        this->AddGroup(plan, parameters.domainSigmas, group);
      }
      m_Arguments.partsEnd[radius] = static_cast<int>(m_HostParts.size());
    }
    // The kernel reads one ahead.
    m_HostParts.push_back(0);
    m_HostRows.push_back(0);
    m_HostSpatialWeights.resize(m_HostSpatialWeights.size() + 2 * sweepPartLength);
    m_Parts = Upload(gpu, m_HostParts);
    m_Rows = Upload(gpu, m_HostRows);
    m_SpatialWeights = Upload(gpu, m_HostSpatialWeights);
    m_Arguments.parts = m_Parts.Data();
    m_Arguments.rows = m_Rows.Data();
    m_Arguments.spatialWeights = reinterpret_cast<const float4 *>(m_SpatialWeights.Data());
  }

  /** All but volumes and planes. */
  const BilateralSweepArguments &
  GetArguments() const
  {
    return m_Arguments;
  }

  /** For each of the kernel's sigmas its place in the list of domain sigmas, or -1. */
  const std::array<int, sweepSigmas> &
  GetSigmas() const
  {
    return m_Sigmas;
  }

private:
  template <typename T>
  static DeviceBuffer<T>
  Upload(const GpuContext & gpu, const std::vector<T> & values)
  {
    DeviceBuffer<T> array = gpu.AllocateArray<T>(values.size());
    CUDANEURO_CUDA(cudaMemcpyAsync(
      array.Data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice, gpu.ComputeStream()));
    return array;
  }

  void
  AddGroup(const BilateralSweepPlan & plan, const std::vector<double> & domainSigmas, const BilateralSweepGroup & group)
  {
    const int        tileY = (1 << m_Arguments.log2BlockY) + 2 * plan.GetRadius()[1];
    std::vector<int> offsets;
    for (const auto & [y, z] : group.rows)
    {
      const int offset = static_cast<int>(sizeof(float)) * sweepRowStride * (y + tileY * z);
      if (offset >= 0) // the other row of the pair is as far on the other side
      {
        offsets.push_back(offset);
      }
    }
    // The center's own row is its own partner, so that it is added twice.
    const float share = group.rows.size() == 1 ? 0.5f : 1.0f;
    for (int x = group.firstX / sweepPartLength * sweepPartLength; x <= group.lastX; x += sweepPartLength)
    {
      const int first = std::max(group.firstX - x, 0);
      const int last = std::min(group.lastX - x, sweepPartLength - 1);
      const int firstSigmaPair = this->AddSpatialWeights(plan, domainSigmas, group, x, first, last, share);
      if (firstSigmaPair < sweepSigmas / 2)
      {
        m_HostParts.push_back(
          MakeBilateralSweepPart(offsets.size(), SweepTapsCode(first, last, x + first == 0), firstSigmaPair, x));
        m_HostRows.insert(m_HostRows.end(), offsets.begin(), offsets.end());
      }
    }
  }

  /** Adds the weights of taps [first, last] of a part.
   * \returns the first pair of sigmas of which any is not 0; nothing has been added if there is none */
  int
  AddSpatialWeights(const BilateralSweepPlan &  plan,
                    const std::vector<double> & domainSigmas,
                    const BilateralSweepGroup & group,
                    int                         x,
                    int                         first,
                    int                         last,
                    float                       share)
  {
    std::array<float, sweepSigmas * sweepPartLength> weights{};
    int                                              firstSigmaPair = sweepSigmas / 2;
    for (int s = sweepSigmas - 1; s >= 0 && m_Sigmas[s] >= 0; --s)
    {
      for (int tap = first; tap <= last; ++tap)
      {
        const float weight = share * plan.GetSpatialWeight(group, x + tap, domainSigmas[m_Sigmas[s]]);
        weights[2 * (s / 2 * sweepPartLength + tap) + s % 2] = weight;
        firstSigmaPair = weight > 0.0f ? s / 2 : firstSigmaPair;
      }
    }
    if (firstSigmaPair < sweepSigmas / 2)
    {
      m_HostSpatialWeights.insert(m_HostSpatialWeights.end(), weights.begin(), weights.end());
    }
    return firstSigmaPair;
  }

  BilateralSweepArguments          m_Arguments;
  std::array<int, sweepSigmas>     m_Sigmas;
  std::vector<BilateralSweepPart>  m_HostParts;
  std::vector<int>                 m_HostRows;
  std::vector<float>               m_HostSpatialWeights;
  DeviceBuffer<BilateralSweepPart> m_Parts;
  DeviceBuffer<int>                m_Rows;
  DeviceBuffer<float>              m_SpatialWeights;
};

/** The tables of all launches that together serve all domain sigmas. */
std::vector<SweepTables>
MakeSweepTables(const GpuContext &               gpu,
                const BilateralSweepPlan &       plan,
                const BilateralSweepParameters & parameters,
                const BilateralSweepArguments &  arguments)
{
  const auto       count = static_cast<int>(parameters.domainSigmas.size());
  std::vector<int> order(parameters.domainSigmas.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return std::make_pair(parameters.domainSigmas[a], a) < std::make_pair(parameters.domainSigmas[b], b);
  });
  std::vector<SweepTables> tables;
  for (int first = 0; first < count; first += sweepSigmas)
  {
    const int end = std::min(count, first + sweepSigmas);
    tables.emplace_back(gpu, plan, parameters, std::vector<int>(order.begin() + first, order.begin() + end), arguments);
  }
  return tables;
}

/** Where the kernel cannot write an output itself, it writes some planes of it to memory of the stage. */
bool
IsWrittenDirectly(const Volume & output)
{
  return output.space == MemorySpace::Device && output.type == PixelType::Float;
}

/** Memory of the stage for one plane: pixels of one such output, of any type, and floats of all. */
std::size_t
ScratchBytesPerPlane(const Grid & grid, const std::vector<Volume> & outputs)
{
  const auto count = static_cast<std::size_t>(
    std::count_if(outputs.begin(), outputs.end(), [](const Volume & output) { return !IsWrittenDirectly(output); }));
  return count > 0 ? (sizeof(double) + count * sizeof(float)) * static_cast<std::size_t>(grid.VoxelsPerPlane()) : 0;
}

/** The scratch memory is for one plane in so many of the slab's: no slab is thinner than that. */
std::int64_t
SlabPlanesPerScratchPlane(const Grid & grid)
{
  return std::min<std::int64_t>(3, grid.size[2]);
}

/** Filters the planes whose neighborhoods are there, as far as the slab keeps them. */
class SweepStage : public PlaneStage
{
public:
  SweepStage(Context &                        context,
             const std::vector<SweepTables> & tables,
             const std::vector<Volume> &      outputs,
             const DeviceSlab &               slab)
    : m_Context(context)
    , m_Gpu(context.Gpu())
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
      // Whole blocks of planes but for the last, so that no block works for less than it could.
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

  /** Planes [begin, end) of all outputs. */
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
    arguments.image.size[2] = static_cast<int>(m_Slab.grid.size[2]);
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

  /** Enqueues the conversion of \p count floats and the copy to \p output from element \p first on. \p pixels is memory
   * for the converted. */
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
    m_Context.GetStatistics().deviceToHostBytes += bytes;
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

/** Everything that a kernel does not take from tables and volumes. */
BilateralSweepArguments
MakeArguments(const BilateralSweepParameters & parameters, const BilateralSweepPlan & plan, const Grid & grid)
{
  BilateralSweepArguments arguments{};
  for (int axis = 0; axis < 3; ++axis)
  {
    arguments.image.size[axis] = static_cast<int>(grid.size[axis]);
    arguments.image.radius[axis] = plan.GetRadius()[axis];
  }
  const double scale = BilateralRangeScale(parameters.rangeSigma);
  arguments.image.rangeScale = static_cast<float>(scale);
  arguments.image.inverseRangeScale = static_cast<float>(1.0 / scale);
  SetBlockShape(grid, arguments);
  return arguments;
}

/** As PlaneJob has it. A pageable copy of a float to the host takes the time of some 8000 operations. */
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
BilateralSweep(Context &                        context,
               const BilateralSweepParameters & parameters,
               const Grid &                     grid,
               const ConstVolume &              input,
               const ConstVolume &              mask,
               const std::vector<Volume> &      outputs)
{
  const DeviceScope        scope(context.Gpu().GetDevice());
  const BilateralSweepPlan plan(parameters, grid);
  const auto tables = MakeSweepTables(context.Gpu(), plan, parameters, MakeArguments(parameters, plan, grid));

  PlaneJob job;
  job.grid = grid;
  job.inputs = { input };
  job.mask = mask;
  job.halo = plan.GetRadius()[2];
  const auto slabPlanes = static_cast<std::size_t>(SlabPlanesPerScratchPlane(grid));
  job.scratchBytesPerPlane = DivideUp(ScratchBytesPerPlane(grid, outputs), slabPlanes);
  job.operationsPerVoxel = OperationsPerVoxel(plan, tables.size(), outputs);
  job.makeStage = [&](GpuContext &, const DeviceSlab & slab) -> std::unique_ptr<PlaneStage> {
    return std::make_unique<SweepStage>(context, tables, outputs, slab);
  };
  RunPlaneJob(context, job);
}

} // namespace gpu
} // namespace cudaneuro
