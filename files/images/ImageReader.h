// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_ImageReader_h
#define files_images_ImageReader_h

#include "files/images/ImageFormat.h"
#include "itkImageIOBase.h"

#include <functional>
#include <string>

namespace cudaneuro::files
{

/** Runs a function that reads a file by ITK, and turns its errors into a UserError that names the file. One thread
 * at a time runs it: the library beneath the reader of NRRD is not thread-safe.
 * \throws UserError, Interrupted */
void
CallToRead(const std::string & path, const std::function<void()> & read);

/** Makes ITK's reader of a file, which has read the header: of MetaImage, NRRD or DICOM.
 * \throws UserError that names the file */
itk::ImageIOBase::Pointer
MakeReader(const std::string & path, ImageFormat format);

} // namespace cudaneuro::files

#endif
