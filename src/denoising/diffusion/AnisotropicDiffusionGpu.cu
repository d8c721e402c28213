// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/diffusion/AnisotropicDiffusion.h"

#include "core/IntegerMath.h"
#include "cuda/QuadAlignment.h"
#include "denoising/diffusion/EdgeDiffusionKernel.cuh"
#include "denoising/diffusion/WeickertDiffusionKernel.cuh"
#include "jobs/PlanePipeline.h"

#include <algorithm>
#include <vector>

namespace cudaneuro::gpu
{
namespace
{

/** The kernels of a stencil and conductance. */
struct Kernels
{
  void (*launch)(const DiffusionArguments &, bool first, int multiprocessors, cudaStream_t);
  std::int64_t (*countTiles)(const Extent &);
};

Kernels
FindKernels(const AnisotropicDiffusionParameters & parameters)
{
  Kernels kernels{};
  WithConductance(parameters.conductance, [&](auto constant) {
    constexpr DiffusionConductance conductance = constant();
    switch (parameters.stencil)
    {
      case DiffusionStencil::PeronaMalik6:
        kernels = { LaunchEdgeDiffusion<DiffusionStencil::PeronaMalik6, conductance, PeronaMalikDefaultShape>,
                    CountDiffusionTiles<PeronaMalikDefaultShape> };
        break;
      case DiffusionStencil::Gerig26:
        kernels = { LaunchEdgeDiffusion<DiffusionStencil::Gerig26, conductance, GerigDefaultShape>,
                    CountDiffusionTiles<GerigDefaultShape> };
        break;
      case DiffusionStencil::Weickert26:
        kernels = { LaunchWeickertDiffusion<DiffusionStencil::Weickert26, conductance, WeickertDefaultShape>,
                    CountDiffusionTiles<WeickertDefaultShape> };
        break;
      case DiffusionStencil::GeometricMean26:
        kernels = { LaunchWeickertDiffusion<DiffusionStencil::GeometricMean26, conductance, WeickertDefaultShape>,
                    CountDiffusionTiles<WeickertDefaultShape> };
        break;
    }
  });
  return kernels;
}

/** Returns the planes on either side that a step reads. Where conductances are a field, those next to a voxel are
 * needed, and the voxels next to them. */
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
 * k - 1 has yet to read lie at or above that plane. */
class DiffusionStage : public PlaneStage
{
public:
  DiffusionStage(const GpuContext &                     gpu,
                 const AnisotropicDiffusionParameters & parameters,
                 float                                  reference,
                 const DeviceSlab &                     slab)
    : m_Stream(gpu.ComputeStream())
    , m_Multiprocessors(gpu.NumberOfMultiprocessors())
    , m_Kernels(FindKernels(parameters))
    , m_Slab(slab)
    , m_Reach(Reach(parameters.stencil))
    , m_Done(parameters.numberOfIterations, 0)
  {
    const Grid & grid = slab.grid;
    const auto   voxels = static_cast<std::size_t>(ScratchPitch(grid) * grid.size[1] * grid.size[2]);
    for (int volume = 0; volume < NumberOfScratchVolumes(grid, slab.output, parameters.numberOfIterations); ++volume)
    {
      m_Scratch.push_back(gpu.AllocateArray<float>(voxels));
    }
    m_Arguments = MakeDiffusionArguments(parameters, grid, reference);
    m_Flags = gpu.AllocateArray<unsigned char>(
      static_cast<std::size_t>(m_Kernels.countTiles(m_Arguments.size) * m_Arguments.size.z));
    m_Arguments.flags = m_Flags.Data();
  }

  std::int64_t
  Advance(std::int64_t available) override
  {
    const int size = m_Arguments.size.z;
    const int steps = static_cast<int>(m_Done.size());
    for (int step = 0; step < steps; ++step)
    {
      const std::int64_t end = available == size ? size : available - std::int64_t{ step + 1 } * m_Reach;
      if (end <= m_Done[step])
      {
        continue;
      }
      this->SetVolumes(step);
      m_Arguments.zBegin = m_Done[step];
      m_Arguments.zEnd = static_cast<int>(end);
      m_Kernels.launch(m_Arguments, step == 0, m_Multiprocessors, m_Stream);
      m_Done[step] = m_Arguments.zEnd;
    }
    return m_Done.back();
  }

private:
  struct Rows
  {
    float *      data;
    std::int64_t pitch;
  };

  /** Returns where a step writes: the last one to the output, those before it to two volumes in turn. */
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

  cudaStream_t                     m_Stream;
  int                              m_Multiprocessors;
  Kernels                          m_Kernels;
  DeviceSlab                       m_Slab;
  int                              m_Reach;
  std::vector<int>                 m_Done; // end of the planes done, by step
  std::vector<DeviceBuffer<float>> m_Scratch;
  DeviceBuffer<unsigned char>      m_Flags;
  DiffusionArguments               m_Arguments{};
};

} // namespace

void
AnisotropicDiffusion(Context & context, const DiffusionCall & call)
{
  const AnisotropicDiffusionParameters & parameters = call.parameters;
  const Grid &                           grid = call.grid;

  PlaneJob job;
  job.grid = grid;
  job.inputs = { call.input };
  job.mask = call.mask;
  job.output = call.output;
  job.halo = std::int64_t{ parameters.numberOfIterations } * Reach(parameters.stencil);
  job.scratchBytesPerPlane = NumberOfScratchVolumes(grid, call.output.data, parameters.numberOfIterations) *
                               static_cast<std::size_t>(ScratchPitch(grid) * grid.size[1]) * sizeof(float) +
                             static_cast<std::size_t>(FindKernels(parameters).countTiles(ExtentOf(grid)));
  job.operationsPerVoxel = 100.0 * parameters.numberOfIterations;
  job.makeStage = [&](GpuContext & gpu, const DeviceSlab & slab) -> std::unique_ptr<PlaneStage> {
    return std::make_unique<DiffusionStage>(gpu, parameters, call.reference, slab);
  };
  RunPlaneJob(context, job);
}

} // namespace cudaneuro::gpu
