// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "NiftiFile.h"

#include "itk_zlib.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace
{

/** What the header says of the voxels: bytes before them, and of them. */
struct Layout
{
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  /** Whether they are in the header's file, rather than in one that ends with .img. */
  bool isOneFile = true;
};

constexpr std::size_t headerBytes = 348;
using Header = std::array<char, headerBytes>;

template <typename T>
T
FieldAt(const Header & header, std::size_t at, bool isSwapped)
{
  std::array<char, sizeof(T)> bytes;
  std::copy_n(header.begin() + at, sizeof(T), bytes.begin());
  if (isSwapped)
  {
    std::reverse(bytes.begin(), bytes.end());
  }
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

/** Nothing for what is no NIfTI-1 header. */
std::optional<Layout>
LayoutOf(const Header & header)
{
  const std::string magic(&header[344], 3);
  const bool        isSwapped = FieldAt<std::int32_t>(header, 0, false) != static_cast<std::int32_t>(headerBytes);
  if ((magic != "n+1" && magic != "ni1") ||
      FieldAt<std::int32_t>(header, 0, isSwapped) != static_cast<std::int32_t>(headerBytes))
  {
    return std::nullopt;
  }
  Layout layout;
  layout.isOneFile = magic == "n+1";
  layout.offset = static_cast<std::uint64_t>(std::max(0.0f, FieldAt<float>(header, 108, isSwapped)));
  layout.bytes =
    static_cast<std::uint64_t>(std::max<std::int16_t>(0, FieldAt<std::int16_t>(header, 72, isSwapped)) / 8);
  const int dimension = std::clamp<int>(FieldAt<std::int16_t>(header, 40, isSwapped), 0, 7);
  for (int axis = 1; axis <= dimension; ++axis)
  {
    layout.bytes *= std::max<std::int16_t>(1, FieldAt<std::int16_t>(header, 40 + 2 * axis, isSwapped));
  }
  return layout;
}

using GzFile = std::unique_ptr<gzFile_s, int (*)(gzFile)>;

GzFile
Open(const std::string & path)
{
  return GzFile(gzopen(path.c_str(), "rb"), gzclose);
}

/** Reads up to so many bytes, and returns how many there were. */
std::uint64_t
CountBytes(gzFile file, std::uint64_t most)
{
  std::vector<char> block(1 << 20);
  std::uint64_t     count = 0;
  while (count < most)
  {
    const auto wanted = static_cast<unsigned int>(std::min<std::uint64_t>(block.size(), most - count));
    const int  got = gzread(file, block.data(), wanted);
    if (got <= 0)
    {
      break;
    }
    count += static_cast<std::uint64_t>(got);
  }
  return count;
}

/** The file with the voxels of a header's file, which may be compressed when the header is not. */
std::string
PathOfVoxels(const std::string & path)
{
  namespace fs = std::filesystem;
  fs::path stem(path);
  if (stem.extension() == ".gz")
  {
    stem.replace_extension();
  }
  const fs::path plain = stem.replace_extension(".img");
  return (fs::exists(plain) ? plain : fs::path(plain.string() + ".gz")).string();
}

} // namespace

std::string
FindMissingBytes(const std::string & niftiPath)
{
  const auto complaint = [](std::uint64_t found, std::uint64_t expected) {
    return found < expected
             ? "it is cut short; there are " + std::to_string(found) + " bytes of " + std::to_string(expected)
             : std::string();
  };
  Header    header;
  GzFile    file = Open(niftiPath);
  const int got = file ? gzread(file.get(), header.data(), headerBytes) : 0;
  if (got < static_cast<int>(headerBytes))
  {
    return complaint(std::max(0, got), headerBytes);
  }
  const std::optional<Layout> layout = LayoutOf(header);
  if (!layout)
  {
    return "";
  }
  std::string   path = niftiPath;
  std::uint64_t found = headerBytes;
  if (!layout->isOneFile)
  {
    path = PathOfVoxels(niftiPath);
    file = Open(path);
    found = 0;
  }
  const std::uint64_t expected = layout->offset + layout->bytes;
  if (!file)
  {
    return complaint(0, expected);
  }
  // Files that are not compressed need not be read.
  return complaint(gzdirect(file.get()) ? std::filesystem::file_size(path)
                                        : found + CountBytes(file.get(), expected - found),
                   expected);
}
