// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/detail/NewFile.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#if defined(_WIN32)
#  include <io.h>
#else
#  include <unistd.h>
#endif

namespace cudaneuro::detail
{
namespace
{

#if defined(_WIN32)
int
OpenNew(const std::filesystem::path & path)
{
  return _wopen(path.c_str(), _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
}
int
OpenOld(const std::filesystem::path & path)
{
  return _wopen(path.c_str(), _O_RDWR | _O_BINARY | _O_NOINHERIT);
}
std::ptrdiff_t
WriteSome(int handle, const void * bytes, std::size_t count)
{
  return _write(handle, bytes, static_cast<unsigned int>(count));
}
int
Flush(int handle)
{
  return _commit(handle);
}
int
CloseFile(int handle)
{
  return _close(handle);
}
#else
int
OpenNew(const std::filesystem::path & path)
{
  constexpr mode_t readableByAll = 0666; // minus the permissions that the user's umask forbids
  return open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, readableByAll);
}
int
OpenOld(const std::filesystem::path & path)
{
  return open(path.c_str(), O_RDONLY | O_CLOEXEC);
}
std::ptrdiff_t
WriteSome(int handle, const void * bytes, std::size_t count)
{
  return write(handle, bytes, count);
}
int
Flush(int handle)
{
  return fsync(handle);
}
int
CloseFile(int handle)
{
  return close(handle);
}
#endif

[[noreturn]] void
ThrowSystemError(int number = errno)
{
  throw std::system_error(number, std::generic_category());
}

/** Returns whether the entries of a folder are written to the disk together with its files. */
bool
IsFolderFlushedWithFiles(const std::filesystem::path & path)
{
#if defined(_WIN32)
  return std::filesystem::is_directory(path);
#else
  static_cast<void>(path);
  return false;
#endif
}

} // namespace

NewFile::NewFile(const std::filesystem::path & path)
  : m_Handle(OpenNew(path))
{
  m_Handle < 0 ? ThrowSystemError() : void();
}

NewFile::~NewFile()
{
  m_Handle < 0 ? 0 : CloseFile(m_Handle);
}

void
NewFile::Write(const void * bytes, std::size_t count)
{
  // Systems limit a single write to slightly less than 2^31 bytes.
  constexpr std::size_t most = std::size_t{ 1 } << 30;
  const auto *          from = static_cast<const char *>(bytes);
  m_Written += count;
  while (count > 0)
  {
    const std::ptrdiff_t written = WriteSome(m_Handle, from, std::min(count, most));
    if (written < 0 && errno != EINTR)
    {
      ThrowSystemError();
    }
    from += std::max<std::ptrdiff_t>(written, 0);
    count -= static_cast<std::size_t>(std::max<std::ptrdiff_t>(written, 0));
  }
#if defined(__linux__)
  constexpr std::uint64_t manyBytes = 8 << 20;
  if (m_Written - m_Begun >= manyBytes)
  {
    // This starts to write, and does not wait.
    sync_file_range(
      m_Handle, static_cast<off_t>(m_Begun), static_cast<off_t>(m_Written - m_Begun), SYNC_FILE_RANGE_WRITE);
    m_Begun = m_Written;
  }
#endif
}

void
NewFile::Close()
{
  if (CloseFile(std::exchange(m_Handle, -1)) != 0 && errno != EINTR)
  {
    ThrowSystemError();
  }
}

void
FlushToDisk(const std::filesystem::path & path)
{
  if (IsFolderFlushedWithFiles(path))
  {
    return;
  }
  const int handle = OpenOld(path);
  if (handle < 0)
  {
    ThrowSystemError();
  }
  // Some file systems cannot flush folders, and report that.
  const int failure = Flush(handle) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
  CloseFile(handle);
  if (failure != 0)
  {
    ThrowSystemError(failure);
  }
}

} // namespace cudaneuro::detail
