// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_detail_NewFile_h
#define cudaneuro_detail_NewFile_h

#include "CudaNeuroExport.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>

/** What the writers of checkpoints and of results share: a file that is written by the system's calls, and waited for
 * until it is on the disk. It is no part of the interface. */
namespace cudaneuro::detail
{

/** A file that is written from its beginning on. What is written goes to the disk at once: less is left to flush. */
class CudaNeuro_EXPORT NewFile
{
public:
  /** Makes the file, or empties it.
   * \throws std::system_error, as all members do */
  explicit NewFile(const std::filesystem::path & path);

  ~NewFile();

  NewFile(const NewFile &) = delete;
  NewFile &
  operator=(const NewFile &) = delete;

  /** Writes all of the bytes. */
  void
  Write(const void * bytes, std::size_t count);

  /** Over a network, what could not be written may be known only now. */
  void
  Close();

private:
  int m_Handle = -1;
  /** Bytes that were written, and those of them that are on their way to the disk. */
  std::uint64_t m_Written = 0;
  std::uint64_t m_Begun = 0;
};

/** Waits until a file, or the names of the files of a folder, are on the disk. A full disk is reported here at the
 * latest.
 * \throws std::system_error */
CudaNeuro_EXPORT void
FlushToDisk(const std::filesystem::path & path);

} // namespace cudaneuro::detail

#endif
