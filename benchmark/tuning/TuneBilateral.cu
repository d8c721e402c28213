// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "TuningTools.cuh"
#include "denoising/bilateral/BilateralKernel.cuh"

#include <type_traits>

namespace cudaneuro::tuning
{
namespace
{

constexpr int radius = 2;
using DefaultShape = gpu::BilateralDefaultShape<radius>;

template <int VThreadsX, int VThreadsY, int VPlanes, int VPolynomials, int VMinimumBlocks>
void
Time(KernelSweep & sweep, const gpu::BilateralArguments & arguments)
{
  using Shape = gpu::BilateralShape<VThreadsX, VThreadsY, VPlanes, VPolynomials, VMinimumBlocks>;
  ShapeTiming timing;
  timing.shape = std::to_string(VThreadsX) + "x" + std::to_string(VThreadsY) + " threads, 4x1x" +
                 std::to_string(VPlanes) + " outputs, " + std::to_string(VPolynomials) + "/20 polynomials, " +
                 std::to_string(VMinimumBlocks) + " blocks";
  timing.milliseconds =
    TimeLaunch([&](cudaStream_t stream) { gpu::LaunchBilateral<radius, Shape>(arguments, stream); });
  timing.isDefault = std::is_same<Shape, DefaultShape>::value;
  sweep.timings.push_back(timing);
}

} // namespace

std::vector<KernelSweep>
TuneBilateral(const Size & size)
{
  const DeviceFloats input(size);
  const DeviceFloats output(size);
  FillNoisyVolume(input, size);

  Grid grid;
  grid.size = size;
  BilateralParameters parameters;
  parameters.domainSigma = { 2.0, 2.0, 2.0 };
  parameters.rangeSigma = 60.0;
  parameters.radius = { radius, radius, radius };
  gpu::BilateralArguments arguments = gpu::MakeBilateralArguments(parameters, grid);
  gpu::SetBilateralVolumes(arguments, input.Data(), nullptr, output.Data());
  arguments.zEnd = arguments.size.z;

  KernelSweep sweep;
  sweep.kernel = "bilateral R=2";
  Time<16, 8, 4, 0, 4>(sweep, arguments);
  Time<16, 8, 4, 1, 4>(sweep, arguments);
  Time<16, 8, 4, 2, 4>(sweep, arguments);
  Time<16, 8, 4, 3, 4>(sweep, arguments);
  Time<16, 8, 4, 2, 5>(sweep, arguments);
  Time<16, 16, 4, 2, 2>(sweep, arguments);
  Time<16, 4, 4, 2, 8>(sweep, arguments);
  Time<8, 16, 4, 2, 4>(sweep, arguments);
  Time<32, 4, 4, 2, 4>(sweep, arguments);
  Time<16, 8, 3, 1, 5>(sweep, arguments);
  Time<16, 8, 3, 2, 5>(sweep, arguments);
  Time<16, 8, 3, 3, 5>(sweep, arguments);
  Time<16, 8, 2, 2, 6>(sweep, arguments);
  Time<16, 8, 1, 2, 8>(sweep, arguments);
  Time<4, 8, 1, 0, 16>(sweep, arguments);
  return { sweep };
}

} // namespace cudaneuro::tuning
