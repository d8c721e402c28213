// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/StructuralSimilarity.h"

#include "core/BuildConfiguration.h"
#include "core/ParameterChecks.h"
#include "denoising/similarity/StructuralSimilarityCpu.h"
#include "denoising/similarity/StructuralSimilarityGpu.h"
#include "images/ReferenceIntensity.h"
#include "jobs/HostJob.h"

namespace cudaneuro
{

StructuralSimilarityResult
StructuralSimilarity(Context &                              context,
                     const StructuralSimilarityParameters & parameters,
                     const Grid &                           grid,
                     const ConstVolume &                    reference,
                     const ConstVolume &                    image,
                     const ConstVolume &                    mask,
                     const Volume &                         map)
{
  RequireGrid(grid);
  RequireVolume("reference", context, reference);
  RequireVolume("image", context, image);
  RequireMask(context, mask);
  if (map.data)
  {
    RequireVolume("map", context, map);
  }
  // (k dataRange)^2 is a normal float.
  constexpr ParameterRange dataRangeRange{ 1e-12, 1e15 };
  constexpr ParameterRange shareRange{ 1e-6, 1e3 };
  RequireInRange("dataRange", parameters.dataRange, dataRangeRange);
  RequireInRange("k1", parameters.k1, shareRange);
  RequireInRange("k2", parameters.k2, shareRange);
  const float referenceOffset = ReferenceIntensity(context, grid, reference, ConstVolume());
  const float imageOffset = ReferenceIntensity(context, grid, image, ConstVolume());
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      return gpu::StructuralSimilarity(
        context, parameters, grid, referenceOffset, imageOffset, reference, image, mask, map);
    }
  }
  cpu::HostJob               job(context, grid, { reference, image }, map);
  StructuralSimilarityResult result;
  {
    const Context::ProgressRange range = job.ComputationProgress();
    result = cpu::StructuralSimilarity(context,
                                       parameters,
                                       grid,
                                       referenceOffset,
                                       imageOffset,
                                       job.Input(0),
                                       job.Input(1),
                                       static_cast<const unsigned char *>(mask.data),
                                       job.Output());
  }
  job.Finish();
  return result;
}

} // namespace cudaneuro
