// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/MapBatchGpu.h"

#include "core/ParameterChecks.h"
#include "cuda/PinnedMemory.h"
#include "metrics/MetricColumns.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cudaneuro::gpu
{
namespace
{

/** \throws InvalidParameterError for a moving image that ColumnWalk does not support. */
void
CheckMovingExtent(const Extent & extent)
{
  if (extent.x < 2)
  {
    ThrowInvalid("the size of the moving image along x", extent.x, "2 or more");
  }
  if (!IsSmall(extent))
  {
    ThrowInvalid(
      "the number of voxels of the moving image", NumberOfVoxels(extent), "less than 2^31, and 2^21 along an axis");
  }
}

/** Returns the order of the fixed grid's axes for a map. Neighbors along the first axis are lanes of a warp, and should
 * be in few rows of the moving image, and near each other in these. */
int
ChooseOrder(const AffineMap & map, const Extent & fixed)
{
  // On a short axis, most lanes would be idle.
  constexpr int    shortest = lanesOfTile / 2;
  constexpr double voxelsOfLine = 16.0;
  const int        lengths[3] = { fixed.x, fixed.y, fixed.z };
  const auto       lines = [&](std::size_t axis) {
    return std::abs(map.matrix[axis]) / voxelsOfLine + std::abs(map.matrix[3 + axis]) + std::abs(map.matrix[6 + axis]);
  };
  int order = 0;
  for (int axis = 1; axis < 3; ++axis)
  {
    if (lengths[axis] >= shortest && lines(static_cast<std::size_t>(axis)) < lines(static_cast<std::size_t>(order)))
    {
      order = axis;
    }
  }
  return order;
}

/** Returns a map with the fixed grid's axes in an order. */
AffineMap
Ordered(const AffineMap & map, const std::array<int, 3> & axes)
{
  AffineMap ordered = map;
  for (std::size_t row = 0; row < 9; row += 3)
  {
    for (std::size_t i = 0; i < 3; ++i)
    {
      ordered.matrix[row + i] = map.matrix[row + static_cast<std::size_t>(axes[i])];
    }
  }
  return ordered;
}

/** Returns the derivatives by an Ordered map to the order of memory. */
void
Unorder(double * derivatives, const std::array<int, 3> & axes)
{
  for (int row = 0; row < 9; row += 3)
  {
    const double ordered[3] = { derivatives[row], derivatives[row + 1], derivatives[row + 2] };
    for (std::size_t i = 0; i < 3; ++i)
    {
      derivatives[row + axes[i]] = ordered[i];
    }
  }
}

} // namespace

MapBatchEvaluator::MapBatchEvaluator(Context & context, const ImageComparison & comparison)
  : m_Context(context)
  , m_Gpu(GpuOf(context))
  , m_FixedExtent(comparison.fixedExtent)
{
  CheckMovingExtent(comparison.movingExtent);
}

void
MapBatchEvaluator::SetParts(int parts, std::size_t otherBytes)
{
  // The memory of a batch is limited to what stays in the cache of a large device.
  constexpr std::size_t mostBytes = std::size_t{ 1 } << 25;
  constexpr std::size_t mostMaps = 8192;
  const std::size_t     bytes = otherBytes + static_cast<std::size_t>(parts) * numbersOfMap * sizeof(double);
  m_Parts = parts;
  m_MapsAtATime = static_cast<int>(std::clamp(mostBytes / bytes, std::size_t{ 1 }, mostMaps));
}

void
MapBatchEvaluator::Evaluate(MapEvaluation * evaluations, int count, bool withDerivatives)
{
  if (count <= 0)
  {
    return;
  }
  const DeviceScope scope(m_Gpu.GetDevice());
  this->Reserve(count);
  this->WriteMaps(evaluations, count);
  try
  {
    this->EnqueueAll(count, withDerivatives);
    CUDANEURO_CUDA(cudaStreamSynchronize(m_Gpu.ComputeStream()));
  }
  catch (...)
  {
    m_Gpu.SynchronizeNoThrow();
    // Memory that kernels must leave at 0 may not be 0 after a failure.
    m_ReservedMaps = 0;
    throw;
  }
  this->ReadNumbers(evaluations, count, withDerivatives);
  float milliseconds = 0.0f;
  CUDANEURO_CUDA(cudaEventElapsedTime(&milliseconds, m_Begin.Get(), m_End.Get()));
  Statistics & statistics = StatisticsOf(m_Context);
  statistics.hostToDeviceBytes += static_cast<std::size_t>(count) * sizeof(OrderedTransform);
  statistics.deviceToHostBytes += static_cast<std::size_t>(count) * numbersOfMap * sizeof(double);
  statistics.deviceMilliseconds += milliseconds;
}

void
MapBatchEvaluator::Reserve(int maps)
{
  if (maps <= m_ReservedMaps)
  {
    return;
  }
  m_ReservedMaps = 0;
  const auto count = static_cast<std::size_t>(maps);
  m_Maps = m_Gpu.AllocateArray<OrderedTransform>(count);
  const auto atATime = static_cast<std::size_t>(std::min(maps, m_MapsAtATime));
  m_PartNumbers = m_Gpu.AllocateArray<double>(atATime * static_cast<std::size_t>(m_Parts) * numbersOfMap);
  m_Arrivals = m_Gpu.AllocateArray<unsigned int>(atATime);
  CUDANEURO_CUDA(cudaMemsetAsync(m_Arrivals.Data(), 0, atATime * sizeof(unsigned int), m_Gpu.ComputeStream()));
  m_PinnedMaps = pinned::Allocate(m_Gpu.GetDevice(), count * sizeof(OrderedTransform));
  m_PinnedNumbers = pinned::Allocate(m_Gpu.GetDevice(), count * numbersOfMap * sizeof(double));
  this->ReserveForKernels(static_cast<int>(atATime));
  m_ReservedMaps = maps;
}

void
MapBatchEvaluator::WriteMaps(const MapEvaluation * evaluations, int count)
{
  auto * const maps = static_cast<OrderedTransform *>(m_PinnedMaps.get());
  for (int i = 0; i < count; ++i)
  {
    const AffineMap & map = evaluations[i].indexMap;
    const int         order = ChooseOrder(map, m_FixedExtent);
    this->PrepareOrder(order);
    maps[i] = { MakeIndexTransform(Ordered(map, OrderedAxes(m_FixedExtent, order))), order };
  }
}

void
MapBatchEvaluator::EnqueueAll(int count, bool withDerivatives)
{
  const cudaStream_t stream = m_Gpu.ComputeStream();
  m_Begin.Record(stream);
  CUDANEURO_CUDA(cudaMemcpyAsync(m_Maps.Data(),
                                 m_PinnedMaps.get(),
                                 static_cast<std::size_t>(count) * sizeof(OrderedTransform),
                                 cudaMemcpyHostToDevice,
                                 stream));
  for (int first = 0; first < count; first += m_MapsAtATime)
  {
    // Page-locked memory has the same address on the device, which saves a copy.
    double * const numbers =
      static_cast<double *>(m_PinnedNumbers.get()) + std::size_t{ numbersOfMap } * static_cast<std::size_t>(first);
    this->Enqueue(m_Maps.Data() + first,
                  std::min(m_MapsAtATime, count - first),
                  withDerivatives,
                  { m_PartNumbers.Data(), m_Arrivals.Data(), numbers });
  }
  m_End.Record(stream);
}

void
MapBatchEvaluator::ReadNumbers(MapEvaluation * evaluations, int count, bool withDerivatives) const
{
  const auto * numbers = static_cast<const double *>(m_PinnedNumbers.get());
  const auto * maps = static_cast<const OrderedTransform *>(m_PinnedMaps.get());
  for (int i = 0; i < count; ++i, numbers += numbersOfMap)
  {
    MapEvaluation & evaluation = evaluations[i];
    this->Finish(numbers, evaluation, withDerivatives);
    if (withDerivatives)
    {
      Unorder(evaluation.derivativeByMatrix, OrderedAxes(m_FixedExtent, maps[i].order));
    }
  }
}

} // namespace cudaneuro::gpu
