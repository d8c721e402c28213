// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_similarity_StructuralSimilarity_h
#define cudaneuro_denoising_similarity_StructuralSimilarity_h

#include "cudaneuro/StructuralSimilarity.h"

namespace cudaneuro
{

/** Arguments of cudaneuro::StructuralSimilarity, which have been checked. */
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

namespace cpu
{
/** Moments are in double precision. The result does not depend on the number of threads.
 * \throws OutOfMemoryError, Aborted */
StructuralSimilarityResult
StructuralSimilarity(Context & context, const SimilarityCall & call);
} // namespace cpu

namespace gpu
{
/** \throws Error, OutOfMemoryError, Aborted */
StructuralSimilarityResult
StructuralSimilarity(Context & context, const SimilarityCall & call);
} // namespace gpu

} // namespace cudaneuro

#endif
