// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_DiffusionKernels_cuh
#define cudaneuro_denoising_diffusion_DiffusionKernels_cuh

#include "denoising/diffusion/EdgeDiffusionKernel.cuh"
#include "denoising/diffusion/WeickertDiffusionKernel.cuh"

namespace cudaneuro::gpu
{

/** The kernels for a stencil and conductance. */
struct DiffusionKernels
{
  void (*launch)(const DiffusionArguments &, bool first, int multiprocessors, cudaStream_t);
  std::int64_t (*countTiles)(const Extent &);
};

/** Returns the kernels with these launch shapes. */
template <typename TPeronaMalikShape, typename TGerigShape, typename TWeickertShape>
DiffusionKernels
FindDiffusionKernels(const AnisotropicDiffusionParameters & parameters)
{
  DiffusionKernels kernels{};
  WithConductance(parameters.conductance, [&](auto constant) {
    constexpr DiffusionConductance conductance = constant();
    switch (parameters.stencil)
    {
      case DiffusionStencil::PeronaMalik6:
        kernels = { LaunchEdgeDiffusion<DiffusionStencil::PeronaMalik6, conductance, TPeronaMalikShape>,
                    CountDiffusionTiles<TPeronaMalikShape> };
        break;
      case DiffusionStencil::Gerig26:
        kernels = { LaunchEdgeDiffusion<DiffusionStencil::Gerig26, conductance, TGerigShape>,
                    CountDiffusionTiles<TGerigShape> };
        break;
      case DiffusionStencil::Weickert26:
        kernels = { LaunchWeickertDiffusion<DiffusionStencil::Weickert26, conductance, TWeickertShape>,
                    CountDiffusionTiles<TWeickertShape> };
        break;
      case DiffusionStencil::GeometricMean26:
        kernels = { LaunchWeickertDiffusion<DiffusionStencil::GeometricMean26, conductance, TWeickertShape>,
                    CountDiffusionTiles<TWeickertShape> };
        break;
    }
  });
  return kernels;
}

/** Returns the kernels for noise that varies, which read DiffusionArguments::noise. */
DiffusionKernels
FindDiffusionKernelsWithMap(const AnisotropicDiffusionParameters & parameters);

/** Writes RelativeInverseNoise() of planes [zBegin, zEnd) of the noise of \p arguments, with its pitch there, to
 * \p inverseNoise. */
void
LaunchInverseNoise(const DiffusionArguments & arguments,
                   float                      largestNoise,
                   int                        zBegin,
                   int                        zEnd,
                   float *                    inverseNoise,
                   cudaStream_t               stream);

} // namespace cudaneuro::gpu

#endif
