// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_RegistrationForceLaunch_cuh
#define cudaneuro_registration_step_RegistrationForceLaunch_cuh

#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "cuda/PlanesPerBlock.h"
#include "cuda/SharedMemoryLimit.h"
#include "registration/step/PlainForceKernel.cuh"
#include "registration/step/RegistrationForceKernel.cuh"

#include <algorithm>
#include <cstddef>

namespace cudaneuro::gpu
{
namespace
{

/** Fixed cost of a block of a force kernel in planes: for its start, and for stresses that its neighbors compute as
 * well. */
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

template <ImageForce VImageForce, ForceUse VUse>
ForceKernel
ChoosePlainForceKernel(const RegistrationParameters & parameters)
{
  return { parameters.useDeformedGradient ? PlainForceKernel<VImageForce, true, VUse>
                                          : PlainForceKernel<VImageForce, false, VUse>,
           dim3(plainForceThreadsX, plainForceThreadsY),
           plainForceThreadsX,
           plainForceThreadsY,
           0 };
}

template <ImageForce VImageForce, ForceUse VUse>
ForceKernel
ChooseUnbiasedForceKernel(const Extent & extent)
{
  const bool inPairs = extent.x % 2 == 0;
  return { inPairs ? RegistrationForceKernel<VImageForce, VUse, true>
                   : RegistrationForceKernel<VImageForce, VUse, false>,
           dim3(forceThreadsX, forceThreadsY),
           forceTileX,
           forceTileY,
           sizeof(ForceTile) };
}

/** The force kernel of the first channel, with or without the bias. */
template <ImageForce VImageForce, ForceUse VUse>
ForceKernel
ChooseFirstForceKernel(const Extent & extent, const RegistrationParameters & parameters)
{
  return parameters.unbiasedWeight > 0.0 ? ChooseUnbiasedForceKernel<VImageForce, VUse>(extent)
                                         : ChoosePlainForceKernel<VImageForce, VUse>(parameters);
}

template <ImageForce VImageForce>
ForceKernel
ChooseForceKernel(const Extent & extent, const RegistrationParameters & parameters, ForceUse use)
{
  switch (use)
  {
    case ForceUse::Completed:
      return ChooseFirstForceKernel<VImageForce, ForceUse::Completed>(extent, parameters);
    case ForceUse::Begun:
      return ChoosePlainForceKernel<VImageForce, ForceUse::Begun>(parameters);
    case ForceUse::Added:
      return ChoosePlainForceKernel<VImageForce, ForceUse::Added>(parameters);
    default:
      return ChooseFirstForceKernel<VImageForce, ForceUse::Whole>(extent, parameters);
  }
}

inline ForceKernel
ChooseForceKernel(const Extent & extent, const RegistrationParameters & parameters, ForceUse use)
{
  switch (parameters.metric)
  {
    case RegistrationMetric::LocalCorrelation:
      return ChooseForceKernel<ImageForce::Derivative>(extent, parameters, use);
    case RegistrationMetric::MutualInformation:
      return ChooseForceKernel<ImageForce::Information>(extent, parameters, use);
    default:
      return ChooseForceKernel<ImageForce::Difference>(extent, parameters, use);
  }
}

/** The force kernel for the parameters of a registration, and its launch shape. */
class ForceLaunch
{
public:
  ForceLaunch() = default;
  ForceLaunch(const Extent & extent, int multiprocessors, const RegistrationParameters & parameters, ForceUse use)
    : m_Kernel(ChooseForceKernel(extent, parameters, use))
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

  /** The arguments that the images and parameters determine; the other ones are null. */
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
