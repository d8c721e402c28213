// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceNoiseMap_h
#define ReferenceNoiseMap_h

#include "cudaneuro/NoiseMap.h"
#include "denoising/ReferenceDenoising.h"

namespace reference
{

/** EstimateNoiseMap as its definition says, in double precision.
 * \param limit magnitude of the largest voxel that takes part */
std::vector<double>
NoiseMap(const cudaneuro::NoiseMapParameters & parameters, const Image & image, double limit);

/** The same for an image without outliers. */
std::vector<double>
NoiseMap(const cudaneuro::NoiseMapParameters & parameters, const Image & image);

} // namespace reference

#endif
