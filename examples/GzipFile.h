// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef GzipFile_h
#define GzipFile_h

#include <string>

/** What a file that is compressed consists of. */
enum class GzipContent
{
  Any,
  /** Real numbers, where repetitions other than of one byte are rare: only those are looked for, which takes a third of
   * the time. */
  RealNumbers
};

/** Compresses a file to a gzip file, on all cores: blocks are compressed independently of each other, each with the end
 * of the one before as its dictionary, and make one ordinary stream.
 * \throws std::runtime_error, Interrupted */
void
CompressFile(const std::string & from, const std::string & to, GzipContent content);

#endif
