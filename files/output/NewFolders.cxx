// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/output/NewFolders.h"

#include "files/system/SystemFile.h"
#include "files/base/Errors.h"

namespace cudaneuro::files
{

namespace fs = std::filesystem;

NewFolders::NewFolders()
  : m_CleanUpScope([this] { this->RemoveEmpty(); })
{}

NewFolders::~NewFolders()
{
  this->RemoveEmpty();
}

void
NewFolders::Make(const fs::path & name)
{
  // The last part of "folder/" is empty.
  const fs::path    path = name.has_filename() ? name : name.parent_path();
  const std::string reason = ReasonForNoFolder(fs::absolute(path).parent_path());
  if (!reason.empty())
  {
    throw UserError("cannot write " + path.string() + ": " + reason);
  }
  if (fs::exists(path) && !fs::is_directory(path))
  {
    throw UserError("cannot write " + path.string() + ": it is no folder");
  }
  const UninterruptedScope scope;
  std::error_code          error;
  if (fs::create_directory(path, error))
  {
    m_Made.push_back(path);
  }
  else if (error)
  {
    throw UserError("cannot write " + path.string() + ": " + error.message());
  }
}

void
NewFolders::RemoveEmpty()
{
  for (auto folder = m_Made.rbegin(); folder != m_Made.rend(); ++folder)
  {
    // Fails for a folder that has files.
    std::error_code error;
    fs::remove(*folder, error);
  }
}

} // namespace cudaneuro::files
