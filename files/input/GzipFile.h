// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_input_GzipFile_h
#define files_input_GzipFile_h

#include "files/base/LargeMemory.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** Decompression by libdeflate, which is two to three times as fast as zlib. */

/** Bytes that a compressed file may hold beyond what its header announces. */
constexpr std::size_t inflatedSurplus = 1 << 20;

/** Decompresses a gzip file of any number of members, and checks their checksums. Zeros behind a member are skipped;
 * other data is ignored with a warning.
 * \return the announced bytes, and up to inflatedSurplus more that the file holds
 * \throws UserError that names the file if there are fewer or many more, or the data is damaged */
LargeBuffer
ReadGzip(const std::string & path, std::uint64_t announcedBytes);

/** Checks that data of the gzip format or the zlib format is whole, and holds exactly the announced bytes. */
void
CheckInflated(const std::string & path, const std::vector<char> & compressed, std::uint64_t announcedBytes);

/** Checks the ratio of sizes: deflated data has at least a 1032nd of the size of the data.
 * \throws UserError if a file cannot hold what its header announces */
void
CheckRatio(const std::string & path, std::uint64_t compressedBytes, std::uint64_t announcedBytes);

} // namespace cudaneuro::files

#endif
