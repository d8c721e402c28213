// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/FormatReaders.h"

#include "files/input/InputFile.h"
#include "files/base/ErrorStream.h"
#include "files/base/Errors.h"

#include <mutex>
#include <new>

namespace cudaneuro::files
{

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

} // namespace cudaneuro::files
