// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_RegistrationForceLaunch_cuh
#define cudaneuro_registration_RegistrationForceLaunch_cuh

#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "cuda/PlanesPerBlock.h"
#include "cuda/SharedMemoryLimit.h"
#include "registration/PlainForceKernel.cuh"
#include "registration/RegistrationForceKernel.cuh"

#include <algorithm>
#include <cstddef>

namespace cudaneuro::gpu
{
namespace
{

/** What a block of a force kernel does besides its planes, as a number of planes: it starts, and computes stresses that
 * its neighbors compute as well. */
constexpr int forceBesides = 3;

/** A force kernel, and the shape of its blocks. */
struct ForceKernel
{
  void (*function)(ForceArguments) = nullptr;
  dim3        threads;
  int         tileX = 0; // voxels of a plane whose force a block computes
  int         tileY = 0;
  std::size_t sharedBytes = 0;
};

template <ImageForce VImageForce, bool VAdds>
ForceKernel
ChoosePlainForceKernel(const RegistrationParameters & parameters)
{
  return { parameters.useDeformedGradient ? PlainForceKernel<VImageForce, true, VAdds>
                                          : PlainForceKernel<VImageForce, false, VAdds>,
           dim3(plainForceThreadsX, plainForceThreadsY),
           plainForceThreadsX,
           plainForceThreadsY,
           0 };
}

template <ImageForce VImageForce>
ForceKernel
ChooseUnbiasedForceKernel(const Extent & extent)
{
  const bool inPairs = extent.x % 2 == 0;
  return { inPairs ? RegistrationForceKernel<VImageForce, true> : RegistrationForceKernel<VImageForce, false>,
           dim3(forceThreadsX, forceThreadsY),
           forceTileX,
           forceTileY,
           sizeof(ForceTile) };
}

template <ImageForce VImageForce>
ForceKernel
ChooseForceKernel(const Extent & extent, const RegistrationParameters & parameters, bool adds)
{
  if (adds)
  {
    return ChoosePlainForceKernel<VImageForce, true>(parameters);
  }
  return parameters.unbiasedWeight > 0.0 ? ChooseUnbiasedForceKernel<VImageForce>(extent)
                                         : ChoosePlainForceKernel<VImageForce, false>(parameters);
}

inline ForceKernel
ChooseForceKernel(const Extent & extent, const RegistrationParameters & parameters, bool adds)
{
  switch (parameters.metric)
  {
    case RegistrationMetric::LocalCorrelation:
      return ChooseForceKernel<ImageForce::Derivative>(extent, parameters, adds);
    case RegistrationMetric::MutualInformation:
      return ChooseForceKernel<ImageForce::Information>(extent, parameters, adds);
    default:
      return ChooseForceKernel<ImageForce::Difference>(extent, parameters, adds);
  }
}

/** The force kernel for the parameters of a registration, and its launch shape. */
class ForceLaunch
{
public:
  ForceLaunch() = default;
  /** \param adds whether the force is added to what is there; there is no unbiased term then */
  ForceLaunch(const Extent & extent, int multiprocessors, const RegistrationParameters & parameters, bool adds)
    : m_Kernel(ChooseForceKernel(extent, parameters, adds))
  {
    if (m_Kernel.sharedBytes > 0)
    {
      AllowAllSharedMemory(m_Kernel.function);
    }
    const int threads = static_cast<int>(m_Kernel.threads.x * m_Kernel.threads.y);
    int       blocksPerMultiprocessor = 1;
    CUDANEURO_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocksPerMultiprocessor, m_Kernel.function, threads, m_Kernel.sharedBytes));
    const unsigned int tilesX = DivideUp(extent.x, m_Kernel.tileX);
    const unsigned int tilesY = DivideUp(extent.y, m_Kernel.tileY);
    m_PlanesPerBlock = PlanesPerBlock(
      extent.z, tilesX * tilesY, static_cast<unsigned int>(blocksPerMultiprocessor * multiprocessors), forceBesides);
    m_Blocks = dim3(tilesX, tilesY, DivideUp(extent.z, m_PlanesPerBlock));
  }

  std::size_t
  NumberOfBlocks() const
  {
    return std::size_t{ m_Blocks.x } * m_Blocks.y * m_Blocks.z;
  }

  /** The arguments that the images and parameters determine; the others are null. */
  ForceArguments
  Arguments(const RegistrationParameters & parameters, const ImagePair & images) const
  {
    ForceArguments arguments{};
    arguments.extent = images.extent;
    arguments.grid = CellGrid(images.extent);
    arguments.moving = images.moving;
    arguments.other = images.fixed;
    arguments.share = images.share;
    arguments.stressWeight = static_cast<float>(0.5 * 0.25 * parameters.unbiasedWeight);
    std::copy(images.descentScale.begin(), images.descentScale.end(), arguments.descentScale);
    arguments.planesPerBlock = m_PlanesPerBlock;
    return arguments;
  }

  void
  Enqueue(cudaStream_t stream, const ForceArguments & arguments) const
  {
    m_Kernel.function<<<m_Blocks, m_Kernel.threads, m_Kernel.sharedBytes, stream>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("force kernel");
  }

private:
  ForceKernel m_Kernel;
  int         m_PlanesPerBlock = 1;
  dim3        m_Blocks;
};

} // namespace
} // namespace cudaneuro::gpu

#endif
