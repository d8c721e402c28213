// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef NiftiFile_h
#define NiftiFile_h

#include <string>

/** Tells whether a NIfTI-1 file, plain or compressed, holds all the voxels that its header announces. The library that
 * reads such files fills in zeros and says nothing where they end early, as it does when the disk is full.
 * \return how many bytes there are and how many there should be; nothing when all is well, or for another format */
std::string
FindMissingBytes(const std::string & niftiPath);

#endif
