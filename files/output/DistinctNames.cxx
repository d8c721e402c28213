// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/output/DistinctNames.h"

#include "files/base/FormatFiles.h"
#include "files/input/InputFile.h"
#include "files/system/SystemFile.h"

#include <map>
#include <set>

namespace cudaneuro::files
{

namespace
{

std::string
NameOf(const std::string & path)
{
  const std::string file = ToPath(path).filename().string();
  const std::string markups = ".mrk.json";
  const std::size_t ending = HasEnding(file, markups) ? markups.size() : EndingOf(file).size();
  return file.substr(0, file.size() - ending);
}

} // namespace

std::vector<std::string>
DistinctNames(const std::vector<std::string> & paths)
{
  std::vector<std::string>   names;
  std::multiset<std::string> taken;
  for (const std::string & path : paths)
  {
    taken.insert(Lower(names.emplace_back(NameOf(path))));
  }
  const std::multiset<std::string> given = taken;
  std::map<std::string, int>       numbers;
  for (std::string & name : names)
  {
    const std::string common = name;
    if (given.count(Lower(common)) > 1)
    {
      do
      {
        name = common + '_' + std::to_string(++numbers[Lower(common)]);
      } while (taken.count(Lower(name)) > 0);
      taken.insert(Lower(name));
    }
  }
  return names;
}

bool
IsPartOfFileName(const std::string & name)
{
  return name != "." && name != ".." && name.find_first_of("/\\") == std::string::npos;
}

} // namespace cudaneuro::files
