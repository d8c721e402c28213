// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/system/SystemFile.h"

#if !defined(_WIN32)

#  include <cerrno>
#  include <system_error>

#  include <fcntl.h>
#  include <sys/file.h>
#  include <sys/stat.h>
#  include <unistd.h>

namespace cudaneuro::files
{

namespace fs = std::filesystem;

namespace
{

[[noreturn]] void
ThrowSystemError()
{
  throw std::system_error(errno, std::generic_category());
}

std::string
IdentityOf(const struct stat & status)
{
  return "file " + std::to_string(status.st_dev) + " " + std::to_string(status.st_ino);
}

/** Returns whether a folder forbids replacing the files of other users, like /tmp. */
bool
IsProtectedByFolder(const struct stat & status, const fs::path & path)
{
  struct stat folder = {};
  const uid_t user = geteuid();
  return user != 0 && stat(path.parent_path().c_str(), &folder) == 0 && (folder.st_mode & S_ISVTX) != 0 &&
         folder.st_uid != user && status.st_uid != user;
}

} // namespace

fs::path
ToPath(const std::string & name)
{
  return name;
}

std::string
IdentityOf(const fs::path & path)
{
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 ? IdentityOf(status) : "name " + FollowLinks(path).string();
}

std::string
IdentityOfStandardOutput()
{
  struct stat status = {};
  return fstat(STDOUT_FILENO, &status) == 0 && S_ISREG(status.st_mode) ? IdentityOf(status) : "";
}

bool
IsStandardOutputOpen()
{
  return (fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

void
OccupyClosedStandardStreams()
{
  for (const int stream : { STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO })
  {
    if (fcntl(stream, F_GETFD) == -1)
    {
      // Opened for reading, so that writing to it fails. It gets the lowest free descriptor, the closed stream's.
      [[maybe_unused]] const int opened = open("/dev/null", O_RDONLY);
    }
  }
}

bool
IsReadable(const fs::path & path)
{
  return access(path.c_str(), R_OK) == 0;
}

std::string
ReasonNotToReplace(const fs::path & path)
{
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0)
  {
    return "";
  }
  switch (status.st_mode & S_IFMT)
  {
    case S_IFREG:
      return access(path.c_str(), W_OK) != 0     ? "it is write-protected"
             : IsProtectedByFolder(status, path) ? "it is another user's, in a folder that protects it"
                                                 : "";
    case S_IFDIR:
      return "it is the name of a folder";
    case S_IFIFO:
      return "it is a pipe, and results go to regular files";
    case S_IFSOCK:
      return "it is a socket, and results go to regular files";
    default:
      return "it is a device, and results go to regular files";
  }
}

void
TakePermissionsOf(const fs::path & path, const fs::path & other)
{
  struct stat status = {};
  if (stat(other.c_str(), &status) != 0)
  {
    ThrowSystemError();
  }
  // The group can be changed even if the owner cannot: only root gives files away.
  if (chown(path.c_str(), status.st_uid, status.st_gid) != 0)
  {
    [[maybe_unused]] const int isGroupKept = chown(path.c_str(), static_cast<uid_t>(-1), status.st_gid);
  }
  constexpr mode_t permissionBits = 0777;
  if (chmod(path.c_str(), status.st_mode & permissionBits) != 0)
  {
    ThrowSystemError();
  }
}

void
MoveIntoPlace(const fs::path & from, const fs::path & to)
{
  fs::rename(from, to);
}

void
CloseToRemove(const std::vector<fs::path> &)
{
  // Open files can be removed.
}

std::vector<fs::path>
FilesOfFolder(const fs::path & path)
{
  std::vector<fs::path> files;
  for (const fs::directory_entry & entry : fs::directory_iterator(path))
  {
    files.push_back(entry.path());
  }
  return files;
}

bool
MakeFolder(const fs::path & path)
{
  constexpr mode_t onlyOwner = 0700;
  if (mkdir(path.c_str(), onlyOwner) == 0)
  {
    return true;
  }
  if (errno != EEXIST)
  {
    ThrowSystemError();
  }
  return false;
}

FolderLock
LockFolder(const fs::path & path)
{
  FolderLock lock;
  const int  folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  lock.handle = folder;
  if (folder < 0)
  {
    // Another program, which held the lock, has removed it.
    lock.state = errno == ENOENT ? FolderLock::State::Busy : FolderLock::State::Unknown;
  }
  else if (flock(folder, LOCK_EX | LOCK_NB) == 0)
  {
    lock.state = FolderLock::State::Held;
  }
  else
  {
    lock.state = errno == EWOULDBLOCK ? FolderLock::State::Busy : FolderLock::State::Unknown;
    UnlockFolder(lock.handle);
    lock.handle = -1;
  }
  return lock;
}

void
UnlockFolder(std::intptr_t handle)
{
  if (handle >= 0)
  {
    close(static_cast<int>(handle));
  }
}

long
GetProcessNumber()
{
  return getpid();
}

} // namespace cudaneuro::files

#endif
