// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_system_SystemFile_h
#define files_system_SystemFile_h

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** Operations on files that the standard library lacks, by system calls. */

/** The path of a name, which is UTF-8 on Windows. GCC's library would take each of its bytes for a character there. */
std::filesystem::path
ToPath(const std::string & name);

/** The name of a file in a folder, with slashes on all systems. */
std::string
NameInFolder(const std::string & folder, const std::string & name);

/** The name of a file that another one names, relative to the folder of the latter, with slashes on all systems. */
std::string
NameBeside(const std::string & file, const std::string & name);

/** The identity of a file, which is the same for all its names: device and number, or else the path where it would be.
 * Symbolic links are followed. */
std::string
IdentityOf(const std::filesystem::path & path);

/** The identity of the file that standard output goes to, or an empty string when that is no file. */
std::string
IdentityOfStandardOutput();

/** Whether standard output can be written to: it may have been closed before the program began. */
bool
IsStandardOutputOpen();

/** Occupies the standard streams that were closed before the program began, so that no file that it opens becomes
 * one. */
void
OccupyClosedStandardStreams();

/** Follows the symbolic links of a path to the end, where there may be no file yet.
 * \throws std::filesystem::filesystem_error */
std::filesystem::path
FollowLinks(const std::filesystem::path & path);

/** Whether a file that exists can be opened for reading. */
bool
IsReadable(const std::filesystem::path & path);

/** The reason why nothing can be written into a folder, or an empty string: there is none, or it is a file. */
std::string
ReasonForNoFolder(const std::filesystem::path & path);

/** The reason why an existing file must not be replaced, or an empty string: it is no regular file, or protected, or,
 * on Windows, open. */
std::string
ReasonNotToReplace(const std::filesystem::path & path);

/** Gives a file the permission bits of another and, where the system allows, its owner and group.
 * \throws std::filesystem::filesystem_error */
void
TakePermissionsOf(const std::filesystem::path & path, const std::filesystem::path & other);

/** Moves a file to a name in the same file system, where it replaces another one in one step.
 * \throws std::system_error, and leaves both as they were */
void
MoveIntoPlace(const std::filesystem::path & from, const std::filesystem::path & to);

/** Closes those of some files that this program has open, where the system removes no open ones: a library may have
 * left them so after an error. Nothing but their removal may follow: threads that still write to them get errors. */
void
CloseToRemove(const std::vector<std::filesystem::path> & files);

/** What is in a folder. The standard library of GCC lists the current folder on Windows, where the path has more than
 * 260 characters.
 * \throws std::system_error */
std::vector<std::filesystem::path>
FilesOfFolder(const std::filesystem::path & path);

/** Makes a folder that nobody else can look into.
 * \return false when there is something of that name
 * \throws std::system_error */
bool
MakeFolder(const std::filesystem::path & path);

/** The holder of the lock of a folder. Programs lock folders only for each other, and locks end with their program. */
struct FolderLock
{
  enum class State
  {
    /** This program, from now on. */
    Held,
    /** Another program. */
    Busy,
    /** The file system has no locks. */
    Unknown
  };
  State state = State::Unknown;
  /** Negative where there is none. */
  std::intptr_t handle = -1;
};

FolderLock
LockFolder(const std::filesystem::path & path);
void
UnlockFolder(std::intptr_t handle);

long
GetProcessNumber();

} // namespace cudaneuro::files

#endif
