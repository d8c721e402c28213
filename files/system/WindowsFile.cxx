// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/system/SystemFile.h"

#if defined(_WIN32)

#  include "files/system/Windows.h"

#  include <cstdint>
#  include <cstdlib>
#  include <optional>
#  include <set>
#  include <system_error>

#  include <io.h>

namespace cudaneuro::files
{

namespace fs = std::filesystem;

namespace
{

constexpr const char * device = "it is a device, and results go to regular files";

/** The volume of a file and its number there. */
struct FileNumber
{
  unsigned long long volume = 0;
  unsigned long long file = 0;
};

std::optional<FileNumber>
NumberOf(HANDLE handle)
{
  BY_HANDLE_FILE_INFORMATION information = {};
  if (handle == INVALID_HANDLE_VALUE || !GetFileInformationByHandle(handle, &information))
  {
    return {};
  }
  return FileNumber{ information.dwVolumeSerialNumber,
                     static_cast<unsigned long long>(information.nFileIndexHigh) << 32 | information.nFileIndexLow };
}

/** Returns the number of a file or a folder, also if another program has opened it. */
std::optional<FileNumber>
NumberOf(const fs::path & path)
{
  constexpr DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE    handle =
    CreateFileW(path.c_str(), 0, shared, nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  const std::optional<FileNumber> number = NumberOf(handle);
  if (handle != INVALID_HANDLE_VALUE)
  {
    CloseHandle(handle);
  }
  return number;
}

/** Returns whether a file is open so that it cannot be replaced. Waits a moment, because virus scanners open files
 * briefly. */
bool
IsInUse(const fs::path & path)
{
  constexpr DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  constexpr int   attempts = 20;
  constexpr DWORD milliseconds = 50;
  for (int i = 0; i < attempts; ++i)
  {
    const HANDLE handle =
      CreateFileW(path.c_str(), DELETE, shared, nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle != INVALID_HANDLE_VALUE)
    {
      CloseHandle(handle);
      return false;
    }
    if (GetLastError() != ERROR_SHARING_VIOLATION)
    {
      return false;
    }
    Sleep(milliseconds);
  }
  return true;
}

/** Returns a path in lower case, because names on Windows ignore case. */
fs::path
InLowerCase(const fs::path & path)
{
  std::wstring text = path.wstring();
  const int    size = static_cast<int>(text.size());
  LCMapStringEx(LOCALE_NAME_INVARIANT, LCMAP_LOWERCASE, path.c_str(), size, text.data(), size, nullptr, nullptr, 0);
  return text;
}

/** Returns whether a name stands for a device in every folder, with and without an ending, as in older versions of
 * Windows. */
bool
IsDevice(const fs::path & path)
{
  static const std::set<std::wstring> names{ L"con", L"prn", L"aux", L"nul", L"conin$", L"conout$" };
  const std::wstring                  name = InLowerCase(path.filename()).wstring();
  const std::wstring                  stem = name.substr(0, name.find(L'.'));
  const bool isPort = stem.size() == 4 && (stem.rfind(L"com", 0) == 0 || stem.rfind(L"lpt", 0) == 0);
  return isPort ? stem[3] >= L'1' && stem[3] <= L'9' : names.count(stem) > 0;
}

[[noreturn]] void
ThrowSystemError(DWORD number)
{
  throw std::system_error(static_cast<int>(number), std::system_category());
}

std::string
IdentityOf(const FileNumber & number)
{
  return "file " + std::to_string(number.volume) + " " + std::to_string(number.file);
}

} // namespace

fs::path
ToPath(const std::string & name)
{
  return fs::u8path(name);
}

std::string
IdentityOf(const fs::path & path)
{
  const std::optional<FileNumber> number = NumberOf(path);
  return number ? IdentityOf(*number) : "name " + InLowerCase(FollowLinks(path)).string();
}

std::string
IdentityOfStandardOutput()
{
  const HANDLE handle = GetStdHandle(STD_OUTPUT_HANDLE);
  const auto   number = GetFileType(handle) == FILE_TYPE_DISK ? NumberOf(handle) : std::optional<FileNumber>();
  return number ? IdentityOf(*number) : "";
}

bool
IsStandardOutputOpen()
{
  const HANDLE handle = GetStdHandle(STD_OUTPUT_HANDLE);
  return handle != nullptr && handle != INVALID_HANDLE_VALUE;
}

void
OccupyClosedStandardStreams()
{
  // Nothing to do: files do not get the lowest free number here, so that none becomes a stream by accident.
}

bool
IsReadable(const fs::path & path)
{
  constexpr DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE    handle =
    CreateFileW(path.c_str(), GENERIC_READ, shared, nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (handle == INVALID_HANDLE_VALUE)
  {
    return false;
  }
  CloseHandle(handle);
  return true;
}

std::string
ReasonNotToReplace(const fs::path & path)
{
  const DWORD attributes = GetFileAttributesW(path.c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES)
  {
    return IsDevice(path) ? device : "";
  }
  return (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0  ? "it is the name of a folder"
         : (attributes & FILE_ATTRIBUTE_READONLY) != 0 ? "it is write-protected"
         : IsDevice(path)                              ? device
         : IsInUse(path)                               ? "another program has it open"
                                                       : "";
}

void
TakePermissionsOf(const fs::path &, const fs::path &)
{
  // Nothing to do: files have the permissions of their folder here.
}

void
MoveIntoPlace(const fs::path & from, const fs::path & to)
{
  if (!MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
  {
    ThrowSystemError(GetLastError());
  }
}

void
CloseToRemove(const std::vector<fs::path> & files)
{
  std::set<std::string> identities;
  for (const fs::path & path : files)
  {
    identities.insert(IdentityOf(path));
  }
#  if defined(_MSC_VER)
  // The C library would end the program for a number that stands for no file.
  const auto handler = _set_thread_local_invalid_parameter_handler(
    [](const wchar_t *, const wchar_t *, const wchar_t *, unsigned int, std::uintptr_t) {});
#  endif
  constexpr int firstAfterStreams = 3;
  constexpr int mostFiles = 8192;
  for (int file = firstAfterStreams; file < mostFiles && !identities.empty(); ++file)
  {
    const auto number = NumberOf(reinterpret_cast<HANDLE>(_get_osfhandle(file)));
    if (number && identities.count(IdentityOf(*number)) > 0)
    {
      _close(file);
    }
  }
#  if defined(_MSC_VER)
  _set_thread_local_invalid_parameter_handler(handler);
#  endif
}

std::vector<fs::path>
FilesOfFolder(const fs::path & path)
{
  // For a file, the system would report that there is no such folder.
  const DWORD attributes = GetFileAttributesW(path.c_str());
  if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0)
  {
    throw std::system_error(std::make_error_code(std::errc::not_a_directory));
  }
  WIN32_FIND_DATAW      entry = {};
  const HANDLE          search = FindFirstFileW((path / L"*").c_str(), &entry);
  std::vector<fs::path> files;
  for (bool isThere = search != INVALID_HANDLE_VALUE; isThere; isThere = FindNextFileW(search, &entry) != 0)
  {
    const fs::path name = entry.cFileName;
    if (name != "." && name != "..")
    {
      files.push_back(path / name);
    }
  }
  const DWORD number = GetLastError();
  if (search != INVALID_HANDLE_VALUE)
  {
    FindClose(search);
  }
  if (number != ERROR_NO_MORE_FILES)
  {
    ThrowSystemError(number);
  }
  return files;
}

bool
MakeFolder(const fs::path & path)
{
  if (CreateDirectoryW(path.c_str(), nullptr))
  {
    return true;
  }
  const DWORD number = GetLastError();
  if (number != ERROR_ALREADY_EXISTS)
  {
    ThrowSystemError(number);
  }
  return false;
}

FolderLock
LockFolder(const fs::path & path)
{
  FolderLock                      lock;
  const std::optional<FileNumber> number = NumberOf(path);
  if (!number)
  {
    // Another program, which held the lock, has removed it.
    lock.state = fs::exists(path) ? FolderLock::State::Unknown : FolderLock::State::Busy;
    return lock;
  }
  // A handle of the folder itself would keep it from being removed.
  const std::string name =
    "Global\\CudaNeuro-folder-" + std::to_string(number->volume) + "-" + std::to_string(number->file);
  const HANDLE mutex = CreateMutexA(nullptr, TRUE, name.c_str());
  const DWORD  result = GetLastError();
  if (mutex == nullptr)
  {
    // A mutex of another user counts, too.
    lock.state = result == ERROR_ACCESS_DENIED ? FolderLock::State::Busy : FolderLock::State::Unknown;
  }
  else if (result == ERROR_ALREADY_EXISTS)
  {
    CloseHandle(mutex);
    lock.state = FolderLock::State::Busy;
  }
  else
  {
    lock.state = FolderLock::State::Held;
    lock.handle = reinterpret_cast<std::intptr_t>(mutex);
  }
  return lock;
}

void
UnlockFolder(std::intptr_t handle)
{
  if (handle >= 0)
  {
    CloseHandle(reinterpret_cast<HANDLE>(handle));
  }
}

long
GetProcessNumber()
{
  return static_cast<long>(GetCurrentProcessId());
}

} // namespace cudaneuro::files

#endif
