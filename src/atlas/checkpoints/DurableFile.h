// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_checkpoints_DurableFile_h
#define cudaneuro_atlas_checkpoints_DurableFile_h

#include "cudaneuro/detail/NewFile.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

/** Files that exist completely or not at all, whatever happens to the process or the machine. All functions throw Error
 * with the name of the file and the system's reason. */
namespace cudaneuro
{

/** Suffix of files that are being written. */
extern const char * const unfinishedSuffix;

/** A file that is written under a temporary name and renamed when it is complete and on the disk. */
class DurableFile
{
public:
  /** Begins a file; an unfinished one of the same name is overwritten. */
  explicit DurableFile(const std::string & path);
  /** Removes the file unless it was published. */
  ~DurableFile();
  DurableFile(const DurableFile &) = delete;
  DurableFile &
  operator=(const DurableFile &) = delete;

  void
  Write(const void * data, std::size_t bytes);

  /** Waits until the content is on the disk, and replaces the file at the path, if there is one. */
  void
  Publish();

private:
  std::filesystem::path          m_Path;
  std::filesystem::path          m_UnfinishedPath;
  std::optional<detail::NewFile> m_File;
};

/** A regular file for reading. */
class CheckpointInput
{
public:
  explicit CheckpointInput(const std::string & path);

  std::uint64_t
  GetSize() const
  {
    return m_Size;
  }

  /** Reads the next bytes, all of which must exist. */
  void
  Read(void * data, std::size_t bytes);

private:
  std::filesystem::path m_Path;
  std::ifstream         m_Stream;
  std::uint64_t         m_Size = 0;
};

} // namespace cudaneuro

#endif
