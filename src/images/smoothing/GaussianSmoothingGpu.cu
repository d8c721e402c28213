// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/smoothing/GaussianSmoothing.h"

#include "core/Dispatch.h"
#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"
#include "cuda/SharedMemoryLimit.h"
#include "images/smoothing/AxisSmoothingKernel.cuh"
#include "images/smoothing/ColumnSmoothingKernel.cuh"
#include "images/smoothing/PlaneSmoothingKernel.cuh"

#include <algorithm>
#include <limits>

namespace cudaneuro::gpu
{

namespace
{

/** The arguments of a convolution of volumes. */
struct Smoothing
{
  Extent           extent;
  GaussianTaps     taps[3];
  bool             zeroBeyond = false;
  SmoothingVolumes volumes; // from the input to the output
  float *          scratch[3]{};
  DeviceGate       gate;
};

/** The approximate number of threads that fill a device. Volumes with fewer threads are divided into more parts. */
constexpr std::int64_t fullDevice = 1 << 16;

/** Returns the number of parts into which a march over \p length rows, which has \p threads threads undivided, is
 * divided. Each part reads 2 \p radius rows more than it writes. */
int
NumberOfChunks(int length, int radius, std::int64_t threads)
{
  const std::int64_t wanted = std::max<std::int64_t>(1, fullDevice / threads);
  const std::int64_t most = std::max(1, length / std::max(2 * radius, 16));
  return static_cast<int>(std::min(wanted, most));
}

unsigned int
BlocksFor(std::int64_t items)
{
  return static_cast<unsigned int>(std::min<std::int64_t>(items, std::numeric_limits<std::int32_t>::max()));
}

/** Larger radii need a launch for each axis. */
constexpr int largestRadius = 32;

template <int VRadius>
SmoothingWeights<VRadius>
WeightsOf(const GaussianTaps & taps, bool zeroBeyond)
{
  SmoothingWeights<VRadius> weights{};
  taps.Fill(weights.of, VRadius + 1);
  double beyond = 0.0;
  for (int distance = VRadius; distance > 0 && !zeroBeyond; --distance)
  {
    beyond += static_cast<double>(weights.of[distance]);
    weights.beyond[distance - 1] = static_cast<float>(beyond);
  }
  return weights;
}

template <int VRadius>
void
LaunchPlanes(cudaStream_t stream, const Smoothing & smoothing, const SmoothingVolumes & volumes)
{
  using Tile = PlaneSmoothingTile<VRadius>;
  const Extent &                   extent = smoothing.extent;
  PlaneSmoothingArguments<VRadius> arguments{};
  arguments.volumes = volumes;
  arguments.extent = extent;
  arguments.gate = smoothing.gate.isOpen;
  arguments.tilesX = DivideUp(extent.x, smoothingTile);
  arguments.tileX = RoundUp(DivideUp(extent.x, arguments.tilesX), smoothingRun);
  arguments.zeroBeyond = smoothing.zeroBeyond;
  arguments.alongX = smoothing.taps[0].radius > 0;
  arguments.alongY = smoothing.taps[1].radius > 0;
  arguments.quadsAligned = extent.x % 4 == 0;
  for (int volume = 0; volume < volumes.count; ++volume)
  {
    const bool isAligned = reinterpret_cast<std::uintptr_t>(volumes.from[volume]) % 16 == 0;
    arguments.quadsAligned = arguments.quadsAligned && isAligned;
  }
  arguments.weightsX = WeightsOf<VRadius>(smoothing.taps[0], smoothing.zeroBeyond);
  arguments.weightsY = WeightsOf<VRadius>(smoothing.taps[1], smoothing.zeroBeyond);

  const int          threads = RoundUp(arguments.tileX, 32);
  const std::int64_t marches = std::int64_t{ arguments.tilesX } * extent.z * volumes.count;
  const int          chunks = NumberOfChunks(extent.y, VRadius, marches * threads);
  arguments.chunkY = DivideUp(extent.y, chunks);
  arguments.chunksY = DivideUp(extent.y, arguments.chunkY);

  AllowAllSharedMemory(SmoothPlanesKernel<VRadius>);
  SmoothPlanesKernel<VRadius>
    <<<BlocksFor(marches * arguments.chunksY), threads, Tile::SharedBytes(arguments.tileX), stream>>>(arguments);
  CUDANEURO_CUDA_LAUNCHED("SmoothPlanesKernel");
}

/** Returns whether a volume is convolved in place. */
bool
IsInPlace(const SmoothingVolumes & volumes)
{
  return std::any_of(volumes.to, volumes.to + volumes.count, [&](const float * to) {
    return std::find(volumes.from, volumes.from + volumes.count, to) != volumes.from + volumes.count;
  });
}

template <int VRadius>
void
LaunchColumns(cudaStream_t stream, const Smoothing & smoothing, const SmoothingVolumes & volumes)
{
  const Extent &                    extent = smoothing.extent;
  ColumnSmoothingArguments<VRadius> arguments{};
  arguments.volumes = volumes;
  arguments.extent = extent;
  arguments.gate = smoothing.gate.isOpen;
  arguments.largestSquare = smoothing.gate.largestSquaredLength;
  arguments.zeroBeyond = smoothing.zeroBeyond;
  arguments.weights = WeightsOf<VRadius>(smoothing.taps[2], smoothing.zeroBeyond);

  const std::int64_t columns = std::int64_t{ extent.x } * extent.y;
  constexpr int      mostChunks = 65535;
  const int          chunks = IsInPlace(volumes) ? 1 : NumberOfChunks(extent.z, VRadius, columns * volumes.count);
  arguments.chunkZ = DivideUp(extent.z, std::min(chunks, mostChunks));
  const dim3 blocks(static_cast<unsigned int>(DivideUp(columns, smoothingColumns)),
                    static_cast<unsigned int>(DivideUp(extent.z, arguments.chunkZ)));
  const dim3 threads(smoothingColumns, static_cast<unsigned int>(volumes.count));
  SmoothColumnsKernel<VRadius><<<blocks, threads, 0, stream>>>(arguments);
  CUDANEURO_CUDA_LAUNCHED("SmoothColumnsKernel");
}

/** Enqueues the convolution along z, by the kernel of the next larger radius with weights of 0. Radius 0 is a copy. */
void
EnqueueColumns(cudaStream_t stream, const Smoothing & smoothing, const SmoothingVolumes & volumes)
{
  WithConstantFrom<0, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, largestRadius>(
    smoothing.taps[2].radius, [&](auto radius) { LaunchColumns<radius()>(stream, smoothing, volumes); });
}

/** Enqueues the convolution along one axis, with any radius. */
void
EnqueueAxis(cudaStream_t stream, const Smoothing & smoothing, const SmoothingVolumes & volumes, int axis)
{
  const Extent &         extent = smoothing.extent;
  const std::int64_t     lengths[3] = { extent.x, extent.y, extent.z };
  AxisSmoothingArguments arguments{};
  arguments.volumes = volumes;
  arguments.gate = smoothing.gate.isOpen;
  arguments.taps = smoothing.taps[axis];
  arguments.length = static_cast<int>(lengths[axis]);
  arguments.stride = axis == 0 ? 1 : (axis == 1 ? lengths[0] : lengths[0] * lengths[1]);
  arguments.outer = NumberOfVoxels(extent) / (arguments.stride * arguments.length);
  arguments.zeroBeyond = smoothing.zeroBeyond;
  const dim3         block = axis == 0 ? dim3(1, 256) : dim3(32, 8);
  const std::int64_t blocks =
    DivideUp(arguments.stride, block.x) * DivideUp(arguments.length, block.y) * arguments.outer * volumes.count;
  SmoothAxisKernel<<<BlocksFor(blocks), block, 0, stream>>>(arguments);
  CUDANEURO_CUDA_LAUNCHED("SmoothAxisKernel");
}

SmoothingVolumes
Between(const float * const * from, float * const * to, int count)
{
  SmoothingVolumes volumes;
  volumes.count = count;
  std::copy_n(from, count, volumes.from);
  std::copy_n(to, count, volumes.to);
  return volumes;
}

/** Convolves axis by axis, alternately to scratch and to the output, because the input may be the output; the last
 * result is in the output. */
void
EnqueueAxes(cudaStream_t stream, Smoothing smoothing)
{
  const SmoothingVolumes & ends = smoothing.volumes;
  const int                count = ends.count;
  const float * const *    from = ends.from;
  for (int axis = 0; axis < 3; ++axis)
  {
    if (smoothing.taps[axis].radius > 0)
    {
      float * const * to = from == smoothing.scratch ? ends.to : smoothing.scratch;
      EnqueueAxis(stream, smoothing, Between(from, to, count), axis);
      from = to;
    }
  }
  if (from == smoothing.scratch || smoothing.gate.largestSquaredLength)
  {
    smoothing.taps[2] = GaussianTaps();
    EnqueueColumns(stream, smoothing, Between(from, ends.to, count));
  }
}

void
Enqueue(cudaStream_t stream, const Smoothing & smoothing)
{
  const SmoothingVolumes & ends = smoothing.volumes;
  const int                radiusXY = std::max(smoothing.taps[0].radius, smoothing.taps[1].radius);
  const int                radiusZ = smoothing.taps[2].radius;
  if (std::max(radiusXY, radiusZ) > largestRadius)
  {
    EnqueueAxes(stream, smoothing);
    return;
  }
  if (radiusXY == 0)
  {
    EnqueueColumns(stream, smoothing, ends);
    return;
  }
  const bool             needsColumns = radiusZ > 0 || smoothing.gate.largestSquaredLength || IsInPlace(ends);
  const SmoothingVolumes volumes = Between(ends.from, needsColumns ? smoothing.scratch : ends.to, ends.count);
  WithConstantFrom<2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, largestRadius>(
    radiusXY, [&](auto radius) { LaunchPlanes<radius()>(stream, smoothing, volumes); });
  if (needsColumns)
  {
    EnqueueColumns(stream, smoothing, Between(smoothing.scratch, ends.to, ends.count));
  }
}

Smoothing
MakeSmoothing(const Extent & extent, const GaussianWeights & weights, Boundary boundary)
{
  Smoothing smoothing;
  smoothing.extent = extent;
  smoothing.taps[0] = weights.Taps(0, extent.x, boundary);
  smoothing.taps[1] = weights.Taps(1, extent.y, boundary);
  smoothing.taps[2] = weights.Taps(2, extent.z, boundary);
  smoothing.zeroBeyond = boundary == Boundary::Zero;
  return smoothing;
}

} // namespace

void
SmoothField(Context & context, const GaussianWeights & weights, const FieldSmoothing & field)
{
  const float * const from[3] = { field.input.x, field.input.y, field.input.z };
  float * const       to[3] = { field.output.x, field.output.y, field.output.z };
  float * const       between[3] = { field.scratch.x, field.scratch.y, field.scratch.z };
  Smoothing           smoothing = MakeSmoothing(field.extent, weights, field.boundary);
  smoothing.volumes = Between(from, to, 3);
  std::copy_n(between, 3, smoothing.scratch);
  smoothing.gate = field.gate;
  Enqueue(GpuOf(context).ComputeStream(), smoothing);
}

bool
SmoothsThroughOutput(const Extent & extent, const GaussianWeights & weights, Boundary boundary)
{
  const Smoothing smoothing = MakeSmoothing(extent, weights, boundary);
  const GaussianTaps(&taps)[3] = smoothing.taps;
  const std::int64_t threads = 3 * std::int64_t{ extent.x } * extent.y;
  return std::max({ taps[0].radius, taps[1].radius, taps[2].radius }) <= largestRadius &&
         NumberOfChunks(extent.z, taps[2].radius, threads) == 1;
}

void
SmoothVolume(Context & context, const GaussianWeights & weights, const VolumeSmoothing & volume)
{
  const DeviceScope scope(GpuOf(context).GetDevice());
  Smoothing         smoothing = MakeSmoothing(volume.extent, weights, volume.boundary);
  smoothing.volumes = Between(&volume.input, &volume.output, 1);
  smoothing.scratch[0] = volume.scratch;
  Enqueue(GpuOf(context).ComputeStream(), smoothing);
}

} // namespace cudaneuro::gpu
