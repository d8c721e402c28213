// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_MetaImageHeader_h
#define files_images_MetaImageHeader_h

#include "files/images/InputImage.h"

#include <string>

/** Checks the header of a MetaImage (.mha, .mhd) and that its file is large enough for the voxels, which are in the
 * header's file or in one other: binary, compressed, or text.
 * \throws UserError that names the file, the field and the value that cannot be right */
InputImage
CheckMetaImage(const std::string & path);

#endif
