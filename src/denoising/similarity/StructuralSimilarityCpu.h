// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_similarity_StructuralSimilarityCpu_h
#define cudaneuro_denoising_similarity_StructuralSimilarityCpu_h

#include "cudaneuro/StructuralSimilarity.h"

namespace cudaneuro::cpu
{

/** cudaneuro::StructuralSimilarity on host memory. The parameters are valid; \p mask and \p map may be null; \p map is
 * neither of the images. Moments are in double precision. The result does not depend on the number of threads.
 * \throws Aborted */
StructuralSimilarityResult
StructuralSimilarity(Context &                              context,
                     const StructuralSimilarityParameters & parameters,
                     const Grid &                           grid,
                     float                                  referenceOffset,
                     float                                  imageOffset,
                     const float *                          reference,
                     const float *                          image,
                     const unsigned char *                  mask,
                     float *                                map);

} // namespace cudaneuro::cpu

#endif
