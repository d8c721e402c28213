// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_DiffusionArguments_cuh
#define cudaneuro_denoising_diffusion_DiffusionArguments_cuh

#include "core/SoAField.h"
#include "denoising/diffusion/DiffusionFormulas.h"

#include <cuda_runtime.h>

#include <cstdint>

namespace cudaneuro::gpu
{

/** One explicit step on planes [zBegin, zEnd). The first step reads intensities, and the last one writes them. Volumes
 * between steps are in DiffusionUnits, with NaN in excluded voxels. Between the end of a row and its pitch they hold
 * the value that kernels expect beyond the image: NaN, or 0 for WeickertDiffusionKernel. */
struct DiffusionArguments
{
  const float *         input; // the result of the previous step
  std::int64_t          inputPitch;
  bool                  isInputQuadAligned;
  const unsigned char * mask;    // null: all finite voxels are inside; used by the first step only
  const float *         restore; // in the last step, the values of excluded voxels; else null
  float *               output;
  std::int64_t          outputPitch;
  bool                  isOutputQuadAligned;
  unsigned char *       flags; // DiffusionFlags; written by the first step
  Extent                size;
  int                   zBegin;
  int                   zEnd;
  int                   planesPerBlock;
  InverseEdgeLengths    weight; // time step / edge length (half of it for Weickert26)
  DiffusionUnits        units;
  // With a map, kernels read the standard deviation of the noise at each voxel in the first step, and in all steps
  // RelativeInverseNoise() of it, in rows of whole quads. Null without a map.
  const float * noise;
  const float * inverseNoise;
  std::int64_t  inverseNoisePitch;
};

/** Sets the arguments that all steps share, except flags. */
inline DiffusionArguments
MakeDiffusionArguments(const AnisotropicDiffusionParameters & parameters,
                       const Grid &                           grid,
                       float                                  reference,
                       double                                 smallestNoise = 1.0)
{
  DiffusionArguments arguments{};
  const bool         isMean = parameters.stencil == DiffusionStencil::Weickert26;
  const auto         factor = static_cast<float>(isMean ? parameters.timeStep / 2 : parameters.timeStep);
  auto               weight = MakeInverseEdgeLengths(parameters.stencil, grid, parameters.useImageSpacing);
  for (float * w : { &weight.x, &weight.y, &weight.z, &weight.xy, &weight.xz, &weight.yz, &weight.xyz })
  {
    *w *= factor;
  }
  arguments.weight = weight;
  arguments.units = MakeDiffusionUnits(parameters, grid, reference, smallestNoise);
  arguments.size = ExtentOf(grid);
  return arguments;
}

} // namespace cudaneuro::gpu

#endif
