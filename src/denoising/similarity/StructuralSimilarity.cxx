// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/similarity/StructuralSimilarity.h"

#include "core/Dispatch.h"
#include "core/ParameterChecks.h"
#include "images/ReferenceIntensity.h"

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
  RequireParameters(parameters, grid);
  const float          referenceOffset = ReferenceIntensity(context, grid, reference, ConstVolume());
  const float          imageOffset = ReferenceIntensity(context, grid, image, ConstVolume());
  const SimilarityCall call{ parameters, grid, referenceOffset, imageOffset, reference, image, mask, map };
  CUDANEURO_DISPATCH(context, StructuralSimilarity(context, call));
}

} // namespace cudaneuro
