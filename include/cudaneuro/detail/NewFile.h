// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_detail_NewFile_h
#define cudaneuro_detail_NewFile_h

#include "CudaNeuroExport.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>

/** Shared by the writers of checkpoints and of results: a file that is written by system calls, whose data can be
 * flushed to the disk. It is not part of the interface. */
namespace cudaneuro::detail
{

/** A file that is written from its beginning. Bytes are sent to the disk at once, which leaves less to flush. */
class CudaNeuro_EXPORT NewFile
{
public:
  /** Creates the file, or empties it.
   * \throws std::system_error, as all members do */
  explicit NewFile(const std::filesystem::path & path);

  ~NewFile();

  NewFile(const NewFile &) = delete;
  NewFile &
  operator=(const NewFile &) = delete;

  /** Writes all of the bytes. */
  void
  Write(const void * bytes, std::size_t count);

  /** Closes the file. Over a network, a failed write may be reported only here. */
  void
  Close();

private:
  int m_Handle = -1;
  /** Number of bytes written, and of those whose transfer to the disk has begun. */
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
