// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_ReadOnlyImageIO_h
#define files_images_ReadOnlyImageIO_h

#include "itkImageIOBase.h"

/** A reader of a format that is not written, for a file that is known to be of it. */
class ReadOnlyImageIO : public itk::ImageIOBase
{
public:
  bool
  CanReadFile(const char *) override
  {
    return true;
  }
  bool
  CanWriteFile(const char *) override
  {
    return false;
  }
  void
  WriteImageInformation() override
  {}
  void
  Write(const void *) override
  {}
};

#endif
