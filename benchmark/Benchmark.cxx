// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Benchmark.h"

#include "cudaneuro/Error.h"
#include "itkMacro.h"
#include "shared/Messages.h"
#include "shared/Signals.h"

#include <algorithm>
#include <new>
#include <regex>
#include <stdexcept>

namespace cudaneuro::benchmark
{

std::string
NameOf(const Size & size)
{
  return std::to_string(size[0]) + 'x' + std::to_string(size[1]) + 'x' + std::to_string(size[2]);
}

double
VoxelsOf(const Size & size)
{
  return static_cast<double>(size[0]) * static_cast<double>(size[1]) * static_cast<double>(size[2]);
}

Size
SizeOfName(const std::string & name)
{
  std::smatch match;
  if (!std::regex_match(name, match, std::regex("([1-9][0-9]{0,5})x([1-9][0-9]{0,5})x([1-9][0-9]{0,5})")))
  {
    throw std::invalid_argument("\"" + name + "\" is no size: give it as 256x256x200");
  }
  return { std::stoll(match[1]), std::stoll(match[2]), std::stoll(match[3]) };
}

void
RunRows(const Settings &                 settings,
        const std::vector<std::string> & names,
        const Size &                     size,
        const std::function<void()> &    run)
{
  if (std::none_of(names.begin(), names.end(), settings.wants))
  {
    return;
  }
  const auto fail = [&](const std::string & error) {
    ThrowIfInterrupted(); // failures after that are of the interruption
    for (const std::string & name : names)
    {
      if (settings.wants(name))
      {
        Result failed;
        failed.name = name;
        failed.size = size;
        failed.error = OneLine(error);
        settings.report(failed);
      }
    }
  };
  try
  {
    run();
  }
  catch (const Aborted &)
  {
    throw;
  }
  catch (const itk::ProcessAborted &)
  {
    throw;
  }
  catch (const itk::ExceptionObject & error)
  {
    fail(error.GetDescription());
  }
  catch (const std::bad_alloc &)
  {
    fail("there is not enough memory");
  }
  catch (const std::exception & error)
  {
    fail(error.what());
  }
}

void
RunRow(const Settings & settings, const std::string & name, const Size & size, const std::function<void()> & run)
{
  RunRows(settings, { name }, size, run);
}

std::vector<Size>
SizesOfThePaper()
{
  return { { 480, 480, 36 }, { 256, 256, 200 }, { 1024, 1024, 20 }, { 352, 352, 249 }, { 576, 576, 300 } };
}

} // namespace cudaneuro::benchmark
