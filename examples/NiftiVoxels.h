// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef NiftiVoxels_h
#define NiftiVoxels_h

#include "NiftiFile.h"

/** The layout of a NIfTI file that FillFromNifti reads: of one file, with one real number a voxel. */
std::optional<NiftiLayout>
FastLayoutOf(const std::string & path);

/** Reads the voxels of a NIfTI file, which ITK's reader would do in three passes, and a fourth to see whether the file
 * is cut short. For the pixel types of this module.
 * \throws ProgramError that names the file, Interrupted */
template <typename TPixel>
void
FillFromNifti(const std::string & path, const NiftiLayout & layout, TPixel * pixels);

#endif
