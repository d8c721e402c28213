// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_MapBatchGpu_h
#define cudaneuro_metrics_MapBatchGpu_h

#include "cuda/GpuContext.h"
#include "fields/IndexPosition.h"
#include "metrics/MetricEvaluator.h"
#include "metrics/MetricSums.h"

#include <memory>

namespace cudaneuro::gpu
{

/** The common part of the GPU metrics: maps are copied to the device, their numbers back, and the host waits once per
 * call.
 *
 * Kernels see the axes of the fixed grid in an order that is chosen for each map (see OrderedAxes), so that the lanes
 * of a warp read neighbors in the moving image's memory. */
class MapBatchEvaluator : public MetricEvaluator
{
public:
  ~MapBatchEvaluator() override { m_Gpu.SynchronizeNoThrow(); }

  void
  Evaluate(MapEvaluation * evaluations, int count, bool withDerivatives) override;

protected:
  MapBatchEvaluator(Context & context, const ImageComparison & comparison);

  /** Prepares the fixed image for maps of an order. */
  virtual void
  PrepareOrder(int order) = 0;

  /** Allocates the memory that a metric needs besides MapSums, for a number of maps at a time. */
  virtual void
  ReserveForKernels(int)
  {}

  /** Enqueues the kernels for some maps.
   * \param maps in memory of the device. */
  virtual void
  Enqueue(const OrderedTransform * maps, int count, bool withDerivatives, const MapSums & sums) = 0;

  /** Sets value, count and, if requested, derivatives of a map from its numbers. */
  virtual void
  Finish(const double * numbers, MapEvaluation & evaluation, bool withDerivatives) const = 0;

  const GpuContext &
  Gpu() const
  {
    return m_Gpu;
  }
  /** Sets the derivatives, in the kernels' order of axes, to those of the numbers times a factor. */
  static void
  SetDerivatives(const double * numbers, double factor, MapEvaluation & evaluation)
  {
    for (int axis = 0; axis < 3; ++axis, numbers += numbersOfAxis)
    {
      for (int column = 0; column < 3; ++column)
      {
        evaluation.derivativeByMatrix[3 * axis + column] = factor * numbers[column];
      }
      evaluation.derivativeByOffset[axis] = factor * numbers[3];
    }
  }

  /** Sets the number of blocks whose sums are added for a map. \param otherBytes memory that Enqueue needs per map. */
  void
  SetParts(int parts, std::size_t otherBytes);
  int
  Parts() const
  {
    return m_Parts;
  }

private:
  void
  Reserve(int maps);
  void
  WriteMaps(const MapEvaluation * evaluations, int count);
  void
  EnqueueAll(int count, bool withDerivatives);
  void
  ReadNumbers(MapEvaluation * evaluations, int count, bool withDerivatives) const;

  Context &                      m_Context;
  GpuContext &                   m_Gpu;
  Extent                         m_FixedExtent;
  int                            m_Parts = 1;
  int                            m_MapsAtATime = 1;
  int                            m_ReservedMaps = 0;
  DeviceBuffer<OrderedTransform> m_Maps;
  DeviceBuffer<double>           m_PartNumbers;
  DeviceBuffer<unsigned int>     m_Arrivals;
  std::shared_ptr<void>          m_PinnedMaps;
  std::shared_ptr<void>          m_PinnedNumbers;
  Event                          m_Begin{ cudaEventDefault };
  Event                          m_End{ cudaEventDefault };
};

} // namespace cudaneuro::gpu

#endif
