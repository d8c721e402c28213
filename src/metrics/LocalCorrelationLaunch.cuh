// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_LocalCorrelationLaunch_cuh
#define cudaneuro_metrics_LocalCorrelationLaunch_cuh

#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "cuda/SharedMemoryLimit.h"
#include "metrics/LocalCorrelationKernel.cuh"

namespace cudaneuro::gpu
{
namespace
{

/** Shapes of the kernels of the local correlation on one grid. */
class LocalCorrelationLaunch
{
public:
  explicit LocalCorrelationLaunch(const Extent & extent)
    : m_Blocks(DivideUp(extent.x, correlationColumnsX),
               DivideUp(extent.y, correlationColumnsY),
               DivideUp(extent.z, correlationPlanes))
    , m_Planes(m_Blocks.x, m_Blocks.y, extent.z)
    , m_Tiles(DivideUp(extent.x, correlationTileX), DivideUp(extent.y, correlationTileY), extent.z)
  {
    AllowAllSharedMemory(BoxPlaneKernel<LoadProducts>);
    AllowAllSharedMemory(BoxPlaneKernel<LoadTerms>);
    AllowAllSharedMemory(CorrelationDerivativeKernel);
  }

  /** Of kernels that march along z, and of those that take one plane; threads are Threads(). */
  const dim3 &
  ColumnBlocks() const
  {
    return m_Blocks;
  }
  const dim3 &
  PlaneBlocks() const
  {
    return m_Planes;
  }
  static dim3
  Threads()
  {
    return { correlationColumnsX, correlationColumnsY, 1 };
  }
  /** Of kernels that march along z: the elements of one array of sums. */
  int
  NumberOfBlocks() const
  {
    return static_cast<int>(m_Blocks.x * m_Blocks.y * m_Blocks.z);
  }

  /** From the deformed image to the energy and, if wanted, the terms. */
  template <BoxesOf VBoxes, bool VWithTerms = true>
  void
  EnqueueTerms(cudaStream_t stream, const CorrelationArguments & arguments) const
  {
    this->EnqueueBoxes<LoadProducts>(stream, arguments);
    const auto kernel = CorrelationTermKernel<VBoxes, VWithTerms>;
    AllowAllSharedMemory(kernel);
    kernel<<<m_Blocks, Threads(), BoxColumnSharedBytes(correlationSums, arguments.radius), stream>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("CorrelationTermKernel");
  }

  /** From the terms to their sums over the boxes in x and y, which may overwrite the sums. */
  void
  EnqueueTermSums(cudaStream_t stream, const CorrelationArguments & arguments) const
  {
    this->EnqueueBoxes<LoadTerms>(stream, arguments);
  }

  /** From there to the derivative by the deformed image. */
  void
  EnqueueDerivative(cudaStream_t stream, const CorrelationArguments & arguments) const
  {
    const std::size_t sharedBytes = BoxColumnSharedBytes(correlationTerms, arguments.radius);
    CorrelationDerivativeKernel<<<m_Blocks, Threads(), sharedBytes, stream>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("CorrelationDerivativeKernel");
  }

private:
  template <typename TLoad>
  void
  EnqueueBoxes(cudaStream_t stream, const CorrelationArguments & arguments) const
  {
    const std::size_t sharedBytes = BoxTile<TLoad>(arguments.radius).SharedBytes();
    BoxPlaneKernel<TLoad><<<m_Tiles, correlationThreads, sharedBytes, stream>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("BoxPlaneKernel");
  }

  dim3 m_Blocks;
  dim3 m_Planes;
  dim3 m_Tiles;
};

} // namespace
} // namespace cudaneuro::gpu

#endif
