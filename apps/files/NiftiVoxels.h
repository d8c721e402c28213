// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_files_NiftiVoxels_h
#define apps_files_NiftiVoxels_h

#include "files/NiftiHeader.h"

/** Reads the numbers of a NIfTI or Analyze file, of all components of a voxel one after the other. ITK's reader sets NaN
 * and infinite numbers to 0, rounds integers of 32 bits to float before it scales them, and
 * decompresses once more after the check that all is there.
 * \param values room for as many numbers as the layout has
 * \throws ProgramError that names the file when it is cut short or damaged, Interrupted */
template <typename TValue>
void
ReadNiftiVoxels(const NiftiLayout & layout, TValue * values);

#endif
