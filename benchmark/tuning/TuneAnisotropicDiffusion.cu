// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "TuningTools.cuh"
#include "cuda/QuadAlignment.h"
#include "denoising/diffusion/EdgeDiffusionKernel.cuh"
#include "denoising/diffusion/WeickertDiffusionKernel.cuh"

#include <type_traits>

namespace cudaneuro::tuning
{
namespace
{

constexpr auto conductance = DiffusionConductance::PeronaMalikRational;
constexpr int  numberOfSteps = 20;

using Launcher = void (*)(const gpu::DiffusionArguments &, bool first, int multiprocessors, cudaStream_t);

/** The volumes of a sweep. */
struct Volumes
{
  explicit Volumes(const Size & size)
    : input(size)
    , odd(size)
    , even(size)
    , flags(size)
  {
    FillNoisyVolume(input, size);
  }

  DeviceFloats input;
  DeviceFloats odd;
  DeviceFloats even;
  DeviceFloats flags; // large enough for the flags of every shape
};

/** Times all steps of a diffusion with one shape. */
template <typename TShape, typename TDefaultShape>
void
Time(KernelSweep & sweep, const Volumes & volumes, gpu::DiffusionArguments arguments, Launcher launch)
{
  const int multiprocessors = NumberOfMultiprocessors();
  arguments.flags = reinterpret_cast<unsigned char *>(volumes.flags.Data());
  arguments.inputPitch = arguments.size.x;
  arguments.outputPitch = arguments.size.x;
  arguments.isInputQuadAligned = gpu::IsQuadAligned(volumes.input.Data(), arguments.inputPitch);
  arguments.isOutputQuadAligned = arguments.isInputQuadAligned;
  arguments.zEnd = arguments.size.z;

  ShapeTiming timing;
  timing.shape = std::to_string(TShape::threadsX) + "x" + std::to_string(TShape::threadsY) + " threads, 4x" +
                 std::to_string(TShape::rows) + " outputs, " + std::to_string(TShape::minimumBlocks) + " blocks";
  timing.milliseconds = TimeLaunch(
    [&](cudaStream_t stream) {
      const float * source = volumes.input.Data();
      for (int step = 0; step < numberOfSteps; ++step)
      {
        arguments.input = source;
        arguments.output = step % 2 == 0 ? volumes.odd.Data() : volumes.even.Data();
        launch(arguments, step == 0, multiprocessors, stream);
        source = arguments.output;
      }
    },
    5);
  timing.isDefault = std::is_same<TShape, TDefaultShape>::value;
  sweep.timings.push_back(timing);
}

gpu::DiffusionArguments
MakeArguments(DiffusionStencil stencil, const Size & size)
{
  Grid grid;
  grid.size = size;
  AnisotropicDiffusionParameters parameters;
  parameters.stencil = stencil;
  parameters.numberOfIterations = numberOfSteps;
  parameters.kappa = 60.0;
  return gpu::MakeDiffusionArguments(parameters, grid, 0.0f);
}

template <int VThreadsX, int VThreadsY, int VRows, int VMinimumBlocks>
void
TimeWeickert(KernelSweep & sweep, const Volumes & volumes, const gpu::DiffusionArguments & arguments)
{
  using Shape = gpu::DiffusionShape<VThreadsX, VThreadsY, VRows, VMinimumBlocks>;
  Time<Shape, gpu::WeickertDefaultShape>(
    sweep, volumes, arguments, gpu::LaunchWeickertDiffusion<DiffusionStencil::Weickert26, conductance, Shape>);
}

KernelSweep
TuneWeickert(const Size & size, const Volumes & volumes)
{
  const auto  arguments = MakeArguments(DiffusionStencil::Weickert26, size);
  KernelSweep sweep;
  sweep.kernel = "diffusion Weickert26 N=20";
  TimeWeickert<16, 8, 2, 3>(sweep, volumes, arguments);
  TimeWeickert<16, 8, 2, 4>(sweep, volumes, arguments);
  TimeWeickert<16, 12, 2, 2>(sweep, volumes, arguments);
  TimeWeickert<16, 16, 1, 2>(sweep, volumes, arguments);
  TimeWeickert<16, 16, 1, 3>(sweep, volumes, arguments);
  TimeWeickert<8, 16, 2, 3>(sweep, volumes, arguments);
  TimeWeickert<32, 8, 1, 2>(sweep, volumes, arguments);
  TimeWeickert<8, 16, 1, 4>(sweep, volumes, arguments);
  TimeWeickert<16, 8, 3, 2>(sweep, volumes, arguments);
  return sweep;
}

template <DiffusionStencil VStencil,
          typename TDefaultShape,
          int VThreadsX,
          int VThreadsY,
          int VRows,
          int VMinimumBlocks>
void
TimeEdges(KernelSweep & sweep, const Volumes & volumes, const gpu::DiffusionArguments & arguments)
{
  using Shape = gpu::DiffusionShape<VThreadsX, VThreadsY, VRows, VMinimumBlocks>;
  Time<Shape, TDefaultShape>(sweep, volumes, arguments, gpu::LaunchEdgeDiffusion<VStencil, conductance, Shape>);
}

template <DiffusionStencil VStencil, typename TDefaultShape>
KernelSweep
TuneEdges(const char * kernel, const Size & size, const Volumes & volumes)
{
  const auto  arguments = MakeArguments(VStencil, size);
  KernelSweep sweep;
  sweep.kernel = kernel;
  TimeEdges<VStencil, TDefaultShape, 16, 8, 1, 6>(sweep, volumes, arguments);
  TimeEdges<VStencil, TDefaultShape, 16, 8, 2, 6>(sweep, volumes, arguments);
  TimeEdges<VStencil, TDefaultShape, 16, 16, 1, 3>(sweep, volumes, arguments);
  TimeEdges<VStencil, TDefaultShape, 32, 4, 2, 6>(sweep, volumes, arguments);
  TimeEdges<VStencil, TDefaultShape, 8, 16, 2, 6>(sweep, volumes, arguments);
  TimeEdges<VStencil, TDefaultShape, 8, 8, 1, 8>(sweep, volumes, arguments);
  return sweep;
}

} // namespace

std::vector<KernelSweep>
TuneAnisotropicDiffusion(const Size & size)
{
  const Volumes volumes(size);
  return { TuneWeickert(size, volumes),
           TuneEdges<DiffusionStencil::PeronaMalik6, gpu::PeronaMalikDefaultShape>(
             "diffusion PeronaMalik6 N=20", size, volumes),
           TuneEdges<DiffusionStencil::Gerig26, gpu::GerigDefaultShape>("diffusion Gerig26 N=20", size, volumes) };
}

} // namespace cudaneuro::tuning
