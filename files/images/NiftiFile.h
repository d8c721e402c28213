// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_NiftiFile_h
#define files_images_NiftiFile_h

#include "files/images/OpenedImage.h"

#include <cstdint>
#include <string>

namespace cudaneuro::files
{

/** NIfTI-1, NIfTI-2 (.nii, or a pair of .hdr and .img, each of which may be compressed) and Analyze 7.5. ITK's
 * reader would set NaN and infinite numbers to 0, round integers of 32 bits to float before it scales them, compute
 * places in float, and decompress a second time after the check that no voxel is missing. */

/** Reads and checks the header of an image with a path, which is that of the file or of either one of a pair.
 * \throws UserError that names the file, the field and the value that cannot be right */
void
OpenNifti(OpenedImage & image, NiftiPlace place);

/** What an intent code stands for, as "displacement vectors", where vectors are concerned; else "intent N". */
std::string
NameOfIntent(std::int64_t intent);

} // namespace cudaneuro::files

#endif
