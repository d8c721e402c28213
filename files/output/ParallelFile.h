// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_output_ParallelFile_h
#define files_output_ParallelFile_h

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace cudaneuro::files
{

/** The most bytes that are compressed by one thread at a time: a multiple of what a compressed block holds. */
constexpr std::size_t bytesOfPiece = std::size_t{ 16 } * 65520;

/** What a file will consist of: a header, and many bytes after it. */
struct FileContent
{
  std::string   header;
  std::uint64_t bytes = 0;
  /** Where the bytes lie, if they lie in memory as they are written. */
  const char * memory = nullptr;
  /** Else, copies some of the bytes, from one of them on, to a place. Begin and count are multiples of bytesOfPart, but
   * at the end. Threads call it at the same time. */
  std::function<void(std::uint64_t begin, std::size_t count, char * to)> copy;
  /** What is copied at a time. Larger parts are compressed in pieces. */
  std::size_t bytesOfPart = bytesOfPiece;
  /** Most parts that are in memory at a time; 0 is one more than there are cores. */
  unsigned int partsAtOnce = 0;
};

/** Writes a file, by as many threads as there are cores. Where its name ends with .gz, it is compressed to one gzip
 * member, without name and time: the same bytes in the same parts give the same file.
 * \throws std::system_error, Interrupted */
void
WriteInParallel(const std::string & path, const FileContent & content);

} // namespace cudaneuro::files

#endif
