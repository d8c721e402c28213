// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_system_PathNames_h
#define cudaneuro_system_PathNames_h

#include <filesystem>
#include <string>

namespace cudaneuro::system
{

/** Returns the path of a name as users give it: in UTF-8 on Windows, as bytes on other systems. */
std::filesystem::path
PathOf(const std::string & name);

/** Returns the name of a path, which PathOf converts back. */
std::string
NameOf(const std::filesystem::path & path);

} // namespace cudaneuro::system

#endif
