// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_NrrdFile_h
#define files_images_NrrdFile_h

#include "itkImageIOBase.h"

#include <string>

namespace cudaneuro::files
{

/** Makes ITK's reader of an NRRD file (.nrrd, .nhdr), after a check of what it crashes or lies with: it formats
 * messages with whole lines in a buffer of 1025 bytes, takes patterns of names as formats of printf, and turns the
 * wrong axis of the space left-anterior-superior.
 * \throws UserError that names the file, the field and the value that cannot be right */
itk::ImageIOBase::Pointer
OpenNrrd(const std::string & path);

} // namespace cudaneuro::files

#endif
