// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/folder/CheckpointFolder.h"

#include "cudaneuro/Atlas.h"
#include "files/system/SystemFile.h"
#include "shared/Files.h"
#include "shared/Messages.h"

#include <algorithm>
#include <system_error>
#include <vector>

namespace fs = std::filesystem;

namespace
{

/** Returns the entries of a folder; none if there is no folder. */
std::vector<fs::directory_entry>
EntriesOf(const fs::path & folder)
{
  std::vector<fs::directory_entry> entries;
  try
  {
    for (const fs::path & path : FilesOfFolder(folder))
    {
      entries.emplace_back(path);
    }
  }
  catch (const std::system_error & error)
  {
    if (error.code() != std::errc::no_such_file_or_directory)
    {
      throw UserError("cannot read the folder " + folder.generic_string() + ": " + error.code().message());
    }
  }
  return entries;
}

bool
IsOfCheckpoint(const fs::directory_entry & entry)
{
  const std::string name = entry.path().filename().string();
  std::error_code   error;
  // Checkpoints of older versions have an alignment.json.
  return fs::is_regular_file(entry.symlink_status(error)) &&
         (cudaneuro::DiffeomorphicAtlas::IsCheckpointFile(name) || name == "alignment.json");
}

void
RemoveFile(const fs::path & path)
{
  std::error_code error;
  fs::remove(path, error);
  if (error)
  {
    throw UserError("cannot remove " + path.generic_string() + ": " + error.message());
  }
}

} // namespace

CheckpointFolder::CheckpointFolder(const fs::path & path)
  : m_Path(path)
{}

bool
CheckpointFolder::HasCheckpoint() const
{
  return cudaneuro::DiffeomorphicAtlas::HasCheckpoint(this->GetPath());
}

void
CheckpointFolder::RequireNothingElse() const
{
  for (const fs::directory_entry & entry : EntriesOf(m_Path))
  {
    if (!IsOfCheckpoint(entry))
    {
      throw UserError(entry.path().generic_string() + " is no part of a checkpoint, and the folder " + this->GetPath() +
                      " is for checkpoints alone: move it elsewhere, or choose another --output-folder or "
                      "--no-checkpoint");
    }
  }
}

void
CheckpointFolder::RequireOutside(const std::string & file) const
{
  const fs::path folder = FollowLinks(m_Path);
  const fs::path target = file.empty() ? fs::path() : FollowLinks(ToPath(file));
  if (std::mismatch(folder.begin(), folder.end(), target.begin(), target.end()).first == folder.end())
  {
    throw UserError(file + " lies in the folder " + this->GetPath() +
                    ", which is for checkpoints alone: choose another place for it, or another --output-folder");
  }
}

void
CheckpointFolder::Remove() const
{
  if (!fs::is_directory(m_Path))
  {
    return;
  }
  // In the order of names, the list is removed before the images, so that the rest is no checkpoint.
  std::vector<fs::directory_entry> entries = EntriesOf(m_Path);
  std::sort(entries.begin(), entries.end());
  for (const fs::directory_entry & entry : entries)
  {
    if (IsOfCheckpoint(entry))
    {
      RemoveFile(entry.path());
    }
  }
  std::error_code ignored;
  if (!fs::is_symlink(m_Path) && fs::is_empty(m_Path, ignored))
  {
    RemoveFile(m_Path);
  }
}
