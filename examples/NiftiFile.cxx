// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "NiftiFile.h"

#include "ProgramSupport.h"
#include "itk_zlib.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace
{

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

double
FiniteOrZero(float value)
{
  return std::isfinite(value) ? static_cast<double>(value) : 0.0;
}

/** Nothing for what is no NIfTI-1 header. */
std::optional<NiftiLayout>
LayoutOf(const Header & header)
{
  const std::string magic(&header[344], 3);
  const bool        isSwapped = FieldAt<std::int32_t>(header, 0, false) != static_cast<std::int32_t>(headerBytes);
  if ((magic != "n+1" && magic != "ni1") ||
      FieldAt<std::int32_t>(header, 0, isSwapped) != static_cast<std::int32_t>(headerBytes))
  {
    return std::nullopt;
  }
  NiftiLayout layout;
  layout.isOneFile = magic == "n+1";
  layout.offset = static_cast<std::uint64_t>(std::max(0.0f, FieldAt<float>(header, 108, isSwapped)));
  layout.isSwapped = isSwapped;
  layout.datatype = FieldAt<std::int16_t>(header, 70, isSwapped);
  layout.bytesPerVoxel =
    static_cast<std::uint64_t>(std::max<std::int16_t>(0, FieldAt<std::int16_t>(header, 72, isSwapped)) / 8);
  layout.slope = FiniteOrZero(FieldAt<float>(header, 112, isSwapped));
  layout.intercept = FiniteOrZero(FieldAt<float>(header, 116, isSwapped));
  layout.bytes = layout.bytesPerVoxel;
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

/** What is wrong with a file that has fewer bytes than it should; nothing when all is well. */
std::string
Complaint(std::uint64_t found, std::uint64_t expected)
{
  return found < expected
           ? "it is cut short; there are " + std::to_string(found) + " bytes of " + std::to_string(expected)
           : std::string();
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

/** Reverses the bytes of each number. */
void
SwapBytes(char * data, std::size_t bytes, std::uint64_t bytesPerNumber)
{
  for (std::size_t i = 0; i + bytesPerNumber <= bytes; i += bytesPerNumber)
  {
    std::reverse(data + i, data + i + bytesPerNumber);
  }
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

std::optional<NiftiLayout>
ReadNiftiLayout(const std::string & path)
{
  Header       header;
  const GzFile file = Open(path);
  return file && gzread(file.get(), header.data(), headerBytes) == static_cast<int>(headerBytes) ? LayoutOf(header)
                                                                                                 : std::nullopt;
}

void
ReadNiftiVoxels(const std::string &                                               path,
                const NiftiLayout &                                               layout,
                const std::function<void(const char * data, std::size_t bytes)> & use)
{
  // Small enough for the cache.
  constexpr std::size_t blockVoxels = 1 << 16;
  const GzFile          file = Open(path);
  const std::uint64_t   expected = layout.offset + layout.bytes;
  if (!file)
  {
    throw std::runtime_error(Complaint(0, expected));
  }
  gzbuffer(file.get(), 1 << 18);
  std::uint64_t     found = CountBytes(file.get(), layout.offset);
  std::vector<char> block(blockVoxels * layout.bytesPerVoxel);
  while (found < expected)
  {
    ThrowIfInterrupted();
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), expected - found));
    const int  got = gzread(file.get(), block.data(), static_cast<unsigned int>(wanted));
    found += static_cast<std::uint64_t>(std::max(0, got));
    if (got < 0 || static_cast<std::size_t>(got) != wanted)
    {
      throw std::runtime_error(Complaint(found, expected));
    }
    if (layout.isSwapped)
    {
      SwapBytes(block.data(), wanted, layout.bytesPerVoxel);
    }
    use(block.data(), wanted);
  }
}

std::string
FindMissingBytes(const std::string & niftiPath)
{
  Header    header;
  GzFile    file = Open(niftiPath);
  const int got = file ? gzread(file.get(), header.data(), headerBytes) : 0;
  if (got < static_cast<int>(headerBytes))
  {
    return Complaint(std::max(0, got), headerBytes);
  }
  const std::optional<NiftiLayout> layout = LayoutOf(header);
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
    return Complaint(0, expected);
  }
  // Files that are not compressed need not be read.
  return Complaint(gzdirect(file.get()) ? std::filesystem::file_size(path)
                                        : found + CountBytes(file.get(), expected - found),
                   expected);
}
