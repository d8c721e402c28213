// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_system_OpenedLibrary_h
#define cudaneuro_system_OpenedLibrary_h

#include <string>
#include <vector>

/** Shared libraries that are opened at run time, by the system's own calls. */
namespace cudaneuro::system
{

/** The names of a library on each system, in order of preference. */
struct LibraryNames
{
  std::vector<std::string> onLinux;
  std::vector<std::string> onMacOs;
  std::vector<std::string> onWindows;
};

/** Returns the names on this system. */
const std::vector<std::string> &
NamesHere(const LibraryNames & names);

/** Opens a library, which stays open.
 * \param reason receives why it could not be opened, if the result is null */
void *
OpenLibrary(const std::string & name, std::string & reason);

/** Finds a function. \returns null if the library has no function of that name */
void *
FindFunction(void * library, const char * name);

} // namespace cudaneuro::system

#endif
