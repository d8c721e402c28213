// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/output/StagingFolder.h"

#include "files/system/SystemFile.h"
#include "files/base/Errors.h"

#include <string>
#include <system_error>
#include <vector>

namespace cudaneuro::files
{

namespace fs = std::filesystem;

namespace
{

/** Returns the beginning of the names of folders for a file. File systems limit names to 255 bytes. */
std::string
PrefixFor(const fs::path & file)
{
  constexpr std::size_t most = 200;
  return '.' + file.filename().string().substr(0, most) + ".unfinished-";
}

std::vector<fs::path>
FilesIfAny(const fs::path & path)
{
  try
  {
    return FilesOfFolder(path);
  }
  catch (const std::system_error &)
  {
    return {};
  }
}

/** Removes a folder to which other threads may still be adding files. */
void
RemoveFolder(const fs::path & path)
{
  constexpr int   attempts = 100;
  std::error_code error;
  for (int i = 0; i < attempts && fs::exists(fs::symlink_status(path, error)); ++i)
  {
    const std::vector<fs::path> files = FilesIfAny(path);
    CloseToRemove(files);
    for (const fs::path & file : files)
    {
      fs::remove_all(file, error);
    }
    fs::remove(path, error);
  }
}

void
RemoveUnfinished(const fs::path & file)
{
  const std::string prefix = PrefixFor(file);
  std::error_code   error;
  for (const fs::path & path : FilesIfAny(file.parent_path()))
  {
    if (path.filename().string().rfind(prefix, 0) != 0 || !fs::is_directory(path, error))
    {
      continue;
    }
    const FolderLock lock = LockFolder(path);
    if (lock.state == FolderLock::State::Held)
    {
      RemoveFolder(path);
      UnlockFolder(lock.handle);
      Warn("removed " + path.string() + ", which a run that was killed had left");
    }
    else if (lock.state == FolderLock::State::Unknown)
    {
      Warn(path.string() + " may have been left by a run that was killed; remove it if no program is writing " +
           file.filename().string());
    }
  }
}

} // namespace

StagingFolder::StagingFolder(const fs::path & file)
  : m_CleanUpScope([this] { this->Remove(); })
{
  RemoveUnfinished(file);
  constexpr int attempts = 100;
  for (int i = 0; i < attempts; ++i)
  {
    const fs::path path = file.parent_path() / (PrefixFor(file) + std::to_string(GetProcessNumber()) +
                                                (i == 0 ? "" : "-" + std::to_string(i)));
    // Another program that finds the folder before it is locked removes it as abandoned.
    const UninterruptedScope scope;
    if (!MakeFolder(path))
    {
      continue;
    }
    const FolderLock lock = LockFolder(path);
    if (lock.state == FolderLock::State::Unknown || (lock.state == FolderLock::State::Held && fs::exists(path)))
    {
      m_Path = path;
      m_Lock = lock.handle;
      return;
    }
    UnlockFolder(lock.handle);
  }
  throw std::runtime_error("no temporary folder can be made beside it");
}

StagingFolder::~StagingFolder()
{
  this->Remove();
  UnlockFolder(m_Lock);
}

void
StagingFolder::Remove()
{
  if (!m_Path.empty())
  {
    RemoveFolder(m_Path);
  }
}

} // namespace cudaneuro::files
