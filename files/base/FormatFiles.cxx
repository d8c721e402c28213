// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/FormatFiles.h"

#include "files/base/Text.h"
#include "files/system/SystemFile.h"

#include <fstream>
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

/** Returns the file of voxels that a text header names, or an empty name if the header's file holds them. Lists and
 * patterns of files are ignored, so that there is one at most. */
std::string
DataFileNamedBy(const fs::path & header, const std::string & key, char separator)
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
      const std::string value = Trimmed(line.substr(end + 1));
      return Lower(value) == "local" ? "" : value;
    }
    if (line.find('\0') != std::string::npos || (separator == ':' && Trimmed(line).empty()))
    {
      break; // no text, or the end of a header of NRRD
    }
  }
  return "";
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
  if (isMeta || HasEnding(path, ".nhdr") || HasEnding(path, ".nrrd"))
  {
    const std::string name = fs::is_regular_file(path, ignored)
                               ? DataFileNamedBy(path, isMeta ? "elementdatafile" : "datafile", isMeta ? '=' : ':')
                               : "";
    if (!name.empty())
    {
      files.push_back(path.parent_path() / ToPath(name));
    }
  }
  else if (const fs::path companion = CompanionOf(path); fs::exists(companion, ignored))
  {
    files.push_back(companion);
  }
  return files;
}

} // namespace cudaneuro::files
