// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/FormatFiles.h"

#include "files/base/Text.h"
#include "files/system/SystemFile.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <regex>
#include <sstream>

namespace cudaneuro::files
{

namespace fs = std::filesystem;

namespace
{

/** The endings of a written header and of its file of voxels: { ".mhd", ".raw" }. */
struct Companion
{
  const char * ending;
  const char * other;
};

constexpr Companion companions[] = { { ".mhd", ".raw" }, { ".nhdr", ".raw" },      { ".hdr", ".img" },
                                     { ".img", ".hdr" }, { ".hdr.gz", ".img.gz" }, { ".img.gz", ".hdr.gz" } };

/** Returns the other file of a pair such as .hdr and .img, or an empty path. */
fs::path
CompanionOf(const fs::path & path)
{
  for (const Companion & companion : companions)
  {
    if (HasEnding(path, companion.ending))
    {
      const std::string name = path.string();
      const std::size_t stem = name.size() - std::string(companion.ending).size();
      return ToPath(name.substr(0, stem) + InCaseOf(name.substr(stem), companion.other));
    }
  }
  return {};
}

/** Returns the files in the header's folder that a pattern such as slice%03d.raw stands for. */
std::vector<std::string>
NamesLike(const fs::path & header, const std::string & pattern)
{
  std::string like;
  for (std::size_t i = 0; i < pattern.size(); ++i)
  {
    if (pattern[i] == '%')
    {
      i = std::min(pattern.find_first_not_of("0123456789", i + 1), pattern.size() - 1); // the letter after the width
      like += "[ 0-9-]+";
    }
    else
    {
      like += std::isalnum(static_cast<unsigned char>(pattern[i])) ? "" : "\\";
      like += pattern[i];
    }
  }
  const std::regex         expression(like);
  std::vector<std::string> names;
  for (const fs::path & file : FilesOfFolder(header.has_parent_path() ? header.parent_path() : ToPath(".")))
  {
    const std::string name = file.filename().string();
    if (std::regex_match(name, expression))
    {
      names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

/** Returns the files of voxels that a text header names; none if the header's file holds them. */
std::vector<std::string>
DataFilesNamedBy(const fs::path & header, const std::string & key, char separator)
{
  constexpr std::size_t mostBytes = 1 << 20;
  std::string           start(mostBytes, '\0');
  std::ifstream         file(header, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  std::istringstream text(start);
  std::string        line;
  while (std::getline(text, line))
  {
    const std::size_t end = line.find(separator);
    if (end != std::string::npos && Replaced(Lower(Trimmed(line.substr(0, end))), " ", "") == key)
    {
      const std::string        value = Trimmed(line.substr(end + 1));
      std::vector<std::string> names;
      if (value.rfind("LIST", 0) == 0)
      {
        while (std::getline(text, line) && !Trimmed(line).empty())
        {
          names.push_back(Trimmed(line));
        }
        return names;
      }
      const bool isPattern = value.find('%') != std::string::npos;
      return Lower(value) == "local" ? names
             : isPattern             ? NamesLike(header, value.substr(0, value.find(' ')))
                                     : std::vector<std::string>{ value };
    }
    if (line.find('\0') != std::string::npos || (separator == ':' && Trimmed(line).empty()))
    {
      break; // no text, or the end of a header of NRRD
    }
  }
  return {};
}

/** Returns a file that is there, or else its compressed form, which readers take in its place. */
fs::path
FileOrCompressed(const fs::path & file)
{
  std::error_code ignored;
  const fs::path  compressed = file.string() + ".gz";
  return !fs::exists(file, ignored) && fs::exists(compressed, ignored) ? compressed : file;
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
  const bool            isMeta = HasEnding(path, ".mhd") || HasEnding(path, ".mha");
  if (fs::is_directory(path, ignored)) // of a series of DICOM
  {
    files = FilesOfFolder(path);
    files.erase(std::remove_if(files.begin(),
                               files.end(),
                               [&](const fs::path & file) { return !fs::is_regular_file(file, ignored); }),
                files.end());
    std::sort(files.begin(), files.end());
  }
  else if (isMeta || HasEnding(path, ".nhdr") || HasEnding(path, ".nrrd"))
  {
    const auto names = fs::is_regular_file(path, ignored)
                         ? DataFilesNamedBy(path, isMeta ? "elementdatafile" : "datafile", isMeta ? '=' : ':')
                         : std::vector<std::string>();
    for (const std::string & name : names)
    {
      files.push_back(FileOrCompressed(path.parent_path() / ToPath(name)));
    }
  }
  else if (const fs::path companion = CompanionOf(path); !companion.empty())
  {
    const fs::path file = FileOrCompressed(companion);
    if (fs::exists(file, ignored))
    {
      files.push_back(file);
    }
  }
  return files;
}

} // namespace cudaneuro::files
