// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_similarity_StructuralSimilarity_h
#define cudaneuro_denoising_similarity_StructuralSimilarity_h

#include "cudaneuro/StructuralSimilarity.h"
#include "core/Dispatch.h"

namespace cudaneuro
{

/** Arguments of cudaneuro::StructuralSimilarity, or of one of cudaneuro::StructuralSimilarities, which have been
 * checked. */
struct SimilarityCall
{
  const StructuralSimilarityParameters & parameters;
  const Grid &                           grid;
  float                                  referenceOffset; // ReferenceIntensity of reference
  float                                  imageOffset;     // ReferenceIntensity of image
  const ConstVolume &                    reference;
  const ConstVolume &                    image;
  const ConstVolume &                    mask;
  const Volume &                         map;
};

/** Returns the result of each call. The calls share the reference, the grid and the mask; if there are several, none
 * has a map. On the CPU, moments are in double precision, and the result does not depend on the number of threads.
 * \throws Error, OutOfMemoryError, Aborted */
CUDANEURO_ON_BOTH(std::vector<StructuralSimilarityResult> StructuralSimilarities(
  Context & context, const std::vector<SimilarityCall> & calls));

} // namespace cudaneuro

#endif
