// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Benchmark.h"

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

std::vector<Size>
SizesOfThePaper()
{
  return { { 480, 480, 36 }, { 256, 256, 200 }, { 1024, 1024, 20 }, { 352, 352, 249 }, { 576, 576, 300 } };
}

} // namespace cudaneuro::benchmark
