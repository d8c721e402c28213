// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_detail_NewFile_h
#define cudaneuro_detail_NewFile_h

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#ifdef _WIN32
#  include <io.h>
#else
#  include <unistd.h>
#endif

/** What the writers of checkpoints and of results share: the system calls that write a file and wait until it is on the
 * disk. It is no part of the interface. */
namespace cudaneuro::detail
{

#ifdef _WIN32
inline int
OpenNew(const std::filesystem::path & path)
{
  return _wopen(path.c_str(), _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY, _S_IREAD | _S_IWRITE);
}
inline int
OpenOld(const std::filesystem::path & path)
{
  return _wopen(path.c_str(), _O_RDWR | _O_BINARY);
}
inline std::ptrdiff_t
WriteSome(int handle, const void * bytes, std::size_t count)
{
  return _write(handle, bytes, static_cast<unsigned int>(count));
}
inline int
Flush(int handle)
{
  return _commit(handle);
}
inline int
Close(int handle)
{
  return _close(handle);
}
#else
inline int
OpenNew(const std::filesystem::path & path)
{
  constexpr mode_t readableByAll = 0666; // less what the user's umask forbids
  return open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, readableByAll);
}
inline int
OpenOld(const std::filesystem::path & path)
{
  return open(path.c_str(), O_RDONLY | O_CLOEXEC);
}
inline std::ptrdiff_t
WriteSome(int handle, const void * bytes, std::size_t count)
{
  return write(handle, bytes, count);
}
inline int
Flush(int handle)
{
  return fsync(handle);
}
inline int
Close(int handle)
{
  return close(handle);
}
#endif

[[noreturn]] inline void
ThrowSystemError(int number = errno)
{
  throw std::system_error(number, std::generic_category());
}

/** A file that is written from its beginning on. What is written goes to the disk at once: less is left to flush. */
class NewFile
{
public:
  /** Makes the file, or empties it.
   * \throws std::system_error, as all members do */
  explicit NewFile(const std::filesystem::path & path)
    : m_Handle(OpenNew(path))
  {
    m_Handle < 0 ? ThrowSystemError() : void();
  }

  ~NewFile() { m_Handle < 0 ? 0 : detail::Close(m_Handle); }

  NewFile(const NewFile &) = delete;
  NewFile &
  operator=(const NewFile &) = delete;

  /** Writes all of the bytes. */
  void
  Write(const void * bytes, std::size_t count)
  {
    // Systems limit what one call writes to little less than 2^31 bytes.
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
#ifdef __linux__
    constexpr std::uint64_t manyBytes = 8 << 20;
    if (m_Written - m_Begun >= manyBytes)
    {
      // Does not wait.
      sync_file_range(
        m_Handle, static_cast<off_t>(m_Begun), static_cast<off_t>(m_Written - m_Begun), SYNC_FILE_RANGE_WRITE);
      m_Begun = m_Written;
    }
#endif
  }

  /** Over a network, what could not be written may be known only now. */
  void
  Close()
  {
    if (detail::Close(std::exchange(m_Handle, -1)) != 0 && errno != EINTR)
    {
      ThrowSystemError();
    }
  }

private:
  int m_Handle = -1;
  /** Bytes that were written, and those of them that are on their way to the disk. */
  std::uint64_t m_Written = 0;
  std::uint64_t m_Begun = 0;
};

/** Waits until a file, or the names of the files of a folder, are on the disk. A full disk is reported here at the
 * latest.
 * \throws std::system_error */
inline void
FlushToDisk(const std::filesystem::path & path)
{
#ifdef _WIN32
  if (std::filesystem::is_directory(path))
  {
    return;
  }
#endif
  const int handle = OpenOld(path);
  if (handle < 0)
  {
    ThrowSystemError();
  }
  // Some file systems cannot, and say so.
  const int failure = Flush(handle) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
  detail::Close(handle);
  if (failure != 0)
  {
    ThrowSystemError(failure);
  }
}

} // namespace cudaneuro::detail

#endif
