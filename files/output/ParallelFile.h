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

/** The most bytes that a thread compresses at a time: a multiple of the size of a compressed block. */
constexpr std::size_t bytesOfPiece = std::size_t{ 16 } * 65520;

/** The content of a file to write: a header, and many bytes after it. */
struct FileContent
{
  std::string   header;
  std::uint64_t bytes = 0;
  /** The bytes, if they are in memory in the form to write. */
  const char * memory = nullptr;
  /** Else a function that copies count bytes, from number begin on. Both are multiples of bytesOfPart, except
   * at the end. Threads call it at the same time. */
  std::function<void(std::uint64_t begin, std::size_t count, char * to)> copy;
  /** The size of a copy. Larger parts are compressed in pieces. */
  std::size_t bytesOfPart = bytesOfPiece;
  /** The most parts in memory at a time; 0 stands for the number of cores plus one. */
  unsigned int partsAtOnce = 0;
};

/** Writes a file with as many threads as there are cores. If its name ends with .gz, it is compressed to one gzip
 * member, without name and time, so that the same bytes in the same parts give the same file.
 * \throws std::system_error, Interrupted */
void
WriteInParallel(const std::string & path, const FileContent & content);

} // namespace cudaneuro::files

#endif
