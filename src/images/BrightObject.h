// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_BrightObject_h
#define cudaneuro_images_BrightObject_h

#include "images/ReferenceIntensityLattice.h"

namespace cudaneuro
{

/** Whether the bright voxels of a sample belong to an object rather than being codes or errors: more than half of them
 * have a neighbor on an axis that is bright, too, and has another value. An object has noise; codes have one value, and
 * errors are alone. Looks at some of the voxels where they are many. The result is the same on the CPU and on CUDA
 * devices.
 * \param mask may be absent; neighbors outside do not count
 * \param lattice of the sample
 * \param least magnitude of those that are asked about
 * \param bound magnitude beyond which a neighbor is bright
 * \throws Error */
bool
IsBrightObject(Context &           context,
               const Grid &        grid,
               const ConstVolume & input,
               const ConstVolume & mask,
               const Lattice &     lattice,
               float               least,
               float               bound);

} // namespace cudaneuro

#endif
