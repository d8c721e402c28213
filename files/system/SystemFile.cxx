// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/system/SystemFile.h"

#include <system_error>

namespace cudaneuro::files
{

namespace fs = std::filesystem;

std::string
NameInFolder(const std::string & folder, const std::string & name)
{
  return (ToPath(folder) / ToPath(name)).generic_string();
}

std::string
NameBeside(const std::string & file, const std::string & name)
{
  return (ToPath(file).parent_path() / ToPath(name)).generic_string();
}

fs::path
FollowLinks(const fs::path & path)
{
  constexpr int mostLinks = 40;
  fs::path      target = fs::absolute(path);
  for (int i = 0; fs::is_symlink(fs::symlink_status(target)); ++i)
  {
    if (i == mostLinks)
    {
      throw fs::filesystem_error("", path, std::make_error_code(std::errc::too_many_symbolic_link_levels));
    }
    target = target.parent_path() / fs::read_symlink(target);
  }
  return fs::weakly_canonical(target.parent_path()) / target.filename();
}

std::string
ReasonForNoFolder(const fs::path & path)
{
  return fs::is_directory(path) ? ""
         : fs::exists(path)     ? path.string() + " is a file, not a folder"
                                : "there is no folder " + path.string();
}

} // namespace cudaneuro::files
