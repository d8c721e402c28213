// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "KeptPoints.h"

#include "core/IntegerMath.h"
#include "neighbors/DistinctPoints.h"
#include "neighbors/NeighborFormulas.h"

#include <algorithm>

namespace keptpoints
{

using namespace cudaneuro;
using namespace cudaneuro::gpu;

std::vector<std::int32_t>
FindKept(Context & context, const referenceneighbors::VectorSet & points, int numberOfNeighbors, int hashBits)
{
  const GpuContext & gpu = GpuOf(context);
  const DeviceScope  scope(gpu.GetDevice());
  NeighborSearch     search;
  search.dimension = points.dimension;
  search.stride = RoundUp(points.dimension, componentGranularity);
  search.numberOfNeighbors = numberOfNeighbors;
  search.numberOfPoints = points.Count();
  std::vector<float> working(static_cast<std::size_t>(search.numberOfPoints * search.stride), 0.0f);
  for (std::int64_t point = 0; point < search.numberOfPoints; ++point)
  {
    std::copy_n(points.At(point), points.dimension, working.begin() + point * search.stride);
  }
  const DeviceBuffer<float> onDevice = gpu.CopyToDevice(working);
  search.points = onDevice.Data();
  const DistinctPoints distinct = FindDistinctPoints(gpu, search, hashBits);
  return gpu.CopyToHost(distinct.indices, static_cast<std::size_t>(distinct.count));
}

} // namespace keptpoints
