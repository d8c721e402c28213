// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_RegistrationForceLaunch_cuh
#define cudaneuro_registration_RegistrationForceLaunch_cuh

#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "cuda/SharedMemoryLimit.h"
#include "registration/RegistrationForceKernel.cuh"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace cudaneuro::gpu
{
namespace
{

/** Planes per block of the force kernel, so that the waves of blocks are full and few planes are computed twice.
 * \param slots blocks that run at once. */
inline int
PlanesPerForceBlock(int planes, unsigned int tiles, unsigned int slots)
{
  constexpr int twice = 3; // planes of work that a block shares with its neighbors
  int           best = planes;
  double        bestCost = std::numeric_limits<double>::max();
  for (int parts = 1; parts <= std::min(planes, 64); ++parts)
  {
    const int          perBlock = DivideUp(planes, parts);
    const unsigned int blocks = tiles * static_cast<unsigned int>(DivideUp(planes, perBlock));
    const double       cost = static_cast<double>(DivideUp(blocks, slots)) * (perBlock + twice);
    if (cost < bestCost)
    {
      bestCost = cost;
      best = perBlock;
    }
  }
  return best;
}

/** The force kernel for the parameters of a registration, and its launch shape. */
class ForceLaunch
{
public:
  ForceLaunch() = default;
  ForceLaunch(const Extent & extent, int multiprocessors, const RegistrationParameters & parameters)
    : m_Kernel(extent.x % 2 == 0 ? Choose<true>(parameters) : Choose<false>(parameters))
    , m_SharedBytes(parameters.unbiasedWeight > 0.0 ? sizeof(ForceTile<true>) : sizeof(ForceTile<false>))
  {
    AllowAllSharedMemory(m_Kernel);
    int blocksPerMultiprocessor = 1;
    CUDANEURO_CUDA(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocksPerMultiprocessor, m_Kernel, forceThreads, m_SharedBytes));
    const unsigned int tilesX = DivideUp(extent.x, forceTileX);
    const unsigned int tilesY = DivideUp(extent.y, forceTileY);
    m_PlanesPerBlock = PlanesPerForceBlock(
      extent.z, tilesX * tilesY, static_cast<unsigned int>(blocksPerMultiprocessor * multiprocessors));
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
    arguments.stressWeight = static_cast<float>(0.5 * 0.25 * parameters.unbiasedWeight);
    std::copy(images.descentScale.begin(), images.descentScale.end(), arguments.descentScale);
    arguments.planesPerBlock = m_PlanesPerBlock;
    return arguments;
  }

  void
  Enqueue(cudaStream_t stream, const ForceArguments & arguments) const
  {
    m_Kernel<<<m_Blocks, dim3(forceThreadsX, forceThreadsY), m_SharedBytes, stream>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("RegistrationForceKernel");
  }

private:
  using Kernel = void (*)(ForceArguments);

  template <bool VInPairs>
  static Kernel
  Choose(const RegistrationParameters & parameters)
  {
    return parameters.metric == RegistrationMetric::LocalCorrelation
             ? Choose<ImageForce::Derivative, VInPairs>(parameters)
             : Choose<ImageForce::Difference, VInPairs>(parameters);
  }

  template <ImageForce VImageForce, bool VInPairs>
  static Kernel
  Choose(const RegistrationParameters & parameters)
  {
    if (parameters.unbiasedWeight > 0.0)
    {
      return RegistrationForceKernel<VImageForce, true, false, VInPairs>;
    }
    return parameters.useDeformedGradient ? RegistrationForceKernel<VImageForce, false, true, VInPairs>
                                          : RegistrationForceKernel<VImageForce, false, false, VInPairs>;
  }

  Kernel      m_Kernel = nullptr;
  std::size_t m_SharedBytes = 0;
  int         m_PlanesPerBlock = 1;
  dim3        m_Blocks;
};

} // namespace
} // namespace cudaneuro::gpu

#endif
