// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef OutputFile_h
#define OutputFile_h

#include <filesystem>
#include <functional>
#include <string>

/** A file that is written whole or not at all.
 *
 * It is written under its own name to a folder made for it beside its place, and then moved. So are the other files of
 * formats that need several. The folder is removed whatever happens. */
class OutputFile
{
public:
  /** \throws ProgramError, before anything is computed, when the file could not be written. */
  explicit OutputFile(const std::string & path);

  /** Calls a function with the name of the file to write, and moves what it wrote into place.
   * \throws ProgramError that names the file, Interrupted */
  void
  Write(const std::function<void(const std::string &)> & write) const;

  std::string
  GetPath() const
  {
    return m_Path.string();
  }

private:
  std::filesystem::path m_Path;
};

/** Writes a text file, whole or not at all; "-" is standard output. */
void
WriteText(const std::string & path, const std::string & text);

#endif
