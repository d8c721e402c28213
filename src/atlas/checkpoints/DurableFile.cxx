// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/checkpoints/DurableFile.h"

#include "cudaneuro/Error.h"
#include "system/PathNames.h"

#include <cerrno>
#include <system_error>

namespace fs = std::filesystem;

namespace cudaneuro
{
namespace
{

/** Calls a function that reports errors of the system. */
template <typename TFunction>
void
Attempt(const char * what, const fs::path & path, const TFunction & function)
{
  try
  {
    function();
  }
  catch (const std::system_error & error)
  {
    throw Error(what + system::NameOf(path), error.code().message());
  }
}

constexpr const char * writing = "Writing of ";
constexpr const char * reading = "Reading of ";

} // namespace

const char * const unfinishedSuffix = ".part";

DurableFile::DurableFile(const std::string & path)
  : m_Path(system::PathOf(path))
  , m_UnfinishedPath(system::PathOf(path + unfinishedSuffix))
{
  Attempt(writing, m_Path, [this] { m_File.emplace(m_UnfinishedPath); });
}

DurableFile::~DurableFile()
{
  m_File.reset();
  std::error_code ignored;
  fs::remove(m_UnfinishedPath, ignored);
}

void
DurableFile::Write(const void * data, std::size_t bytes)
{
  Attempt(writing, m_Path, [&] { m_File->Write(data, bytes); });
}

void
DurableFile::Publish()
{
  Attempt(writing, m_Path, [this] {
    m_File->Close();
    detail::FlushToDisk(m_UnfinishedPath);
    fs::rename(m_UnfinishedPath, m_Path);
    m_UnfinishedPath.clear();
    detail::FlushToDisk(m_Path.parent_path());
  });
}

CheckpointInput::CheckpointInput(const std::string & path)
  : m_Path(system::PathOf(path))
{
  Attempt(reading, m_Path, [this] {
    // Opening a pipe of that name would block.
    const fs::file_status status = fs::status(m_Path);
    if (fs::exists(status) && !fs::is_regular_file(status))
    {
      throw Error(reading + system::NameOf(m_Path), "it is no regular file");
    }
    m_Stream.open(m_Path, std::ios::binary);
    if (!m_Stream)
    {
      throw std::system_error(errno, std::generic_category());
    }
    m_Size = fs::file_size(m_Path);
  });
}

void
CheckpointInput::Read(void * data, std::size_t bytes)
{
  m_Stream.read(static_cast<char *>(data), static_cast<std::streamsize>(bytes));
  if (!m_Stream)
  {
    throw Error(reading + system::NameOf(m_Path),
                m_Stream.bad()
                  ? "the system cannot read it"
                  : "the file ends " + std::to_string(bytes - static_cast<std::size_t>(m_Stream.gcount())) +
                      " bytes too early");
  }
}

} // namespace cudaneuro
