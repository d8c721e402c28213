// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_system_OpenedLibrary_h
#define cudaneuro_system_OpenedLibrary_h

#include <string>
#include <vector>

/** Shared libraries that are opened at run time, by the system's own calls. */
namespace cudaneuro::system
{

/** What a library is called on each system, the most wanted first. */
struct LibraryNames
{
  std::vector<std::string> onLinux;
  std::vector<std::string> onMacOs;
  std::vector<std::string> onWindows;
};

/** The names on this system. */
const std::vector<std::string> &
NamesHere(const LibraryNames & names);

/** Opens a library, which stays open.
 * \param reason why it could not be opened, where the result is null */
void *
OpenLibrary(const std::string & name, std::string & reason);

/** \returns null where the library has no function of that name */
void *
FindFunction(void * library, const char * name);

} // namespace cudaneuro::system

#endif
