// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/diffusion/AnisotropicDiffusion.h"

#include "core/IntegerMath.h"
#include "cuda/QuadAlignment.h"
#include "denoising/diffusion/DiffusionKernels.cuh"
#include "jobs/PlanePipeline.h"

#include <algorithm>
#include <deque>
#include <vector>

namespace cudaneuro::gpu
{
namespace
{

/** Minimum voxels of a batch: fewer would leave the device idle, and more would keep the host waiting at the end. */
constexpr std::int64_t voxelsOfBatch = 3'500'000;

/** Volumes with fewer voxels have too few batches to repay the time that creating a third stream takes. */
constexpr std::int64_t voxelsForThirdStream = 16 * voxelsOfBatch;

/** Returns the kernels of a call. */
DiffusionKernels
FindKernels(const DiffusionCall & call)
{
  return call.noise.data != nullptr
           ? FindDiffusionKernelsWithMap(call.parameters)
           : FindDiffusionKernels<PeronaMalikDefaultShape, GerigDefaultShape, WeickertDefaultShape>(call.parameters);
}

/** Returns the number of planes on either side that a step reads. Where conductances are a field, the conductances of
 * a voxel's neighbors are needed, and therefore the neighbors of these. */
int
Reach(DiffusionStencil stencil)
{
  return HasConductanceField(stencil) ? 2 : 1;
}

/** Returns the row pitch, in floats, of volumes between steps, whose rows are whole quads. */
std::int64_t
ScratchPitch(const Grid & grid)
{
  return RoundUp(grid.size[0], 4);
}

/** Returns how many volumes between steps are needed besides the output, which is one itself where its rows are
 * quads. */
int
NumberOfScratchVolumes(const Grid & grid, const void * output, int numberOfIterations)
{
  return std::min(numberOfIterations - 1, IsQuadAligned(static_cast<const float *>(output), grid.size[0]) ? 1 : 2);
}

/** Runs the steps skewed: once planes [0, n) have arrived, step k runs up to plane n - k reach.
 *
 * Steps alternate between two volumes. Step k overwrites the planes of step k - 2 below n - k reach; those that step
 * k - 1 has yet to read lie at or above that plane.
 *
 * Where planes arrive in batches, these run on a few streams in turn, and a step of a batch waits for that step of the
 * previous batch: few planes leave part of the device idle, and several concurrent batches fill it. */
class DiffusionStage : public PlaneStage
{
public:
  DiffusionStage(const GpuContext & gpu, const DiffusionCall & call, const DeviceSlab & slab)
    : m_Gpu(gpu)
    , m_Multiprocessors(gpu.NumberOfMultiprocessors())
    , m_Kernels(FindKernels(call))
    , m_Slab(slab)
    , m_Reach(Reach(call.parameters.stencil))
    , m_NumberOfStreams(slab.grid.NumberOfVoxels() < voxelsForThirdStream ? 2 : 3)
    , m_Done(call.parameters.numberOfIterations, 0)
    , m_LargestNoise(call.noiseValues.largest)
  {
    const AnisotropicDiffusionParameters & parameters = call.parameters;
    const Grid &                           grid = slab.grid;
    const auto voxels = static_cast<std::size_t>(ScratchPitch(grid) * grid.size[1] * grid.size[2]);
    for (int volume = 0; volume < NumberOfScratchVolumes(grid, slab.output, parameters.numberOfIterations); ++volume)
    {
      m_Scratch.push_back(gpu.AllocateArray<float>(voxels));
    }
    m_Arguments = MakeDiffusionArguments(parameters, grid, call.reference, SmallestNoise(call.noiseValues));
    m_Flags = gpu.AllocateArray<unsigned char>(
      static_cast<std::size_t>(m_Kernels.countTiles(m_Arguments.size) * m_Arguments.size.z));
    m_Arguments.flags = m_Flags.Data();
    if (slab.inputs.size() > 1)
    {
      m_InverseNoise = gpu.AllocateArray<float>(voxels);
      m_Arguments.noise = slab.inputs[1];
      m_Arguments.inverseNoise = m_InverseNoise.Data();
      m_Arguments.inverseNoisePitch = ScratchPitch(grid);
    }
  }

  DiffusionStage(const DiffusionStage &) = delete;
  DiffusionStage &
  operator=(const DiffusionStage &) = delete;

  ~DiffusionStage() override
  {
    // After an abort, batches may still use the memory of this object.
    for (const BatchStream & stream : m_Streams)
    {
      cudaStreamSynchronize(stream.stream.Get());
    }
  }

  std::int64_t
  Advance(std::int64_t available) override
  {
    const int size = m_Arguments.size.z;
    if (available > m_Available)
    {
      this->InvertNoise(static_cast<int>(available));
      if (m_Available == 0 && available == size)
      {
        this->EnqueueSteps(size, m_Gpu.ComputeStream(), nullptr);
        m_Available = size;
        return size;
      }
      m_Available = available;
      this->EnqueueBatch();
      m_Delivered = m_NumberOfBatches - m_NumberOfStreams;
    }
    else
    {
      ++m_Delivered;
    }
    return this->WaitForBatch(m_Delivered);
  }

private:
  /** A stream, which runs every second or third batch. */
  struct BatchStream
  {
    explicit BatchStream(int device)
      : stream(device)
    {}

    Stream stream;
    Event  done;       // recorded after its last batch
    int    planes = 0; // finished once the event is reached
  };

  /** Enqueues all steps of the planes that have arrived since the previous batch. */
  void
  EnqueueBatch()
  {
    if (m_NumberOfBatches < m_NumberOfStreams)
    {
      m_Streams.emplace_back(m_Gpu.GetDevice());
    }
    BatchStream & stream = m_Streams[m_NumberOfBatches % m_NumberOfStreams];
    m_Ready.Order(m_Gpu.ComputeStream(), stream.stream.Get());
    m_StepDone.resize(m_Done.size());
    this->EnqueueSteps(m_Available, stream.stream.Get(), &m_StepDone);
    stream.done.Record(stream.stream.Get());
    stream.planes = m_Done.back();
    ++m_NumberOfBatches;
  }

  /** Makes the compute stream wait for a batch.
   * \returns the end of the planes that are finished by then */
  std::int64_t
  WaitForBatch(int batch)
  {
    if (batch < 0)
    {
      return 0;
    }
    const BatchStream & stream = m_Streams[batch % m_NumberOfStreams];
    CUDANEURO_CUDA(cudaStreamWaitEvent(m_Gpu.ComputeStream(), stream.done.Get(), 0));
    return stream.planes;
  }

  /** Enqueues all steps as far as planes [0, available) allow.
   * \param done events after the steps of the previous batch, replaced by this batch's; null if there is one batch */
  void
  EnqueueSteps(std::int64_t available, cudaStream_t stream, std::deque<Event> * done)
  {
    const int size = m_Arguments.size.z;
    for (int step = 0; step < static_cast<int>(m_Done.size()); ++step)
    {
      const std::int64_t end = available == size ? size : available - std::int64_t{ step + 1 } * m_Reach;
      if (end <= m_Done[step])
      {
        continue;
      }
      if (done != nullptr)
      {
        CUDANEURO_CUDA(cudaStreamWaitEvent(stream, (*done)[step].Get(), 0));
      }
      this->SetVolumes(step);
      m_Arguments.zBegin = m_Done[step];
      m_Arguments.zEnd = static_cast<int>(end);
      m_Kernels.launch(m_Arguments, step == 0, m_Multiprocessors, stream);
      m_Done[step] = m_Arguments.zEnd;
      if (done != nullptr)
      {
        (*done)[step].Record(stream);
      }
    }
  }

  /** Computes RelativeInverseNoise() of the planes that have arrived, for use by all steps. */
  void
  InvertNoise(int available)
  {
    if (m_Arguments.noise != nullptr && available > m_Inverted)
    {
      LaunchInverseNoise(
        m_Arguments, m_LargestNoise, m_Inverted, available, m_InverseNoise.Data(), m_Gpu.ComputeStream());
      m_Inverted = available;
    }
  }

  struct Rows
  {
    float *      data;
    std::int64_t pitch;
  };

  /** Returns where a step writes: the last step to the output, earlier ones alternately to two volumes. */
  Rows
  Target(int step) const
  {
    const std::size_t stepsAfter = m_Done.size() - 1 - step;
    if (stepsAfter == 0 || (stepsAfter % 2 == 0 && m_Scratch.size() < 2))
    {
      return { m_Slab.output, m_Slab.grid.size[0] };
    }
    return { m_Scratch[(stepsAfter + 1) % m_Scratch.size()].Data(), ScratchPitch(m_Slab.grid) };
  }

  void
  SetVolumes(int step)
  {
    const bool last = step + 1 == static_cast<int>(m_Done.size());
    const Rows target = this->Target(step);
    m_Arguments.output = target.data;
    m_Arguments.outputPitch = target.pitch;
    m_Arguments.isOutputQuadAligned = IsQuadAligned(target.data, target.pitch);
    if (step == 0)
    {
      m_Arguments.input = m_Slab.inputs[0];
      m_Arguments.inputPitch = m_Slab.grid.size[0];
    }
    else
    {
      const Rows source = this->Target(step - 1);
      m_Arguments.input = source.data;
      m_Arguments.inputPitch = source.pitch;
    }
    m_Arguments.isInputQuadAligned = IsQuadAligned(m_Arguments.input, m_Arguments.inputPitch);
    m_Arguments.mask = step == 0 ? m_Slab.mask : nullptr;
    m_Arguments.restore = last ? m_Slab.inputs[0] : nullptr;
  }

  const GpuContext &               m_Gpu;
  int                              m_Multiprocessors;
  DiffusionKernels                 m_Kernels;
  DeviceSlab                       m_Slab;
  int                              m_Reach;
  int                              m_NumberOfStreams;
  std::vector<int>                 m_Done; // end of the finished planes, by step
  float                            m_LargestNoise;
  std::vector<DeviceBuffer<float>> m_Scratch;
  DeviceBuffer<unsigned char>      m_Flags;
  DeviceBuffer<float>              m_InverseNoise; // with a map
  int                              m_Inverted = 0; // end of the planes with inverse noise
  DiffusionArguments               m_Arguments{};
  std::int64_t                     m_Available = 0;
  int                              m_NumberOfBatches = 0;
  int                              m_Delivered = -1; // the last batch whose planes were delivered, negative for none
  Event                            m_Ready;
  std::deque<Event>                m_StepDone;
  std::deque<BatchStream>          m_Streams;
};

} // namespace

void
AnisotropicDiffusion(Context & context, const DiffusionCall & call)
{
  const AnisotropicDiffusionParameters & parameters = call.parameters;
  const Grid &                           grid = call.grid;
  const bool                             hasMap = call.noise.data != nullptr;
  const int scratchVolumes = NumberOfScratchVolumes(grid, call.output.data, parameters.numberOfIterations);

  PlaneJob job;
  job.grid = grid;
  job.inputs = { call.input };
  if (hasMap)
  {
    job.inputs.push_back(call.noise);
  }
  job.mask = call.mask;
  job.output = call.output;
  job.halo = std::int64_t{ parameters.numberOfIterations } * Reach(parameters.stencil);
  job.scratchBytesPerPlane =
    (scratchVolumes + (hasMap ? 1 : 0)) * static_cast<std::size_t>(ScratchPitch(grid) * grid.size[1]) * sizeof(float) +
    static_cast<std::size_t>(FindKernels(call).countTiles(ExtentOf(grid)));
  job.operationsPerVoxel = 100.0 * parameters.numberOfIterations;
  job.batches.first = DivideUp(voxelsOfBatch, grid.VoxelsPerPlane());
  job.makeStage = [&](GpuContext & gpu, const DeviceSlab & slab) -> std::unique_ptr<PlaneStage> {
    return std::make_unique<DiffusionStage>(gpu, call, slab);
  };
  RunPlaneJob(context, job);
}

} // namespace cudaneuro::gpu
