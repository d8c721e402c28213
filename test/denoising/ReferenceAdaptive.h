// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceAdaptive_h
#define ReferenceAdaptive_h

#include "cudaneuro/AdaptiveNonLocalMeans.h"
#include "denoising/ReferenceDenoising.h"

#include <vector>

namespace reference
{

/** cudaneuro::AdaptiveNonLocalMeans by its definition, in double precision, one block after the other, with the cosine
 * transform as a sum of cosines. Blocks are chosen by distances in float, as the definition of their order has it.
 * \param noise of each voxel, or empty: that of the parameters
 * \param center of the intensities, which only distances' last bits depend on */
std::vector<double>
AdaptiveNonLocalMeans(const cudaneuro::AdaptiveNonLocalMeansParameters & parameters,
                      const Image &                                      image,
                      std::vector<double>                                noise,
                      float                                              center);

} // namespace reference

#endif
