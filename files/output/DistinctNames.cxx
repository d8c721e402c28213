// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/output/DistinctNames.h"

#include "files/base/FormatFiles.h"
#include "files/input/InputFile.h"

#include <filesystem>
#include <map>
#include <set>

namespace
{

std::string
NameOf(const std::string & path)
{
  const std::string file = std::filesystem::path(path).filename().string();
  const std::string markups = ".mrk.json";
  const std::size_t ending = HasEnding(file, markups) ? markups.size() : EndingOf(file).size();
  return file.substr(0, file.size() - ending);
}

} // namespace

std::vector<std::string>
DistinctNames(const std::vector<std::string> & paths)
{
  std::vector<std::string>   names;
  std::map<std::string, int> count;
  std::set<std::string>      taken;
  for (const std::string & path : paths)
  {
    names.push_back(NameOf(path));
    ++count[Lower(names.back())];
    taken.insert(Lower(names.back()));
  }
  std::map<std::string, int> next;
  for (std::string & name : names)
  {
    const std::string common = name;
    if (count[Lower(common)] > 1)
    {
      do
      {
        name = common + '_' + std::to_string(++next[Lower(common)]);
      } while (!taken.insert(Lower(name)).second);
    }
  }
  return names;
}
