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

/** File operations that the standard library lacks, by system calls. */

/** Returns the path of a name, which is UTF-8 on Windows, where GCC's library would take each byte for a character. */
std::filesystem::path
ToPath(const std::string & name);

/** Returns the name of a file in a folder, with slashes on all systems. */
std::string
NameInFolder(const std::string & folder, const std::string & name);

/** Returns the name of a file that another file names relative to its own folder, with slashes on all systems. */
std::string
NameBeside(const std::string & file, const std::string & name);

/** Returns the identity of a file, which is the same for all its names: device and number, or, for a missing file, the
 * path. Follows symbolic links. */
std::string
IdentityOf(const std::filesystem::path & path);

/** Returns the identity of the file that standard output goes to, or an empty string if that is no file. */
std::string
IdentityOfStandardOutput();

/** Returns whether standard output is open: it may have been closed before the program began. */
bool
IsStandardOutputOpen();

/** Occupies the standard streams that were closed before the program began, so that no file that it opens becomes
 * one. */
void
OccupyClosedStandardStreams();

/** Follows the symbolic links of a path to the end. There need not be a file.
 * \throws std::filesystem::filesystem_error */
std::filesystem::path
FollowLinks(const std::filesystem::path & path);

/** Returns whether an existing file can be opened for reading. */
bool
IsReadable(const std::filesystem::path & path);

/** Returns the reason why nothing can be written into a folder (it is missing, or a file), or an empty string. */
std::string
ReasonForNoFolder(const std::filesystem::path & path);

/** Returns the reason why an existing file must not be replaced (it is no regular file, or protected, or, on Windows,
 * open), or an empty string. */
std::string
ReasonNotToReplace(const std::filesystem::path & path);

/** Gives a file the permission bits of another one and, if the system allows, its owner and group.
 * \throws std::filesystem::filesystem_error */
void
TakePermissionsOf(const std::filesystem::path & path, const std::filesystem::path & other);

/** Moves a file to a name in the same file system, and replaces a file there in one step.
 * \throws std::system_error, and leaves both unchanged */
void
MoveIntoPlace(const std::filesystem::path & from, const std::filesystem::path & to);

/** Closes files that this program still has open, perhaps by a library after an error, on systems that remove no open
 * files. Only their removal may follow: threads that still write to them get errors. */
void
CloseToRemove(const std::vector<std::filesystem::path> & files);

/** Returns the files of a folder. GCC's standard library would list the current folder on Windows if the path has more
 * than 260 characters.
 * \throws std::system_error */
std::vector<std::filesystem::path>
FilesOfFolder(const std::filesystem::path & path);

/** Makes a folder that other users cannot read.
 * \return false if the name exists
 * \throws std::system_error */
bool
MakeFolder(const std::filesystem::path & path);

/** The lock of a folder. Locks only exclude other programs of this kind, and end with their program. */
struct FolderLock
{
  enum class State
  {
    /** This program holds the lock. */
    Held,
    /** Another program holds it. */
    Busy,
    /** The file system has no locks. */
    Unknown
  };
  State state = State::Unknown;
  /** Negative if there is none. */
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
