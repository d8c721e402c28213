// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_BrightObject_h
#define cudaneuro_images_BrightObject_h

#include "images/ReferenceIntensityLattice.h"

namespace cudaneuro
{

/** Returns whether the bright voxels of a sample belong to an object instead of being codes or errors: more than half
 * of them have a neighbor on an axis that is also bright and has another value. An object has noise; codes have one
 * value, and errors are isolated. If bright voxels are many, only some are tested. The result is the same on CPUs and
 * on CUDA devices.
 * \param mask may be absent; neighbors outside it do not count
 * \param lattice the lattice of the sample
 * \param least minimum magnitude of the voxels that are tested
 * \param bound magnitude above which a neighbor is bright
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
