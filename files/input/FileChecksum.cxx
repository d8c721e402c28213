// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/input/FileChecksum.h"

#include "files/base/FormatFiles.h"
#include "files/base/Errors.h"
#include "files/base/Interruption.h"
#include "files/system/SystemFile.h"

#include <libdeflate.h>

#include <fstream>
#include <iomanip>
#include <sstream>
#include <vector>

namespace cudaneuro::files
{

std::string
ChecksumOf(const std::string & path)
{
  std::vector<char> buffer(std::size_t{ 1 } << 20);
  std::uint32_t     sum = 0;
  for (const std::filesystem::path & file : FilesToRead(ToPath(path)))
  {
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
    {
      throw UserError("cannot read " + file.string());
    }
    while (stream)
    {
      ThrowIfInterrupted();
      stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
      sum = libdeflate_crc32(sum, buffer.data(), static_cast<std::size_t>(stream.gcount()));
    }
  }
  std::ostringstream digits;
  digits << std::hex << std::setw(8) << std::setfill('0') << sum;
  return digits.str();
}

} // namespace cudaneuro::files
