// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_output_StagedFiles_h
#define files_output_StagedFiles_h

#include "files/output/OutputFile.h"

#include <future>
#include <vector>

namespace cudaneuro::files
{

/** Files that are written at the same time, each by a thread, and moved to their places when all are complete. */
class StagedFiles
{
public:
  /** Calls a function that returns a StagedFile, in a thread. */
  template <typename TStage>
  void
  Start(const TStage & stage)
  {
    m_Staging.push_back(std::async(std::launch::async, stage));
  }

  /** Waits until all files are written, and moves them.
   * \throws the first exception of the functions; then no file is moved */
  void
  Commit()
  {
    std::vector<StagedFile> files;
    for (std::future<StagedFile> & file : m_Staging)
    {
      files.push_back(file.get());
    }
    for (StagedFile & file : files)
    {
      file.Commit();
    }
  }

private:
  std::vector<std::future<StagedFile>> m_Staging;
};

} // namespace cudaneuro::files

#endif
