// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_input_InputFile_h
#define files_input_InputFile_h

#include "files/base/LargeMemory.h"
#include "files/base/Text.h"

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** Checks for all input formats: opening, sizes, and refusing a file by name.
 *
 * Headers are checked before ITK's readers see them, because these overflow buffers, run forever or read missing voxels
 * as zeros with some damaged files (Documentation/itk-reader-reports.md). */

/** Throws the UserError "cannot read PATH: REASON". */
[[noreturn]] void
RefuseInput(const std::string & path, const std::string & reason);

/** Refuses a file for a field of its header: "FIELD is VALUE; EXPECTED". */
template <typename TValue>
[[noreturn]] void
RefuseField(const std::string & path, const std::string & field, const TValue & value, const std::string & expected)
{
  std::ostringstream text;
  text << field << " is " << value << "; " << expected;
  RefuseInput(path, text.str());
}

/** Checks that there is a regular file that can be opened, through symbolic links. Reading a FIFO could wait
 * forever, and reading a device never end.
 * \param headerPath the header that names it as its file of voxels, if it does
 * \return its size in bytes
 * \throws UserError that names the files */
std::uint64_t
CheckRegularFile(const std::string & path, const std::string & headerPath = "");

/** Returns the ending of a file name in lower case, with the one before .gz: ".nii.gz". */
std::string
EndingOf(const std::string & path);

/** Reads the first bytes of a file, decompressed if it is a gzip file; fewer if it ends.
 * \param isGzip set to whether it is one, unless null
 * \throws UserError if it cannot be decompressed */
std::string
ReadStart(const std::string & path, std::size_t bytes, bool * isGzip = nullptr);

/** Removes a byte order mark at the beginning of a text.
 * \throws UserError for text of 16 bits */
void
TakeMark(const std::string & path, std::string & text);

/** Reads a file, decompressed if it is a gzip file.
 * \throws UserError if it is truncated or cannot be decompressed */
std::string
ReadInflated(const std::string & path);

/** Reads bytes of a file from an offset on.
 * \throws UserError when there are fewer */
std::vector<char>
ReadBytes(const std::string & path, std::uint64_t offset, std::uint64_t bytes);
LargeBuffer
ReadManyBytes(const std::string & path, std::uint64_t offset, std::uint64_t bytes);

/** Refuses a file: "it is cut short; there are FOUND bytes of EXPECTED". */
[[noreturn]] void
RefuseCutShort(const std::string & path, std::uint64_t found, std::uint64_t expected);

/** Checks that a file of a size has a number of bytes from an offset on.
 * \throws UserError of RefuseCutShort */
void
RequireBytes(const std::string & path, std::uint64_t size, std::uint64_t offset, std::uint64_t bytes);

/** Returns the product of numbers that are not 0, or the largest 64-bit number if the product is larger. */
std::uint64_t
SaturatedProduct(const std::vector<std::uint64_t> & factors);

/** Returns the sum of two numbers, or the largest 64-bit number if the sum is larger. */
std::uint64_t
SaturatedSum(std::uint64_t a, std::uint64_t b);

/** Checks a length or a position in a header, in mm or the header's unit: it must be finite, of a magnitude of at most
 * 1e12, so that products of three, as in determinants, stay finite in single precision. */
void
CheckCoordinate(const std::string & path, const std::string & field, double value);

/** Checks a distance of voxels: from 1e-12, so that products of three do not vanish, to 1e12. */
void
CheckSpacing(const std::string & path, const std::string & field, double value);

/** Checks that a text is one finite number, and returns it. */
double
ParseNumber(const std::string & path, const std::string & field, const std::string & text);

/** Checks that a text is one integer of a range, and returns it. */
std::int64_t
ParseInteger(const std::string & path,
             const std::string & field,
             const std::string & text,
             std::int64_t        smallest,
             std::int64_t        largest);

} // namespace cudaneuro::files

#endif
