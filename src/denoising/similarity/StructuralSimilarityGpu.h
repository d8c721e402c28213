// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_similarity_StructuralSimilarityGpu_h
#define cudaneuro_denoising_similarity_StructuralSimilarityGpu_h

#include "cudaneuro/StructuralSimilarity.h"

namespace cudaneuro
{
namespace gpu
{

/** StructuralSimilarity on a CUDA context; parameters have been checked.
 * \throws Error, OutOfMemoryError, Aborted */
StructuralSimilarityResult
StructuralSimilarity(Context &                              context,
                     const StructuralSimilarityParameters & parameters,
                     const Grid &                           grid,
                     float                                  referenceOffset,
                     float                                  imageOffset,
                     const ConstVolume &                    reference,
                     const ConstVolume &                    image,
                     const ConstVolume &                    mask,
                     const Volume &                         map);

} // namespace gpu
} // namespace cudaneuro

#endif
