// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_files_StagingFolder_h
#define apps_files_StagingFolder_h

#include "shared/Signals.h"

#include <filesystem>

/** A new folder beside a file that is going to be written, where it is written first. It is removed with all that it
 * contains when this ends, and when a signal ends the program.
 *
 * What no program can do is to remove it when it is killed (SIGKILL), crashes, or loses power. So its name says what it
 * is, ".NAME.unfinished-PROCESS", and it is locked while its program lives: the next run that writes the same file
 * removes those that are not locked, and says so. */
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
  int                   m_Lock = -1;
  CleanUpScope          m_CleanUpScope;
};

#endif
