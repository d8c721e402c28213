// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "FormatFiles.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;

namespace
{

std::string
Lower(std::string text)
{
  std::transform(
    text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string
Trimmed(const std::string & text)
{
  const std::size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

/** What stands for the voxels of a named file, when that is written: { ".mhd", ".raw" }. */
struct Companion
{
  const char * ending;
  const char * other;
};

constexpr Companion companions[] = { { ".mhd", ".raw" }, { ".nhdr", ".raw" },      { ".hdr", ".img" },
                                     { ".img", ".hdr" }, { ".hdr.gz", ".img.gz" }, { ".img.gz", ".hdr.gz" } };

/** The other of two files whose names follow from each other, or an empty path. */
fs::path
CompanionOf(const fs::path & path)
{
  for (const Companion & companion : companions)
  {
    if (HasEnding(path, companion.ending))
    {
      const std::string name = path.string();
      return name.substr(0, name.size() - std::string(companion.ending).size()) + companion.other;
    }
  }
  return {};
}

/** The names in a line after "ElementDataFile =" or "data file:". Those of numbered files, as "slice%03d.raw 1 20 1",
 * are counted out. */
std::vector<std::string>
NamesIn(const std::string & value)
{
  const std::size_t  percent = value.find('%');
  const std::size_t  d = percent == std::string::npos ? percent : value.find('d', percent);
  std::istringstream numbers(d == std::string::npos ? "" : value.substr(std::min(value.size(), value.find(' ', d))));
  constexpr int      mostFiles = 100000;
  int                first = 0;
  int                last = -1;
  int                step = 1;
  if (d == std::string::npos || !(numbers >> first >> last))
  {
    return { value };
  }
  numbers >> step;
  const bool               isZeroFilled = value[percent + 1] == '0';
  const std::size_t        width = static_cast<std::size_t>(std::atoi(value.substr(percent + 1, d).c_str()));
  const std::string        after = value.substr(d + 1, value.find(' ', d) - d - 1);
  std::vector<std::string> names;
  for (int i = first; step > 0 && i <= last && i - first < mostFiles; i += step)
  {
    std::string number = std::to_string(i);
    number.insert(0, width - std::min(width, number.size()), isZeroFilled ? '0' : ' ');
    names.push_back(value.substr(0, percent) + number + after);
  }
  return names;
}

/** The files that a text header says hold the voxels. */
std::vector<std::string>
DataFilesNamedBy(const fs::path & header, const std::string & key, char separator)
{
  std::vector<std::string> names;
  std::ifstream            file(header, std::ios::binary);
  std::string              line;
  constexpr int            mostLines = 100000;
  bool                     isList = false;
  for (int i = 0; i < mostLines && std::getline(file, line); ++i)
  {
    const std::size_t end = line.find(separator);
    if (isList)
    {
      names.push_back(Trimmed(line));
    }
    else if (end != std::string::npos && Lower(Trimmed(line.substr(0, end))) == key)
    {
      const std::string value = Trimmed(line.substr(end + 1));
      isList = value.rfind("LIST", 0) == 0;
      names = isList || Lower(value) == "local" ? names : NamesIn(value);
    }
    else if (line.find('\0') != std::string::npos)
    {
      break; // no text
    }
  }
  return names;
}

} // namespace

bool
HasEnding(const fs::path & path, const std::string & ending)
{
  const std::string name = Lower(path.filename().string());
  return name.size() > ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
}

std::vector<fs::path>
FilesToWrite(const fs::path & path)
{
  const fs::path companion = CompanionOf(path);
  return companion.empty() ? std::vector<fs::path>{ path } : std::vector<fs::path>{ path, companion };
}

std::vector<fs::path>
FilesToRead(const fs::path & path)
{
  std::error_code       ignored;
  std::vector<fs::path> files{ path };
  const bool            isMeta = HasEnding(path, ".mhd");
  if (isMeta || HasEnding(path, ".nhdr"))
  {
    if (fs::is_regular_file(path, ignored))
    {
      const char * const key = isMeta ? "elementdatafile" : "data file";
      for (const std::string & name : DataFilesNamedBy(path, key, isMeta ? '=' : ':'))
      {
        files.push_back(path.parent_path() / name);
      }
    }
  }
  else if (const fs::path companion = CompanionOf(path); fs::exists(companion, ignored))
  {
    files.push_back(companion);
  }
  return files;
}
