// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/DurableFile.h"

#include "cudaneuro/Error.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#ifdef _WIN32
#  include <io.h>
#else
#  include <unistd.h>
#endif

namespace cudaneuro
{
namespace
{

[[noreturn]] void
ThrowSystemError(const std::string & call, int reason)
{
  throw Error(call, std::generic_category().message(reason));
}

// Systems limit what one call reads or writes to little less than 2^31 bytes.
constexpr std::size_t largestTransfer = std::size_t{ 1 } << 30;

#ifdef _WIN32

int
OpenToWrite(const std::string & path)
{
  return _open(path.c_str(), _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY, _S_IREAD | _S_IWRITE);
}

int
OpenToRead(const std::string & path)
{
  return _open(path.c_str(), _O_RDONLY | _O_BINARY);
}

std::ptrdiff_t
WriteSome(int handle, const void * data, std::size_t bytes)
{
  return _write(handle, data, static_cast<unsigned int>(bytes));
}

std::ptrdiff_t
ReadSome(int handle, void * data, std::size_t bytes)
{
  return _read(handle, data, static_cast<unsigned int>(bytes));
}

/** \returns 0 or the error's number. */
int
FlushHandle(int handle)
{
  return _commit(handle) == 0 ? 0 : errno;
}

int
CloseHandle(int handle)
{
  return _close(handle);
}

#else

int
OpenToWrite(const std::string & path)
{
  constexpr mode_t readableByAll = 0666; // less what the user's umask forbids
  return open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, readableByAll);
}

int
OpenToRead(const std::string & path)
{
  // Without O_NONBLOCK, a pipe of that name would be waited for.
  return open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

std::ptrdiff_t
WriteSome(int handle, const void * data, std::size_t bytes)
{
  return write(handle, data, bytes);
}

std::ptrdiff_t
ReadSome(int handle, void * data, std::size_t bytes)
{
  return read(handle, data, bytes);
}

/** \returns 0 or the error's number. */
int
FlushHandle(int handle)
{
  // Some file systems cannot, and say so.
  return fsync(handle) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
}

int
CloseHandle(int handle)
{
  return close(handle);
}

#endif

} // namespace

const char * const unfinishedSuffix = ".part";

DurableFile::DurableFile(const std::string & path)
  : m_Path(path)
  , m_UnfinishedPath(path + unfinishedSuffix)
  , m_Handle(OpenToWrite(m_UnfinishedPath))
{
  if (m_Handle < 0)
  {
    ThrowSystemError("Writing of " + m_Path, errno);
  }
}

DurableFile::~DurableFile()
{
  if (m_Handle >= 0)
  {
    CloseHandle(m_Handle);
  }
  if (!m_UnfinishedPath.empty())
  {
    std::error_code ignored;
    std::filesystem::remove(m_UnfinishedPath, ignored);
  }
}

void
DurableFile::Write(const void * data, std::size_t bytes)
{
  const auto * from = static_cast<const unsigned char *>(data);
  while (bytes > 0)
  {
    const std::ptrdiff_t written = WriteSome(m_Handle, from, std::min(bytes, largestTransfer));
    if (written < 0 && errno != EINTR)
    {
      ThrowSystemError("Writing of " + m_Path, errno);
    }
    const auto advance = static_cast<std::size_t>(std::max<std::ptrdiff_t>(written, 0));
    from += advance;
    bytes -= advance;
  }
}

void
DurableFile::Publish()
{
  const int failure = FlushHandle(m_Handle);
  if (failure != 0)
  {
    ThrowSystemError("Writing of " + m_Path, failure);
  }
  // Over a network, what could not be written may be known only now.
  const bool isClosed = CloseHandle(m_Handle) == 0 || errno == EINTR;
  m_Handle = -1;
  if (!isClosed)
  {
    ThrowSystemError("Writing of " + m_Path, errno);
  }
  std::error_code error;
  std::filesystem::rename(m_UnfinishedPath, m_Path, error);
  if (error)
  {
    throw Error("Writing of " + m_Path, error.message());
  }
  m_UnfinishedPath.clear();
  FlushFolder(std::filesystem::path(m_Path).parent_path().string());
}

InputFile::InputFile(const std::string & path)
  : m_Path(path)
{
  std::error_code                    error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
  {
    throw Error("Reading of " + m_Path, "it is no regular file");
  }
  m_Handle = OpenToRead(path);
  if (m_Handle < 0)
  {
    ThrowSystemError("Reading of " + m_Path, errno);
  }
  m_Size = std::filesystem::file_size(path, error);
  if (error)
  {
    CloseHandle(m_Handle);
    throw Error("Reading of " + m_Path, error.message());
  }
}

InputFile::~InputFile()
{
  CloseHandle(m_Handle);
}

void
InputFile::Read(void * data, std::size_t bytes)
{
  auto * to = static_cast<unsigned char *>(data);
  while (bytes > 0)
  {
    const std::ptrdiff_t count = ReadSome(m_Handle, to, std::min(bytes, largestTransfer));
    if (count == 0)
    {
      throw Error("Reading of " + m_Path, "the file ends " + std::to_string(bytes) + " bytes too early");
    }
    if (count < 0 && errno != EINTR)
    {
      ThrowSystemError("Reading of " + m_Path, errno);
    }
    const auto advance = static_cast<std::size_t>(std::max<std::ptrdiff_t>(count, 0));
    to += advance;
    bytes -= advance;
  }
}

#ifdef _WIN32

void
FlushFolder(const std::string &)
{}

#else

void
FlushFolder(const std::string & folder)
{
  const int handle = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0)
  {
    ThrowSystemError("Writing of folder " + folder, errno);
  }
  const int failure = FlushHandle(handle);
  CloseHandle(handle);
  if (failure != 0)
  {
    ThrowSystemError("Writing of folder " + folder, failure);
  }
}

#endif

} // namespace cudaneuro
