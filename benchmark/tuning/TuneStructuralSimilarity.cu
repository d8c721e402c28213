// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "TuningTools.cuh"
#include "core/IntegerMath.h"
#include "denoising/similarity/StructuralSimilarityKernel.cuh"

#include <type_traits>

namespace cudaneuro::tuning
{
namespace
{

template <typename TShape>
ShapeTiming
Time(gpu::StructuralSimilarityArguments arguments, int multiprocessors)
{
  using Column = gpu::StructuralSimilarityColumn<TShape>;
  const std::int64_t columns = DivideUp(arguments.size.x, Column::tileX) * DivideUp(arguments.size.y, Column::tileY);
  const std::int64_t blocks = DivideUp(arguments.size.z, gpu::similarityBlockPlanes);
  const DeviceFloats partials(
    { static_cast<std::int64_t>(sizeof(gpu::SimilarityPartial) / sizeof(float)), columns * TShape::warps, blocks });
  arguments.partials = reinterpret_cast<gpu::SimilarityPartial *>(partials.Data());
  const double milliseconds = TimeLaunch(
    [&](cudaStream_t stream) { gpu::LaunchStructuralSimilarity<TShape>({ arguments }, multiprocessors, stream); });
  return { "16x" + std::to_string(2 * TShape::warps) + " threads, 1x" + std::to_string(TShape::rows) +
             " outputs each, " + std::to_string(TShape::blocks) + " blocks",
           milliseconds,
           std::is_same<TShape, gpu::StructuralSimilarityDefaultShape>::value };
}

template <int VRows, int VWarps, int VBlocks>
using Shape = gpu::StructuralSimilarityShape<VRows, VWarps, VBlocks>;

} // namespace

std::vector<KernelSweep>
TuneStructuralSimilarity(const Size & size)
{
  const int          n = NumberOfMultiprocessors();
  const DeviceFloats reference(size);
  const DeviceFloats image(size);
  FillNoisyVolume(reference, size, 5.0f, 1);
  FillNoisyVolume(image, size, 30.0f, 2);

  Grid grid;
  grid.size = size;
  StructuralSimilarityParameters parameters;
  parameters.dataRange = 1000.0;
  gpu::StructuralSimilarityArguments a = gpu::MakeStructuralSimilarityArguments(parameters, grid, 0.0f, 0.0f);
  a.reference = reference.Data();
  a.image = image.Data();
  KernelSweep sweep{ "MSSIM", {} };
  sweep.timings = { Time<Shape<4, 8, 1>>(a, n), Time<Shape<2, 12, 1>>(a, n), Time<Shape<3, 8, 1>>(a, n),
                    Time<Shape<2, 8, 1>>(a, n), Time<Shape<4, 4, 2>>(a, n),  Time<Shape<2, 4, 1>>(a, n) };
  return { sweep };
}

} // namespace cudaneuro::tuning
