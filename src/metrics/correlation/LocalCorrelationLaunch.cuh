// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_correlation_LocalCorrelationLaunch_cuh
#define cudaneuro_metrics_correlation_LocalCorrelationLaunch_cuh

#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "cuda/GpuContext.h"
#include "cuda/PlanesPerBlock.h"
#include "cuda/SharedMemoryLimit.h"
#include "metrics/correlation/LocalCorrelationBoxes.cuh"
#include "metrics/correlation/LocalCorrelationKernel.cuh"

#include <type_traits>

namespace cudaneuro::gpu
{
namespace
{

/** The cost of a block's start, before its first plane, as a number of planes. */
constexpr int planesBefore = 2;

/** The launch shapes of the kernels of the local correlation on one grid, with boxes of one half-width. */
class LocalCorrelationLaunch
{
public:
  LocalCorrelationLaunch(const GpuContext & gpu, const Extent & extent, int radius)
    : m_Tile(radius)
    , m_HasFewColumns(m_Tile.ColumnsOfThread() <= fewBoxColumns)
    , m_Planes(PlanesPerBlock(extent.z,
                              DivideUp(extent.x, boxTileX) * DivideUp(extent.y, boxTileY),
                              BoxBlocks(m_HasFewColumns) * gpu.NumberOfMultiprocessors(),
                              planesBefore))
    , m_Blocks(DivideUp(extent.x, boxTileX), DivideUp(extent.y, boxTileY), DivideUp(extent.z, m_Planes))
  {}

  /** Returns the blocks of kernels that call ForBoxes, which is the length of one array of sums. */
  int
  NumberOfBlocks() const
  {
    return static_cast<int>(m_Blocks.x * m_Blocks.y * m_Blocks.z);
  }
  /** Returns the value for CorrelationArguments::planes. */
  int
  NumberOfPlanes() const
  {
    return m_Planes;
  }

  /** Enqueues the computation of the energy and, if requested, the terms, from the deformed image. */
  template <BoxesOf VBoxes, bool VWithTerms = true>
  void
  EnqueueTerms(cudaStream_t stream, const CorrelationArguments & arguments) const
  {
    // With a constant radius and weights, the kernel needs one register too many.
    using Usual = std::conditional_t<VBoxes == BoxesOf::WeightedVoxels, SmallBoxes, UsualBoxes>;
    const auto kernel = arguments.radius == usualRadius ? CorrelationTermKernel<VBoxes, VWithTerms, Usual>
                        : m_HasFewColumns               ? CorrelationTermKernel<VBoxes, VWithTerms, SmallBoxes>
                                                        : CorrelationTermKernel<VBoxes, VWithTerms, LargeBoxes>;
    this->Enqueue(stream, kernel, correlationSums, arguments);
  }

  /** Enqueues the computation of the derivative by the deformed image from the terms. */
  void
  EnqueueDerivative(cudaStream_t stream, const CorrelationArguments & arguments) const
  {
    const auto kernel = arguments.radius == usualRadius ? CorrelationDerivativeKernel<UsualBoxes>
                        : m_HasFewColumns               ? CorrelationDerivativeKernel<SmallBoxes>
                                                        : CorrelationDerivativeKernel<LargeBoxes>;
    this->Enqueue(stream, kernel, correlationTerms, arguments);
  }

private:
  void
  Enqueue(cudaStream_t stream,
          void (*kernel)(CorrelationArguments),
          int                          channels,
          const CorrelationArguments & arguments) const
  {
    AllowAllSharedMemory(kernel);
    kernel<<<m_Blocks, boxThreads, m_Tile.SharedBytes(channels), stream>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("kernel of the local correlation");
  }

  static_assert((boxTileX + 2 * largestRadius) * (boxTileY + 2 * largestRadius) <= manyBoxColumns * boxThreads);

  BoxTile m_Tile;
  bool    m_HasFewColumns;
  int     m_Planes;
  dim3    m_Blocks;
};

} // namespace
} // namespace cudaneuro::gpu

#endif
