// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_MetaImageFile_h
#define files_images_MetaImageFile_h

#include "itkImageIOBase.h"

#include <string>

namespace cudaneuro::files
{

/** Makes ITK's reader of a MetaImage (.mha, .mhd), after a check of what it crashes or lies with: it copies names and
 * values to buffers of 255 bytes, and takes voxels that are not there for whatever is in memory.
 * \throws UserError that names the file, the field and the value that cannot be right */
itk::ImageIOBase::Pointer
OpenMetaImage(const std::string & path);

} // namespace cudaneuro::files

#endif
