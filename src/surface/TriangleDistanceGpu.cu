// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/TriangleDistance.h"

#include "cuda/GpuContext.h"
#include "surface/SquaredDistance.cuh"
#include "surface/TriangleDistanceKernel.cuh"

namespace cudaneuro::gpu
{
namespace
{

/** Enqueues a copy to the device on the compute stream. \p host must exist until the stream has been synchronized. */
template <typename T>
DeviceBuffer<T>
EnqueueCopy(Context & context, const T * host, std::int64_t count)
{
  const GpuContext & gpu = GpuOf(context);
  DeviceBuffer<T>    array = gpu.AllocateArray<T>(static_cast<std::size_t>(count));
  const std::size_t  bytes = static_cast<std::size_t>(count) * sizeof(T);
  CUDANEURO_CUDA(cudaMemcpyAsync(array.Data(), host, bytes, cudaMemcpyHostToDevice, gpu.ComputeStream()));
  StatisticsOf(context).hostToDeviceBytes += bytes;
  return array;
}

std::vector<TriangleBox>
MakeBoxes(const SurfaceDistance & distance)
{
  std::vector<TriangleBox> boxes;
  boxes.reserve(static_cast<std::size_t>(distance.surface.numberOfTriangles) + 1);
  std::int64_t chunks = 0;
  for (std::int64_t triangle = 0; triangle < distance.surface.numberOfTriangles; ++triangle)
  {
    const auto [begin, end] = VoxelsAround(distance, triangle);
    boxes.push_back({ { begin[0], begin[1], begin[2] }, { end[0], end[1], end[2] }, chunks });
    const TriangleBox & box = boxes.back();
    chunks += std::int64_t{ box.Chunks(0) } * box.Chunks(1) * box.Chunks(2);
  }
  // The last element has the total number of chunks.
  boxes.push_back({ {}, {}, chunks });
  return boxes;
}

WindingCounts
ReadCounts(const GpuContext & gpu, const DeviceBuffer<DeviceWindingCounts> & counts)
{
  const DeviceWindingCounts read = gpu.CopyToHost(counts, 1).front();
  return { static_cast<std::int64_t>(read.once),
           static_cast<std::int64_t>(read.onceReversed),
           static_cast<std::int64_t>(read.several) };
}

} // namespace

WindingCounts
DistanceToSurface(Context & context, const SurfaceDistance & distance)
{
  const GpuContext &             gpu = GpuOf(context);
  const cudaStream_t             stream = gpu.ComputeStream();
  const std::int64_t             voxels = NumberOfVoxels(distance.extent);
  const float                    reach = static_cast<float>(distance.reach);
  const std::vector<TriangleBox> boxes = MakeBoxes(distance);
  context.ReportProgress(0.1);
  const auto points = EnqueueCopy(context, distance.surface.points, 3 * distance.surface.numberOfPoints);
  const auto triangles = EnqueueCopy(context, distance.surface.triangles, 3 * distance.surface.numberOfTriangles);
  const auto deviceBoxes = EnqueueCopy(context, boxes.data(), static_cast<std::int64_t>(boxes.size()));
  const auto windings = gpu.AllocateArray<int>(static_cast<std::size_t>(voxels));
  const auto counts = gpu.AllocateArray<DeviceWindingCounts>(1);
  CUDANEURO_CUDA(cudaMemsetAsync(windings.Data(), 0, static_cast<std::size_t>(voxels) * sizeof(int), stream));
  CUDANEURO_CUDA(cudaMemsetAsync(counts.Data(), 0, sizeof(DeviceWindingCounts), stream));
  EnqueueFill(stream, voxels, reach * reach, distance.output);

  const SurfaceArguments arguments{ distance.extent,
                                    distance.spacing,
                                    reach,
                                    distance.fractionBits,
                                    distance.surface.numberOfTriangles,
                                    boxes.back().firstChunk,
                                    points.Data(),
                                    triangles.Data(),
                                    deviceBoxes.Data() };
  constexpr int          warps = triangleThreads / warpThreads;
  const unsigned int     chunkBlocks = BlocksFor(arguments.numberOfChunks, warps);
  TriangleDistanceKernel<<<chunkBlocks, triangleThreads, 0, stream>>>(arguments, distance.output);
  CUDANEURO_CUDA_LAUNCHED("TriangleDistanceKernel");
  CrossingKernel<<<chunkBlocks, triangleThreads, 0, stream>>>(arguments, windings.Data());
  CUDANEURO_CUDA_LAUNCHED("CrossingKernel");
  const unsigned int rowBlocks = BlocksFor(std::int64_t{ distance.extent.y } * distance.extent.z, warps);
  SignKernel<<<rowBlocks, triangleThreads, 0, stream>>>(
    distance.extent, reach, windings.Data(), distance.output, counts.Data());
  CUDANEURO_CUDA_LAUNCHED("SignKernel");
  const WindingCounts result = ReadCounts(gpu, counts);
  context.ReportProgress(1.0);
  return result;
}

} // namespace cudaneuro::gpu
