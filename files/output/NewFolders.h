// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_output_NewFolders_h
#define files_output_NewFolders_h

#include "files/base/Interruption.h"

#include <filesystem>
#include <vector>

namespace cudaneuro::files
{

/** Makes folders, and removes those that are empty at the end, also when a signal ends the program. */
class NewFolders
{
public:
  NewFolders();
  ~NewFolders();
  NewFolders(const NewFolders &) = delete;
  NewFolders &
  operator=(const NewFolders &) = delete;

  /** Makes a folder if there is none. Its parent must be there.
   * \throws UserError */
  void
  Make(const std::filesystem::path & name);

private:
  void
  RemoveEmpty();

  std::vector<std::filesystem::path> m_Made;
  CleanUpScope                       m_CleanUpScope;
};

} // namespace cudaneuro::files

#endif
