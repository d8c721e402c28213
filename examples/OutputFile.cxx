// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "OutputFile.h"

#include "ProgramSupport.h"

#include <fstream>
#include <iostream>
#include <random>

namespace fs = std::filesystem;

namespace
{

fs::path
FolderOf(const fs::path & path)
{
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

std::string
ReasonOf(const std::exception & error)
{
  if (const auto * const system = dynamic_cast<const std::system_error *>(&error))
  {
    return system->code().message();
  }
  const auto * const itkError = dynamic_cast<const itk::ExceptionObject *>(&error);
  return OneLine(itkError != nullptr ? itkError->GetDescription() : error.what());
}

ProgramError
CannotWrite(const fs::path & path, const std::exception & error)
{
  return ProgramError("cannot write " + path.string() + ": " + ReasonOf(error));
}

void
MoveAll(const fs::path & from, const fs::path & file)
{
  if (!fs::exists(from / file.filename()))
  {
    throw std::runtime_error("the writer left no file");
  }
  // The named file comes last, so that it never refers to others that are not there.
  for (const fs::directory_entry & entry : fs::directory_iterator(from))
  {
    if (entry.path().filename() != file.filename())
    {
      fs::rename(entry.path(), FolderOf(file) / entry.path().filename());
    }
  }
  fs::rename(from / file.filename(), file);
}

} // namespace

/** A new folder beside a file, which is removed with all that it contains. */
class StagingFolder
{
public:
  explicit StagingFolder(const fs::path & file)
  {
    std::random_device random;
    for (int attempt = 0; attempt < 100; ++attempt)
    {
      m_Path = FolderOf(file) / (".cudaneuro-" + std::to_string(random()));
      if (fs::create_directory(m_Path))
      {
        return;
      }
    }
    throw std::runtime_error("no temporary folder can be made beside it");
  }
  ~StagingFolder()
  {
    std::error_code ignored;
    fs::remove_all(m_Path, ignored);
  }
  StagingFolder(const StagingFolder &) = delete;
  StagingFolder &
  operator=(const StagingFolder &) = delete;

  const fs::path &
  GetPath() const
  {
    return m_Path;
  }

private:
  CleanUpScope m_CleanUpScope;
  fs::path     m_Path;
};

OutputFile::OutputFile(const std::string & path)
  : m_Path(path)
{
  const fs::path folder = FolderOf(m_Path);
  if (!m_Path.has_filename() || fs::is_directory(m_Path))
  {
    throw ProgramError("cannot write " + path + ": it is the name of a folder");
  }
  if (!fs::is_directory(folder))
  {
    throw ProgramError("cannot write " + path + ": there is no folder " + folder.string());
  }
  try
  {
    const StagingFolder attempt(m_Path);
  }
  catch (const std::exception & error)
  {
    throw CannotWrite(m_Path, error);
  }
}

StagedFile
OutputFile::Stage(const std::function<void(const std::string &)> & write) const
{
  ThrowIfInterrupted();
  try
  {
    auto staging = std::make_unique<StagingFolder>(m_Path);
    write((staging->GetPath() / m_Path.filename()).string());
    ThrowIfInterrupted();
    return StagedFile(std::move(staging), m_Path);
  }
  catch (const Interrupted &)
  {
    throw;
  }
  catch (const std::exception & error)
  {
    throw CannotWrite(m_Path, error);
  }
}

void
OutputFile::Write(const std::function<void(const std::string &)> & write) const
{
  this->Stage(write).Commit();
}

StagedFile::StagedFile(std::unique_ptr<StagingFolder> folder, const std::filesystem::path & path)
  : m_Folder(std::move(folder))
  , m_Path(path)
{}

StagedFile::~StagedFile() = default;
StagedFile::StagedFile(StagedFile &&) noexcept = default;
StagedFile &
StagedFile::operator=(StagedFile &&) noexcept = default;

void
StagedFile::Commit()
{
  try
  {
    MoveAll(m_Folder->GetPath(), m_Path);
    m_Folder.reset();
  }
  catch (const std::exception & error)
  {
    throw CannotWrite(m_Path, error);
  }
}

StagedFile
StageText(const OutputFile & file, const std::string & text)
{
  return file.Stage([&](const std::string & name) {
    std::ofstream stream(name, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream)
    {
      throw std::runtime_error("the disk may be full");
    }
  });
}

void
WriteText(const std::string & path, const std::string & text)
{
  if (path == "-")
  {
    std::cout << text << std::flush;
    return;
  }
  StageText(OutputFile(path), text).Commit();
}
