// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_output_OutputFile_h
#define files_output_OutputFile_h

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace cudaneuro::files
{

/** A place for results, which are first written to temporary folders beside it. */
class OutputPlace;

/** A written file that is not yet in its place. It is removed unless Commit moves it there. */
class StagedFile
{
public:
  explicit StagedFile(std::shared_ptr<OutputPlace> place);

  /** Moves the file to its place.
   * \throws UserError that names the file */
  void
  Commit();

private:
  std::shared_ptr<OutputPlace> m_Place;
};

/** A file that is written as a whole or not at all, with the other files of its format.
 *
 * It is written under its own name to a new folder beside its place, flushed to the disk, and then moved there.
 * A symbolic link stays, and the file that it leads to is replaced. The permission bits of a replaced file are kept,
 * and its owner and group if the system allows; its other names (hard links) keep the old contents. Only regular files
 * are replaced. */
class OutputFile
{
public:
  /** Makes the folder at once, so that a place that cannot be written to is known before anything is computed.
   * \throws UserError that names the file */
  explicit OutputFile(const std::string & path);

  /** Calls a function with the name of the file to write. Several may be written at once, by threads.
   * \throws UserError that names the file, Interrupted */
  StagedFile
  Stage(const std::function<void(const std::string &)> & write) const;

  /** Calls a function with the name of the file to write, and moves the result to its place. */
  void
  Write(const std::function<void(const std::string &)> & write) const;

  /** Removes the file of an older run, if there is one. The next file keeps its permission bits.
   * \throws UserError that names the file */
  void
  RemoveOld() const;

  std::string
  GetPath() const;

private:
  std::shared_ptr<OutputPlace> m_Place;
};

/** The files of a run. Refuses results that would overwrite an input or another result, also under another name,
 * through a link, or as the second file of a format. */
class FilesOfRun
{
public:
  FilesOfRun();

  /** Adds a file that will be read, with all files of its format. An empty name is none.
   * \throws UserError if it is an output of this run */
  void
  AddInput(const std::string & path);

  /** \throws UserError if the file cannot be written, or is already a file of this run. */
  OutputFile
  AddOutput(const std::string & path);

  /** Like AddOutput for text, where "-" is standard output and an empty name gives null. */
  std::unique_ptr<OutputFile>
  AddTextOutput(const std::string & path);

private:
  struct Use
  {
    std::string description;
    bool        isOutput;
  };

  /** How each file is used, by its identity. */
  std::map<std::string, Use> m_Files;
};

/** The places of many files, by their paths. Each place keeps a file open; the first hundred are made
 * before anything is computed, and the others again when they are requested. */
class OutputFiles
{
public:
  /** \throws exceptions of FilesOfRun::AddOutput */
  void
  Add(FilesOfRun & files, const std::string & path);

  /** Returns the place of an added path. */
  OutputFile
  Get(const std::string & path) const;

private:
  std::map<std::string, OutputFile> m_Kept;
};

/** Writes a text file as a whole or not at all, or to standard output if file is null.
 * \throws UserError, Interrupted */
void
WriteText(const OutputFile * file, const std::string & text);

} // namespace cudaneuro::files

#endif
