// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/output/OutputFile.h"

#include "files/base/FormatFiles.h"
#include "cudaneuro/detail/NewFile.h"
#include "files/output/StagingFolder.h"
#include "files/output/WholeFile.h"
#include "files/system/SystemFile.h"
#include "itkMacro.h"
#include "files/base/ErrorStream.h"
#include "files/base/Errors.h"
#include "files/base/StandardStreams.h"

#include <algorithm>
#include <fstream>
#include <vector>

namespace cudaneuro::files
{

namespace fs = std::filesystem;

namespace
{

std::string
ReasonOf(const std::exception & error)
{
  if (const auto * const system = dynamic_cast<const std::system_error *>(&error))
  {
    const std::string message = system->code().message();
    const bool isFull = system->code() == std::errc::no_space_on_device || system->code() == std::errc::file_too_large;
    return isFull ? "the disk may be full: " + message : message;
  }
  const auto * const itkError = dynamic_cast<const itk::ExceptionObject *>(&error);
  return OneLine(itkError != nullptr ? itkError->GetDescription() : error.what());
}

/** Calls a function, and turns exceptions into a UserError: "cannot write PATH: REASON". */
template <typename TFunction>
auto
CallToWrite(const fs::path & path, const TFunction & function)
{
  try
  {
    return function();
  }
  catch (const Interrupted &)
  {
    throw;
  }
  catch (const std::exception & error)
  {
    throw UserError("cannot write " + path.string() + ": " + ReasonOf(error));
  }
}

/** Returns the name of a file for messages, with the file to which it belongs. */
std::string
Describe(const fs::path & file, const fs::path & path)
{
  return file == path ? path.string() : file.string() + ", a file of " + path.string();
}

void
RequireNone(const std::string & reason)
{
  if (!reason.empty())
  {
    throw std::runtime_error(reason);
  }
}

} // namespace

class OutputPlace
{
public:
  explicit OutputPlace(const fs::path & path);

  const fs::path &
  GetPath() const
  {
    return m_Path;
  }

  /** Returns the path under which the file is written first. */
  fs::path
  GetStagedPath() const
  {
    return m_Folders.at(m_Targets.front().file.parent_path())->GetPath() / m_Path.filename();
  }

  /** Makes the written files ready to be moved. */
  void
  Prepare();

  /** Moves the written files. */
  void
  Commit();

  /** Removes the file at the place, and makes an empty temporary file with its permissions. */
  void
  RemoveOld();

private:
  /** A file that may be written: its name, and the file to which its links lead. */
  struct Target
  {
    fs::path name;
    fs::path file;
    /** Where the file is written first; empty if it was not written. */
    fs::path staged;
  };

  const fs::path                                     m_Path;
  std::vector<Target>                                m_Targets;
  std::map<fs::path, std::unique_ptr<StagingFolder>> m_Folders;
};

OutputPlace::OutputPlace(const fs::path & path)
  : m_Path(path)
{
  RequireNone(path.has_filename() ? "" : "it is the name of a folder");
  for (const fs::path & name : FilesToWrite(path))
  {
    const fs::path file = FollowLinks(name);
    if (!fs::is_directory(file.parent_path()))
    {
      throw std::runtime_error(ReasonForNoFolder((fs::is_symlink(name) ? file : name).parent_path()));
    }
    RequireNone(ReasonNotToReplace(file));
    m_Targets.push_back({ name, file, {} });
  }
  for (const Target & target : m_Targets)
  {
    std::unique_ptr<StagingFolder> & folder = m_Folders[target.file.parent_path()];
    if (!folder)
    {
      folder = std::make_unique<StagingFolder>(target.file);
    }
  }
}

void
OutputPlace::Prepare()
{
  const fs::path folder = this->GetStagedPath().parent_path();
  for (const fs::path & path : FilesOfFolder(folder))
  {
    const auto target = std::find_if(
      m_Targets.begin(), m_Targets.end(), [&](const Target & one) { return one.name.filename() == path.filename(); });
    if (target == m_Targets.end())
    {
      throw std::runtime_error("its writer left a file that is not expected, " + path.filename().string());
    }
    target->staged = m_Folders.at(target->file.parent_path())->GetPath() / path.filename();
    if (target->staged != path)
    {
      fs::copy_file(path, target->staged);
    }
    cudaneuro::detail::FlushToDisk(target->staged);
    if (fs::exists(target->file))
    {
      TakePermissionsOf(target->staged, target->file);
    }
  }
  if (m_Targets.front().staged.empty())
  {
    throw std::runtime_error("its writer left no file");
  }
}

void
OutputPlace::Commit()
{
  for (const Target & target : m_Targets)
  {
    RequireNone(ReasonNotToReplace(target.file));
  }
  const UninterruptedScope scope;
  // The header is moved last, so that it never refers to missing files. It is the named file, but for .img.
  std::vector<const Target *> order;
  for (const Target & target : m_Targets)
  {
    order.push_back(&target);
  }
  if (!HasEnding(m_Targets.front().file, ".img"))
  {
    std::reverse(order.begin(), order.end());
  }
  for (const Target * const target : order)
  {
    if (!target->staged.empty())
    {
      MoveIntoPlace(target->staged, target->file);
    }
  }
  NoteOutputIsWritten();
}

void
OutputPlace::RemoveOld()
{
  const fs::path & file = m_Targets.front().file;
  if (fs::exists(file))
  {
    RequireNone(ReasonNotToReplace(file));
    std::ofstream(this->GetStagedPath()).close();
    TakePermissionsOf(this->GetStagedPath(), file);
    fs::remove(file);
  }
}

StagedFile::StagedFile(std::shared_ptr<OutputPlace> place)
  : m_Place(std::move(place))
{}

void
StagedFile::Commit()
{
  CallToWrite(m_Place->GetPath(), [this] { m_Place->Commit(); });
}

OutputFile::OutputFile(const std::string & path)
  : m_Place(CallToWrite(ToPath(path), [&] { return std::make_shared<OutputPlace>(ToPath(path)); }))
{}

std::string
OutputFile::GetPath() const
{
  return m_Place->GetPath().string();
}

StagedFile
OutputFile::Stage(const std::function<void(const std::string &)> & write) const
{
  ThrowIfInterrupted();
  return CallToWrite(m_Place->GetPath(), [&] {
    std::string printed;
    {
      // The libraries of NIfTI and HDF5 also print errors that are thrown; this program reports them in its own words.
      const ErrorStreamCapture errors;
      write(m_Place->GetStagedPath().string());
      printed = errors.TakeText();
    }
    if (!printed.empty())
    {
      Warn(m_Place->GetPath().string() + ": " + OneLine(printed));
    }
    ThrowIfInterrupted();
    m_Place->Prepare();
    return StagedFile(m_Place);
  });
}

void
OutputFile::Write(const std::function<void(const std::string &)> & write) const
{
  this->Stage(write).Commit();
}

void
OutputFile::RemoveOld() const
{
  CallToWrite(m_Place->GetPath(), [this] { m_Place->RemoveOld(); });
}

FilesOfRun::FilesOfRun()
{
  const std::string identity = IdentityOfStandardOutput();
  if (!identity.empty())
  {
    m_Files[identity] = { "the file that standard output goes to", false };
  }
}

void
FilesOfRun::AddInput(const std::string & path)
{
  if (path.empty())
  {
    return;
  }
  try
  {
    for (const fs::path & file : FilesToRead(ToPath(path)))
    {
      const Use    input{ "the input " + Describe(file, ToPath(path)), false };
      const auto & use = m_Files.emplace(IdentityOf(file), input).first->second;
      if (use.isOutput)
      {
        throw UserError(use.description + " would overwrite " + input.description);
      }
    }
  }
  catch (const fs::filesystem_error & error)
  {
    throw UserError("cannot read " + path + ": " + ReasonOf(error));
  }
}

OutputFile
FilesOfRun::AddOutput(const std::string & path)
{
  const fs::path place = ToPath(path);
  CallToWrite(place, [&] {
    for (const fs::path & file : FilesToWrite(place))
    {
      const auto [other, isNew] = m_Files.emplace(IdentityOf(file), Use{ "the output " + Describe(file, place), true });
      const std::string subject = file == place ? "it" : "its file " + file.string();
      RequireNone(isNew ? "" : subject + " would overwrite " + other->second.description);
    }
  });
  return OutputFile(path);
}

std::unique_ptr<OutputFile>
FilesOfRun::AddTextOutput(const std::string & path)
{
  if (path == "-")
  {
    RequireStandardOutput();
  }
  return path.empty() || path == "-" ? nullptr : std::make_unique<OutputFile>(this->AddOutput(path));
}

void
OutputFiles::Add(FilesOfRun & files, const std::string & path)
{
  constexpr std::size_t mostKept = 100;
  OutputFile            file = files.AddOutput(path);
  if (m_Kept.size() < mostKept)
  {
    m_Kept.emplace(path, std::move(file));
  }
}

OutputFile
OutputFiles::Get(const std::string & path) const
{
  const auto found = m_Kept.find(path);
  return found == m_Kept.end() ? OutputFile(path) : found->second;
}

void
WriteText(const OutputFile * file, const std::string & text)
{
  if (file == nullptr)
  {
    WriteToStandardOutput(text);
    return;
  }
  file->Write([&](const std::string & name) { WriteBytes(name, text); });
}

} // namespace cudaneuro::files
