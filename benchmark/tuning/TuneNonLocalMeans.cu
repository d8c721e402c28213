// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "TuningTools.cuh"
#include "denoising/nonlocalmeans/NonLocalMeansDistanceColumn.cuh"
#include "denoising/nonlocalmeans/NonLocalMeansKernel.cuh"
#include "denoising/nonlocalmeans/NonLocalMeansSumColumn.cuh"

#include <type_traits>

namespace cudaneuro::tuning
{
namespace
{

constexpr int window = 3;
constexpr int patch = 2;
constexpr int repetitions = 3;

gpu::NonLocalMeansArguments
MakeArguments(const Size & size, const float * input, float * output, NonLocalMeansWeighting weighting)
{
  gpu::NonLocalMeansArguments arguments;
  arguments.input = input;
  arguments.output = output;
  arguments.size = { static_cast<int>(size[0]), static_cast<int>(size[1]), static_cast<int>(size[2]) };
  for (int axis = 0; axis < 3; ++axis)
  {
    arguments.window[axis] = window;
  }
  arguments.zEnd = arguments.size.z;
  const double scale = NonLocalMeansIntensityScale(weighting, 60.0);
  arguments.intensity.scale = static_cast<float>(scale);
  arguments.rician = MakeRicianScale(arguments.intensity, 0.0, 1);
  return arguments;
}

template <typename TShape>
std::string
Name()
{
  return "32x" + std::to_string(TShape::warps) + " threads, 1x" + std::to_string(TShape::rows) + "x" +
         std::to_string(TShape::planes) + " outputs each, " + std::to_string(TShape::blocks) + " blocks";
}

template <template <int, int, int, bool, bool, typename> class TColumn, typename TDefaultShape, typename TShape>
ShapeTiming
Time(const gpu::NonLocalMeansArguments & arguments, int multiprocessors)
{
  const double milliseconds = TimeLaunch(
    [&](cudaStream_t stream) {
      gpu::LaunchNonLocalMeans<TColumn<patch, patch, window, false, false, TShape>>(arguments, multiprocessors, stream);
    },
    repetitions);
  return { Name<TShape>(), milliseconds, std::is_same<TShape, TDefaultShape>::value };
}

template <int VRows, int VPlanes, int VWarps, int VBlocks>
ShapeTiming
TimeSum(const gpu::NonLocalMeansArguments & arguments, int multiprocessors)
{
  return Time<gpu::NonLocalMeansSumColumn,
              gpu::NonLocalMeansSumDefaultShape<patch, patch>,
              gpu::NonLocalMeansShape<VRows, VPlanes, VWarps, VBlocks>>(arguments, multiprocessors);
}

template <int VRows, int VPlanes, int VWarps, int VBlocks>
ShapeTiming
TimeDistance(const gpu::NonLocalMeansArguments & arguments, int multiprocessors)
{
  return Time<gpu::NonLocalMeansDistanceColumn,
              gpu::NonLocalMeansDistanceDefaultShape<patch, patch>,
              gpu::NonLocalMeansShape<VRows, VPlanes, VWarps, VBlocks>>(arguments, multiprocessors);
}

} // namespace

std::vector<KernelSweep>
TuneNonLocalMeans(const Size & size)
{
  const int          n = NumberOfMultiprocessors();
  const DeviceFloats input(size);
  const DeviceFloats output(size);
  FillNoisyVolume(input, size);

  const auto  a = MakeArguments(size, input.Data(), output.Data(), NonLocalMeansWeighting::PatchSum);
  KernelSweep sum{ "non-local means PatchSum (3,2)", {} };
  sum.timings = { TimeSum<4, 2, 4, 3>(a, n), TimeSum<6, 2, 4, 2>(a, n), TimeSum<8, 2, 4, 2>(a, n),
                  TimeSum<4, 4, 4, 2>(a, n), TimeSum<4, 2, 2, 6>(a, n), TimeSum<2, 2, 4, 4>(a, n),
                  TimeSum<4, 2, 8, 1>(a, n), TimeSum<6, 2, 2, 4>(a, n) };

  const auto  b = MakeArguments(size, input.Data(), output.Data(), NonLocalMeansWeighting::PatchDistance);
  KernelSweep distance{ "non-local means PatchDistance (3,2)", {} };
  distance.timings = { TimeDistance<4, 2, 4, 3>(b, n), TimeDistance<4, 2, 4, 2>(b, n), TimeDistance<6, 2, 4, 2>(b, n),
                       TimeDistance<4, 2, 2, 5>(b, n), TimeDistance<2, 2, 4, 4>(b, n), TimeDistance<4, 4, 4, 2>(b, n) };
  return { sum, distance };
}

} // namespace cudaneuro::tuning
