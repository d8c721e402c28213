// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/PathNames.h"

namespace cudaneuro::system
{

std::filesystem::path
PathOf(const std::string & name)
{
#if defined(_WIN32)
  return std::filesystem::u8path(name);
#else
  return name;
#endif
}

std::string
NameOf(const std::filesystem::path & path)
{
#if defined(_WIN32)
  const auto name = path.u8string(); // has another type of characters since C++20
  return { name.begin(), name.end() };
#else
  return path.string();
#endif
}

} // namespace cudaneuro::system
