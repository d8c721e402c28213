// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_NrrdHeader_h
#define files_images_NrrdHeader_h

#include "files/images/InputImage.h"

#include <string>

/** Checks the header of an NRRD file (.nrrd, .nhdr) and that its file is large enough for the voxels, which are in
 * the header's file or in one other, of the encodings raw and gzip.
 * \throws UserError that names the file, the field and the value that cannot be right */
InputImage
CheckNrrd(const std::string & path);

#endif
