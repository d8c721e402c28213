// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef OutputFile_h
#define OutputFile_h

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

class StagingFolder;

/** A file that is written, and not in its place yet. Unless it is put there it is removed. */
class StagedFile
{
public:
  StagedFile(std::unique_ptr<StagingFolder> folder, const std::filesystem::path & path);
  ~StagedFile();
  StagedFile(StagedFile &&) noexcept;
  StagedFile &
  operator=(StagedFile &&) noexcept;

  /** Moves it into its place.
   * \throws ProgramError that names the file */
  void
  Commit();

private:
  std::unique_ptr<StagingFolder> m_Folder;
  std::filesystem::path          m_Path;
};

/** A file that is written whole or not at all.
 *
 * It is written under its own name to a folder made for it beside its place, and then moved. So are the other files of
 * formats that need several. The folder is removed whatever happens. */
class OutputFile
{
public:
  /** \throws ProgramError, before anything is computed, when the file could not be written. */
  explicit OutputFile(const std::string & path);

  /** Calls a function with the name of the file to write. Several may be written at once, by threads.
   * \throws ProgramError that names the file, Interrupted */
  StagedFile
  Stage(const std::function<void(const std::string &)> & write) const;

  /** The same, and moves what it wrote into place. */
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

/** Writes a text file, which is not in its place yet. */
StagedFile
StageText(const OutputFile & file, const std::string & text);

/** Writes a text file, whole or not at all; "-" is standard output. */
void
WriteText(const std::string & path, const std::string & text);

#endif
