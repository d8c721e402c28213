// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_DeformedCorrelation_cuh
#define cudaneuro_registration_step_DeformedCorrelation_cuh

#include "cuda/GpuContext.h"
#include "fields/CellSampler.h"
#include "metrics/correlation/LocalCorrelationLaunch.cuh"
#include "registration/step/Step.h"

namespace cudaneuro::gpu
{
namespace
{

constexpr int deformThreadsX = 32;
constexpr int deformThreadsY = 8;

struct DeformArguments
{
  Extent            extent;
  CellGrid          grid;
  const StepState * state;
  MapPair           maps;
  const float *     moving;
  const float *     fixed;
  float *           deformed;
};

/** Writes the deformed moving image; NaN where it or the fixed image, which may be null, has no value. Reads the
 * displacement (12 bytes per voxel), the moving image (4) and the fixed image (4); writes 4. A thread per voxel. */
static __global__ void
__launch_bounds__(deformThreadsX * deformThreadsY) DeformKernel(DeformArguments arguments)
{
  const Extent & extent = arguments.extent;
  const int      x = blockIdx.x * deformThreadsX + threadIdx.x;
  const int      y = blockIdx.y * deformThreadsY + threadIdx.y;
  const int      z = blockIdx.z;
  if (arguments.state->isRunning == 0 || x >= extent.x || y >= extent.y)
  {
    return;
  }
  const std::int64_t i = (std::int64_t{ z } * extent.y + y) * extent.x + x;
  const SoAField     d = arguments.maps.Candidate(*arguments.state);
  const float        px = static_cast<float>(x) + d.x[i];
  const float        py = static_cast<float>(y) + d.y[i];
  const float        pz = static_cast<float>(z) + d.z[i];
  const float        fixed = arguments.fixed != nullptr ? arguments.fixed[i] : 0.0f;
  float              value = __int_as_float(0x7fffffff); // NaN
  if (arguments.grid.Contains(px, py, pz) && fixed == fixed)
  {
    value = Cell(arguments.grid, px, py, pz).Interpolate(arguments.grid, arguments.moving);
  }
  arguments.deformed[i] = value;
}

/** Launches DeformKernel. */
inline void
EnqueueDeform(cudaStream_t stream, const DeformArguments & arguments)
{
  const Extent & extent = arguments.extent;
  const dim3     threads(deformThreadsX, deformThreadsY);
  DeformKernel<<<dim3(DivideUp(extent.x, deformThreadsX), DivideUp(extent.y, deformThreadsY), extent.z),
                 threads,
                 0,
                 stream>>>(arguments);
  CUDANEURO_CUDA_LAUNCHED("DeformKernel");
}

/** The local correlation of a fixed image with a moving image that displacements deform: launches its kernels, and owns
 * their memory.
 *
 * A volume, unless the images provide it, holds the deformed image until the derivative overwrites it voxel by voxel. A
 * borrowed field holds the terms from which the derivative is computed. */
class DeformedCorrelation
{
public:
  DeformedCorrelation(const GpuContext & gpu, int radius, const ImagePair & images)
    : m_Launch(gpu, images.extent, radius)
    , m_Deformed(images.derivative != nullptr
                   ? DeviceBuffer<float>()
                   : gpu.AllocateArray<float>(static_cast<std::size_t>(NumberOfVoxels(images.extent))))
    , m_EnergyTerms(gpu.AllocateArray<double>(static_cast<std::size_t>(m_Launch.NumberOfBlocks())))
  {
    m_Deform.extent = images.extent;
    m_Deform.grid = CellGrid(images.extent);
    m_Arguments.extent = images.extent;
    m_Arguments.radius = radius;
    m_Arguments.planes = m_Launch.NumberOfPlanes();
    m_Arguments.derivative = images.derivative != nullptr ? images.derivative : m_Deformed.Data();
    m_Arguments.energyTerms = m_EnergyTerms.Data();
    this->ChangeImages(images);
  }

  /** Replaces the images by others of the same extent. */
  void
  ChangeImages(const ImagePair & images)
  {
    m_Deform.moving = images.moving;
    m_Deform.fixed = images.fixed;
    m_IsDeformedBefore = images.deformed != nullptr;
    m_Deform.deformed = m_Arguments.derivative;
    m_Arguments.deformed = m_IsDeformedBefore ? images.deformed : m_Arguments.derivative;
    m_Arguments.fixed = images.fixed;
  }

  /** The derivative of minus the sum of squared correlations by the deformed image. */
  const float *
  GetDerivative() const
  {
    return m_Arguments.derivative;
  }
  /** Terms whose sum is minus the sum of squared correlations. */
  const double *
  GetEnergyTerms() const
  {
    return m_EnergyTerms.Data();
  }
  int
  NumberOfEnergyTerms() const
  {
    return m_Launch.NumberOfBlocks();
  }

  /** Computes the derivative and the energy's terms. \param terms is overwritten */
  void
  Enqueue(cudaStream_t stream, const StepBuffers & buffers, const SoAField & terms)
  {
    m_Deform.state = buffers.state;
    m_Deform.maps = buffers.maps;
    m_Arguments.gate.isOpen = &buffers.state->isRunning;
    m_Arguments.terms = { { terms.x, terms.y, terms.z } };
    if (!m_IsDeformedBefore)
    {
      EnqueueDeform(stream, m_Deform);
    }
    m_Launch.EnqueueTerms<BoxesOf::AllVoxels>(stream, m_Arguments);
    m_Launch.EnqueueDerivative(stream, m_Arguments);
  }

private:
  LocalCorrelationLaunch m_Launch;
  DeviceBuffer<float>    m_Deformed; // later the derivative
  DeviceBuffer<double>   m_EnergyTerms;
  bool                   m_IsDeformedBefore = false;
  DeformArguments        m_Deform{};
  CorrelationArguments   m_Arguments{};
};

} // namespace
} // namespace cudaneuro::gpu

#endif
