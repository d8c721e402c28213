// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_FieldSmoothingGpu_cuh
#define cudaneuro_images_FieldSmoothingGpu_cuh

#include "core/SoAField.h"
#include "images/GaussianWeights.h"

#include <cuda_runtime.h>

namespace cudaneuro::gpu
{

/** Enqueues the convolution of a field with a Gaussian: two launches at most, for radii up to 32 voxels, and 48 bytes
 * moved a voxel. May be captured in a graph; nothing on the host need outlive the call.
 *
 * \param input may be \p output.
 * \param scratch a field of its own; or the output, if that is not the input and SmoothsThroughOutput.
 * \param gate a word on the device: nothing happens while it is 0. Null: always.
 * \param largestSquare a word on the device that becomes the larger of itself and the bits of the largest squared
 * length of the output's vectors (floats >= 0 order as their bits do; bits of NaN are larger than all). The caller
 * makes it 0. Null: not wanted. */
void
EnqueueFieldSmoothing(cudaStream_t            stream,
                      const Extent &          extent,
                      const GaussianWeights & weights,
                      Boundary                boundary,
                      const ConstSoAField &   input,
                      const SoAField &        scratch,
                      const SoAField &        output,
                      const int *             gate,
                      unsigned int *          largestSquare);

/** Whether the output can be scratch, too, and that takes no longer: so it is for volumes that fill the device with one
 * thread a column, and radii up to 32 voxels. */
bool
SmoothsThroughOutput(const Extent & extent, const GaussianWeights & weights, Boundary boundary);

} // namespace cudaneuro::gpu

#endif
