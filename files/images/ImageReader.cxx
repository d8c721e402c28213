// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageReader.h"

#include "files/input/InputFile.h"
#include "itkMetaImageIO.h"
#include "itkNiftiImageIO.h"
#include "itkNrrdImageIO.h"
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
MakeImageIO(const InputImage & file)
{
  itk::ImageIOBase::Pointer io;
  switch (file.format)
  {
    case ImageFormat::Nifti:
    {
      const auto nifti = itk::NiftiImageIO::New();
      // Reads Analyze files as ITK's reader does by default, without its warning.
      nifti->SetLegacyAnalyze75Mode(itk::NiftiImageIOEnums::Analyze75Flavor::AnalyzeITK4);
      io = nifti;
      break;
    }
    case ImageFormat::MetaImage:
      io = itk::MetaImageIO::New();
      break;
    case ImageFormat::Nrrd:
      io = itk::NrrdImageIO::New();
      break;
  }
  io->SetFileName(file.headerPath);
  return io;
}

itk::ImageIOBase::Pointer
OpenImage(const std::string & path, const InputImage & file)
{
  const itk::ImageIOBase::Pointer io = MakeImageIO(file);
  CallToRead(path, [&] { io->ReadImageInformation(); });
  CheckGeometry(path, *io);
  return io;
}
