// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_output_StagingFolder_h
#define files_output_StagingFolder_h

#include "files/base/Interruption.h"

#include <cstdint>
#include <filesystem>

namespace cudaneuro::files
{

/** A new folder beside a file, in which the file is written first. It is removed with its contents by the destructor,
 * and when a signal ends the program.
 *
 * It remains if the program is killed (SIGKILL) or crashes, or at a power failure. It is named
 * ".NAME.unfinished-PROCESS", and locked while its program runs, so that the next run that writes the same file can
 * remove unlocked folders, with a warning. */
class StagingFolder
{
public:
  /** \throws std::runtime_error */
  explicit StagingFolder(const std::filesystem::path & file);
  ~StagingFolder();
  StagingFolder(const StagingFolder &) = delete;
  StagingFolder &
  operator=(const StagingFolder &) = delete;

  const std::filesystem::path &
  GetPath() const
  {
    return m_Path;
  }

private:
  void
  Remove();

  std::filesystem::path m_Path;
  std::intptr_t         m_Lock = -1;
  CleanUpScope          m_CleanUpScope;
};

} // namespace cudaneuro::files

#endif
