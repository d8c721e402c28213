// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_LocalCorrelationLaunch_cuh
#define cudaneuro_registration_LocalCorrelationLaunch_cuh

#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"
#include "cuda/SharedMemoryLimit.h"
#include "registration/LocalCorrelationKernel.cuh"

namespace cudaneuro::gpu
{
namespace
{

/** Launches the kernels of the local correlation, and keeps their memory. */
class LocalCorrelationLaunch
{
public:
  LocalCorrelationLaunch(const GpuContext & gpu, int radius, const ImagePair & images)
    : m_Voxels(static_cast<std::size_t>(NumberOfVoxels(images.extent)))
    , m_Blocks(DivideUp(images.extent.x, correlationColumnsX),
               DivideUp(images.extent.y, correlationColumnsY),
               DivideUp(images.extent.z, correlationPlanes))
    , m_Images(gpu.AllocateArray<float>(m_Voxels * 2))
    , m_Terms(gpu.AllocateArray<float>(m_Voxels * correlationTerms))
    , m_EnergyTerms(gpu.AllocateArray<double>(static_cast<std::size_t>(this->NumberOfEnergyTerms())))
  {
    m_Arguments.extent = images.extent;
    m_Arguments.grid = CellGrid(images.extent);
    m_Arguments.radius = radius;
    this->ChangeImages(images);
    m_Arguments.deformed = m_Images.Data();
    m_Arguments.derivative = m_Images.Data() + m_Voxels;
    m_Arguments.terms = { { m_Terms.Data(), m_Terms.Data() + m_Voxels, m_Terms.Data() + 2 * m_Voxels } };
    m_Arguments.energyTerms = m_EnergyTerms.Data();
    AllowAllSharedMemory(BoxPlaneKernel<LoadProducts>);
    AllowAllSharedMemory(BoxPlaneKernel<LoadTerms>);
  }

  /** Takes other images of the same extent. */
  void
  ChangeImages(const ImagePair & images)
  {
    m_Arguments.moving = images.moving;
    m_Arguments.fixed = images.fixed;
  }

  /** The derivative of minus the sum of squared correlations by the deformed image. */
  const float *
  GetDerivative() const
  {
    return m_Arguments.derivative;
  }
  /** These add up to minus the sum of squared correlations. */
  const double *
  GetEnergyTerms() const
  {
    return m_EnergyTerms.Data();
  }
  int
  NumberOfEnergyTerms() const
  {
    return static_cast<int>(m_Blocks.x * m_Blocks.y * m_Blocks.z);
  }

  /** Overwrites force and scratch, which hold the sums over boxes. */
  void
  Enqueue(cudaStream_t stream, const StepBuffers & buffers)
  {
    const SoAField & force = buffers.force;
    const SoAField & scratch = buffers.scratch;
    m_Arguments.state = buffers.state;
    m_Arguments.maps = buffers.maps;
    m_Arguments.sums = { { force.x, force.y, force.z, scratch.x, scratch.y, scratch.z } };
    m_Arguments.termSums = { { force.x, force.y, force.z } };
    const Extent & extent = m_Arguments.extent;
    const int      radius = m_Arguments.radius;
    const dim3     threads(correlationColumnsX, correlationColumnsY);
    const dim3     tiles(DivideUp(extent.x, correlationTileX), DivideUp(extent.y, correlationTileY), extent.z);
    DeformKernel<<<dim3(m_Blocks.x, m_Blocks.y, extent.z), threads, 0, stream>>>(m_Arguments);
    CUDANEURO_CUDA_LAUNCHED("DeformKernel");
    BoxPlaneKernel<LoadProducts>
      <<<tiles, correlationThreads, BoxPlaneSharedBytes<LoadProducts>(radius), stream>>>(m_Arguments);
    CUDANEURO_CUDA_LAUNCHED("BoxPlaneKernel of products");
    CorrelationTermKernel<<<m_Blocks, threads, 0, stream>>>(m_Arguments);
    CUDANEURO_CUDA_LAUNCHED("CorrelationTermKernel");
    BoxPlaneKernel<LoadTerms>
      <<<tiles, correlationThreads, BoxPlaneSharedBytes<LoadTerms>(radius), stream>>>(m_Arguments);
    CUDANEURO_CUDA_LAUNCHED("BoxPlaneKernel of terms");
    CorrelationDerivativeKernel<<<m_Blocks, threads, 0, stream>>>(m_Arguments);
    CUDANEURO_CUDA_LAUNCHED("CorrelationDerivativeKernel");
  }

private:
  std::size_t          m_Voxels;
  dim3                 m_Blocks; // of the kernels that march along z
  DeviceBuffer<float>  m_Images; // deformed image and derivative
  DeviceBuffer<float>  m_Terms;
  DeviceBuffer<double> m_EnergyTerms;
  CorrelationArguments m_Arguments{};
};

} // namespace
} // namespace cudaneuro::gpu

#endif
