// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_NiftiVoxels_h
#define files_images_NiftiVoxels_h

#include "files/images/NiftiHeader.h"

/** Reads the values of a NIfTI or Analyze file, with the components of a voxel side by side. ITK's reader would set NaN
 * and infinite numbers to 0, round integers of 32 bits to float before it scales them, and decompress a second time
 * after the check that no voxel is missing.
 * \param values room for as many numbers as the layout has
 * \throws UserError that names the file when it is cut short or damaged, Interrupted */
template <typename TValue>
void
ReadNiftiVoxels(const NiftiLayout & layout, TValue * values);

#endif
