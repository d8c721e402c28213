// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_system_PathNames_h
#define cudaneuro_system_PathNames_h

#include <filesystem>
#include <string>

namespace cudaneuro::system
{

/** The path of a name as users give it: in UTF-8 on Windows, of bytes on other systems. */
std::filesystem::path
PathOf(const std::string & name);

/** The name of a path, which PathOf takes back. */
std::string
NameOf(const std::filesystem::path & path);

} // namespace cudaneuro::system

#endif
