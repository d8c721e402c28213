// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ReferenceIntensityGpu_h
#define cudaneuro_images_ReferenceIntensityGpu_h

#include "cudaneuro/Context.h"
#include "images/ReferenceIntensityLattice.h"

#include <vector>

namespace cudaneuro::gpu
{

/** The pixels at all points of the lattice, of a volume in device memory.
 * \throws Error */
std::vector<float>
ReadLattice(Context & context, const ConstVolume & volume, const Lattice & lattice);

} // namespace cudaneuro::gpu

#endif
