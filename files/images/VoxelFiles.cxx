// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/VoxelFiles.h"

#include "files/base/NumberTypes.h"
#include "files/input/GzipFile.h"
#include "files/input/InputFile.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

namespace cudaneuro::files
{

namespace
{

/** Checks that a text has as many numbers of a type. */
void
CheckNumbers(const VoxelFiles & files, const std::string & path, const std::vector<char> & text)
{
  const std::uint64_t count = files.count / files.paths.size();
  const auto          isBetween = [&](char c) {
    return (c == ',' && files.isNrrd) || std::isspace(static_cast<unsigned char>(c)) != 0;
  };
  auto          at = text.begin();
  std::uint64_t found = 0;
  for (; found < count; ++found)
  {
    at = std::find_if_not(at, text.end(), isBetween);
    const auto end = std::find_if(at, text.end(), isBetween);
    if (at == end)
    {
      RefuseInput(path, "it is cut short; there are " + std::to_string(found) + " numbers of " + std::to_string(count));
    }
    const std::string word(at, end);
    const double      value = ParseNumber(path, "a voxel", word);
    WithComponentType(files.type, [&](auto number) {
      using Limits = std::numeric_limits<decltype(number)>;
      const bool isWhole =
        value == std::trunc(value) && (!files.isNrrd || word.find_first_of(".eExX") == std::string::npos);
      if (value < static_cast<double>(Limits::lowest()) || value > static_cast<double>(Limits::max()) ||
          (Limits::is_integer && !isWhole))
      {
        RefuseField(path, "a voxel", Printable(word), "this is no number of the type that its header has");
      }
    });
    at = end;
  }
}

std::uint64_t
BytesOfFile(const VoxelFiles & files)
{
  return SaturatedProduct({ files.count / files.paths.size(), BytesOf(files.type) });
}

} // namespace

void
CheckSizes(const VoxelFiles & files)
{
  if (files.type == itk::IOComponentEnum::UNKNOWNCOMPONENTTYPE)
  {
    RefuseInput(files.headerPath, "the type of its voxels is none of one number, like float");
  }
  for (const std::string & path : files.paths)
  {
    const std::uint64_t size = CheckRegularFile(path, files.headerPath);
    const bool          isRaw = files.encoding == VoxelEncoding::Raw;
    RequireBytes(path, size, files.offset, isRaw ? BytesOfFile(files) : files.compressedBytes);
    if (files.encoding == VoxelEncoding::Deflated)
    {
      CheckRatio(path, size, BytesOfFile(files));
    }
    else if (!isRaw)
    {
      // Each number has a digit at least.
      RequireBytes(path, size, files.offset, files.count / files.paths.size());
    }
  }
}

void
CheckVoxels(const VoxelFiles & files)
{
  for (const std::string & path : files.paths)
  {
    if (files.encoding == VoxelEncoding::Deflated || files.encoding == VoxelEncoding::Text)
    {
      const std::uint64_t rest = CheckRegularFile(path) - files.offset;
      const auto data = ReadBytes(path, files.offset, files.compressedBytes > 0 ? files.compressedBytes : rest);
      files.encoding == VoxelEncoding::Text
        ? CheckNumbers(files, path, data)
        : CheckInflated(path, data, SaturatedSum(files.skippedBytes, BytesOfFile(files)));
    }
  }
}

} // namespace cudaneuro::files
