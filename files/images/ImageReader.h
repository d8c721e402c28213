// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_ImageReader_h
#define files_images_ImageReader_h

#include "files/images/InputImage.h"
#include "itkImageIOBase.h"

#include <functional>
#include <string>

/** ITK's readers of MetaImage and NRRD, for files that were checked. */

/** Runs a function that reads a file by ITK, and turns its errors into a UserError that names the file. One thread
 * at a time runs it: the library beneath the reader of NRRD is not thread-safe.
 * \throws UserError, Interrupted */
void
CallToRead(const std::string & path, const std::function<void()> & read);

/** Makes ITK's reader and writer of a format. */
itk::ImageIOBase::Pointer
MakeImageIO(ImageFormat format);

/** Makes ITK's reader of a file's format and reads the header.
 * \throws UserError that names the file */
itk::ImageIOBase::Pointer
OpenByItk(const std::string & path, const InputImage & file);

#endif
