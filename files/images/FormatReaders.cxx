// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/FormatReaders.h"

#include "files/input/InputFile.h"
#include "files/base/ErrorStream.h"
#include "files/base/Errors.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <set>

namespace cudaneuro::files
{

void
ConvertToMillimeters(itk::ImageIOBase & io, const std::vector<std::string> & units)
{
  static const std::map<std::string, double> lengths{ { "um", 1e-3 },     { "\xc2\xb5m", 1e-3 }, { "\xce\xbcm", 1e-3 },
                                                      { "micron", 1e-3 }, { "microns", 1e-3 },   { "mm", 1.0 },
                                                      { "cm", 10.0 },     { "m", 1000.0 } };
  std::set<std::string>                      used;
  std::copy_if(units.begin(), units.end(), std::inserter(used, used.end()), [](const std::string & unit) {
    return lengths.count(unit) > 0;
  });
  const std::string note = "its lengths are in " + Listed({ used.begin(), used.end() });
  if (used.size() > 1)
  {
    RefuseInput(io.GetFileName(), note + "; write all in mm");
  }
  const double factor = used.empty() ? 1.0 : lengths.at(*used.begin());
  if (factor == 1.0)
  {
    return;
  }
  if (io.GetNumberOfComponents() > 1)
  {
    RefuseInput(io.GetFileName(), note + ", which may be those of its vectors, too, or not; write it in mm");
  }
  for (unsigned int axis = 0; axis < std::min(io.GetNumberOfDimensions(), 3u); ++axis)
  {
    io.SetSpacing(axis, io.GetSpacing(axis) * factor);
    io.SetOrigin(axis, io.GetOrigin(axis) * factor);
  }
  WarnOnce(io.GetFileName(), { note + ", and converted to mm" });
}

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
