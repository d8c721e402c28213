// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageReader.h"

#include "files/images/DicomFolder.h"
#include "files/images/MetaImageFile.h"
#include "files/images/MghFile.h"
#include "files/images/NrrdFile.h"
#include "files/input/InputFile.h"
#include "files/base/ErrorStream.h"
#include "files/base/Errors.h"

#include <mutex>
#include <new>

namespace
{

/** Checks what ITK's reader made of a header. */
void
CheckGeometry(const std::string & path, const itk::ImageIOBase & io)
{
  for (unsigned int axis = 0; axis < io.GetNumberOfDimensions(); ++axis)
  {
    const std::string index = '[' + std::to_string(axis) + ']';
    CheckSpacing(path, "the spacing" + index, io.GetSpacing(axis));
    CheckCoordinate(path, "the origin" + index, io.GetOrigin(axis));
    for (const double value : io.GetDirection(axis))
    {
      CheckCoordinate(path, "the direction" + index, value);
    }
  }
}

} // namespace

void
CallToRead(const std::string & path, const std::function<void()> & read)
{
  static std::mutex                 mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  const ErrorStreamCapture          errors;
  try
  {
    errors.TakeText();
    read();
  }
  catch (const itk::ExceptionObject & error)
  {
    RefuseInput(path, OneLine(error.GetDescription()));
  }
  catch (const UserError &)
  {
    throw;
  }
  catch (const std::bad_alloc &)
  {
    RefuseInput(path, "there is not enough memory for its pixels");
  }
  catch (const std::exception & error)
  {
    RefuseInput(path, OneLine(error.what()));
  }
}

itk::ImageIOBase::Pointer
OpenByItk(const std::string & path, ImageFormat format)
{
  const itk::ImageIOBase::Pointer io = format == ImageFormat::MetaImage ? OpenMetaImage(path)
                                       : format == ImageFormat::Nrrd    ? OpenNrrd(path)
                                       : format == ImageFormat::Mgh     ? OpenMgh(path)
                                                                        : OpenDicom(path);
  CheckGeometry(path, *io);
  return io;
}
