// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/input/InputFile.h"

#include "itk_zlib.h"
#include "files/base/Errors.h"
#include "files/base/ParallelParts.h"
#include "files/system/SystemFile.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <memory>

namespace cudaneuro::files
{

void
RefuseInput(const std::string & path, const std::string & reason)
{
  // Texts of a damaged file may have bytes that would end the line.
  std::string text = "cannot read " + path + ": " + reason;
  std::replace_if(
    text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  throw UserError(text);
}

void
RefuseCutShort(const std::string & path, std::uint64_t found, std::uint64_t expected)
{
  RefuseInput(path, "it is cut short; there are " + std::to_string(found) + " bytes of " + std::to_string(expected));
}

void
RequireBytes(const std::string & path, std::uint64_t size, std::uint64_t offset, std::uint64_t bytes)
{
  if (offset > size || bytes > size - offset)
  {
    RefuseCutShort(path, size - std::min(size, offset), bytes);
  }
}

namespace
{

/** Returns why a file is missing; git-annex has links to files that it has not fetched. */
std::string
ReasonForMissing(const std::filesystem::path & path)
{
  std::error_code error;
  if (!std::filesystem::is_symlink(std::filesystem::symlink_status(path, error)))
  {
    return "there is no such file";
  }
  const std::string target = std::filesystem::read_symlink(path, error).string();
  return "it is a link to " + target + ", which is not there" +
         (target.find(".git/annex") != std::string::npos ? "; \"git annex get\" fetches it" : "");
}

} // namespace

std::uint64_t
CheckRegularFile(const std::string & path, const std::string & headerPath)
{
  namespace fs = std::filesystem;
  const auto refuse = [&](const std::string & reason) {
    headerPath.empty() || headerPath == path ? RefuseInput(path, reason)
                                             : RefuseInput(headerPath, "its voxels are in " + path + ", and " + reason);
  };
  static const std::map<fs::file_type, std::string> reasons{
    { fs::file_type::directory, "it is a folder" },
    { fs::file_type::fifo, "it is a FIFO; inputs are regular files" },
    { fs::file_type::socket, "it is a socket; inputs are regular files" },
    { fs::file_type::block, "it is a device; inputs are regular files" },
    { fs::file_type::character, "it is a device; inputs are regular files" },
  };
  std::error_code     error;
  const fs::file_type type = fs::status(ToPath(path), error).type();
  if (type == fs::file_type::not_found)
  {
    refuse(ReasonForMissing(ToPath(path)));
  }
  if (type != fs::file_type::regular)
  {
    const auto reason = reasons.find(type);
    refuse(reason != reasons.end() ? reason->second : error ? error.message() : "it is no regular file");
  }
  const auto size = fs::file_size(ToPath(path), error);
  if (error || !IsReadable(ToPath(path)))
  {
    refuse("it cannot be opened; see its permissions");
  }
  return size;
}

std::string
EndingOf(const std::string & path)
{
  std::filesystem::path name = ToPath(path);
  std::string           ending = Lower(name.extension().string());
  if (ending == ".gz")
  {
    ending = Lower(name.replace_extension().extension().string()) + ending;
  }
  return ending;
}

void
TakeMark(const std::string & path, std::string & text)
{
  if (text.rfind("\xFF\xFE", 0) == 0 || text.rfind("\xFE\xFF", 0) == 0)
  {
    RefuseInput(path, "it is text of 16 bits (UTF-16); save it as UTF-8");
  }
  if (text.rfind("\xEF\xBB\xBF", 0) == 0)
  {
    text.erase(0, 3);
  }
}

std::string
ReadStart(const std::string & path, std::size_t bytes, bool * isGzip)
{
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  std::string                                      start(bytes, '\0');
  const int got = file ? gzread(file.get(), start.data(), static_cast<unsigned int>(bytes)) : -1;
  if (got < 0)
  {
    RefuseInput(path, "it cannot be decompressed: its gzip data is damaged");
  }
  start.resize(static_cast<std::size_t>(got));
  if (isGzip != nullptr)
  {
    *isGzip = gzdirect(file.get()) == 0;
  }
  return start;
}

std::string
ReadInflated(const std::string & path)
{
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  std::string                                      content;
  std::vector<char>                                part(1 << 20);
  int                                              got = file ? 1 : -1;
  while (got > 0)
  {
    got = gzread(file.get(), part.data(), static_cast<unsigned int>(part.size()));
    content.append(part.data(), static_cast<std::size_t>(std::max(got, 0)));
  }
  int error = Z_OK;
  if (got == 0)
  {
    gzerror(file.get(), &error);
  }
  if (got < 0 || error != Z_OK)
  {
    RefuseInput(path, "it cannot be decompressed: its gzip data is cut short or damaged");
  }
  return content;
}

namespace
{

/** Checks that a file has bytes before memory is allocated for them. */
void
RequirePart(const std::string & path, std::uint64_t offset, std::uint64_t bytes)
{
  const std::uint64_t size = CheckRegularFile(path);
  if (offset > size || bytes > size - offset)
  {
    RefuseCutShort(path, size, SaturatedSum(offset, bytes));
  }
}

/** Reads bytes of a file; several threads read large parts. */
void
ReadPart(const std::string & path, std::uint64_t offset, std::uint64_t bytes, char * to)
{
  constexpr std::uint64_t smallestPart = 4 << 20;
  std::atomic<bool>       isRead = true;
  ForParts(bytes, smallestPart, [&](std::uint64_t begin, std::uint64_t end) {
    std::ifstream file(path, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(offset + begin));
    if (!file.read(to + begin, static_cast<std::streamsize>(end - begin)))
    {
      isRead = false;
    }
  });
  if (!isRead)
  {
    RefuseInput(path, "reading it failed");
  }
}

} // namespace

std::vector<char>
ReadBytes(const std::string & path, std::uint64_t offset, std::uint64_t bytes)
{
  RequirePart(path, offset, bytes);
  std::vector<char> data(bytes);
  ReadPart(path, offset, bytes, data.data());
  return data;
}

LargeBuffer
ReadManyBytes(const std::string & path, std::uint64_t offset, std::uint64_t bytes)
{
  RequirePart(path, offset, bytes);
  LargeBuffer data(bytes);
  ReadPart(path, offset, bytes, data.data());
  return data;
}

std::uint64_t
SaturatedProduct(const std::vector<std::uint64_t> & factors)
{
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t           product = 1;
  for (const std::uint64_t factor : factors)
  {
    product = factor > 0 && product > most / factor ? most : product * factor;
  }
  return product;
}

std::uint64_t
SaturatedSum(std::uint64_t a, std::uint64_t b)
{
  return a + std::min(b, std::numeric_limits<std::uint64_t>::max() - a);
}

void
CheckCoordinate(const std::string & path, const std::string & field, double value)
{
  constexpr double largest = 1e12;
  // The comparison is false for NaN.
  if (!(std::abs(value) <= largest))
  {
    RefuseField(path, field, value, "it must be a number from -1e12 to 1e12");
  }
}

void
CheckSpacing(const std::string & path, const std::string & field, double value)
{
  if (!(value >= 1e-12 && value <= 1e12))
  {
    RefuseField(path, field, value, "it must be a number from 1e-12 to 1e12");
  }
}

double
ParseNumber(const std::string & path, const std::string & field, const std::string & text)
{
  char *       end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || end != text.c_str() + text.size() || !std::isfinite(value))
  {
    RefuseField(path, field, '"' + Printable(text) + '"', "it must be a finite number");
  }
  return value;
}

std::int64_t
ParseInteger(const std::string & path,
             const std::string & field,
             const std::string & text,
             std::int64_t        smallest,
             std::int64_t        largest)
{
  std::int64_t       value = 0;
  const char * const end = text.data() + text.size();
  const auto         parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || value < smallest || value > largest)
  {
    RefuseField(path,
                field,
                '"' + Printable(text) + '"',
                "it must be a whole number from " + std::to_string(smallest) + " to " + std::to_string(largest));
  }
  return value;
}

} // namespace cudaneuro::files
