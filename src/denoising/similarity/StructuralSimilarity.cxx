// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/similarity/StructuralSimilarity.h"

#include "core/Dispatch.h"
#include "core/ParameterChecks.h"
#include "images/ReferenceIntensity.h"

namespace cudaneuro
{

namespace
{

std::vector<StructuralSimilarityResult>
Dispatch(Context & context, const std::vector<SimilarityCall> & calls)
{
  CUDANEURO_DISPATCH(context, StructuralSimilarities(context, calls));
}

/** Checks all arguments, and compares each image. \p map is absent if there are several images. */
std::vector<StructuralSimilarityResult>
Compare(Context &                              context,
        const StructuralSimilarityParameters & parameters,
        const Grid &                           grid,
        const ConstVolume &                    reference,
        const std::vector<ConstVolume> &       images,
        const ConstVolume &                    mask,
        const Volume &                         map)
{
  RequireGrid(grid);
  RequireVolume("reference", context, reference);
  for (const ConstVolume & image : images)
  {
    RequireVolume("image", context, image);
  }
  RequireMask(context, mask);
  if (map.data)
  {
    RequireVolume("map", context, map);
  }
  RequireParameters(parameters, grid);
  std::vector<ConstVolume> volumes{ reference };
  volumes.insert(volumes.end(), images.begin(), images.end());
  const std::vector<float>    offsets = ReferenceIntensities(context, grid, volumes);
  std::vector<SimilarityCall> calls;
  for (std::size_t i = 0; i < images.size(); ++i)
  {
    calls.push_back({ parameters, grid, offsets[0], offsets[i + 1], reference, images[i], mask, map });
  }
  return Dispatch(context, calls);
}

} // namespace

StructuralSimilarityResult
StructuralSimilarity(Context &                              context,
                     const StructuralSimilarityParameters & parameters,
                     const Grid &                           grid,
                     const ConstVolume &                    reference,
                     const ConstVolume &                    image,
                     const ConstVolume &                    mask,
                     const Volume &                         map)
{
  return Compare(context, parameters, grid, reference, { image }, mask, map).front();
}

std::vector<StructuralSimilarityResult>
StructuralSimilarities(Context &                              context,
                       const StructuralSimilarityParameters & parameters,
                       const Grid &                           grid,
                       const ConstVolume &                    reference,
                       const std::vector<ConstVolume> &       images,
                       const ConstVolume &                    mask)
{
  return Compare(context, parameters, grid, reference, images, mask, {});
}

} // namespace cudaneuro
