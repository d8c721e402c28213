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

/** Shared by the checks of all input formats: opening, sizes, and refusing a file by name.
 *
 * Headers are checked here before ITK's readers see them, which overflow buffers, run forever or take missing voxels
 * for zeros with some damaged files (Documentation/itk-reader-reports.md). */

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

/** Checks that there is a regular file that can be opened, through symbolic links. Reading a FIFO could wait for
 * ever, and reading a device never end.
 * \param headerPath the file that names it as the one with its voxels, if there is another
 * \return its size in bytes
 * \throws UserError that names the files */
std::uint64_t
CheckRegularFile(const std::string & path, const std::string & headerPath = "");

/** The ending of a file's name that tells its format, in lower case, with what stands before .gz: ".nii.gz". */
std::string
EndingOf(const std::string & path);

/** Reads the first bytes of a file, decompressed where it is a gzip file; fewer where it ends.
 * \param isGzip is set to whether it is one, if given
 * \throws UserError where it cannot be decompressed */
std::string
ReadStart(const std::string & path, std::size_t bytes, bool * isGzip = nullptr);

/** Removes the byte order mark at the front of a text.
 * \throws UserError for text of 16 bits */
void
TakeMark(const std::string & path, std::string & text);

/** Reads a file, decompressed where it is a gzip file.
 * \throws UserError where it is cut short or cannot be decompressed */
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

/** Checks that a file of some size has so many bytes from an offset on.
 * \throws UserError as RefuseCutShort */
void
RequireBytes(const std::string & path, std::uint64_t size, std::uint64_t offset, std::uint64_t bytes);

/** The product of numbers that are not 0, or the largest 64-bit number where the product is larger. */
std::uint64_t
SaturatedProduct(const std::vector<std::uint64_t> & factors);

/** The sum of two numbers, or the largest 64-bit number where the sum is larger. */
std::uint64_t
SaturatedSum(std::uint64_t a, std::uint64_t b);

/** Checks a number of a header that is a length or a position, in mm or a unit of its own: finite, and of a
 * magnitude up to 1e12, so that products of three of them, which determinants are, stay finite in single precision. */
void
CheckCoordinate(const std::string & path, const std::string & field, double value);

/** Checks a distance of voxels: from 1e-12, so that products of three do not vanish, to 1e12. */
void
CheckSpacing(const std::string & path, const std::string & field, double value);

/** Checks that a text is one finite number, and returns it. */
double
ParseNumber(const std::string & path, const std::string & field, const std::string & text);

/** Checks that a text is one whole number of a range, and returns it. */
std::int64_t
ParseInteger(const std::string & path,
             const std::string & field,
             const std::string & text,
             std::int64_t        smallest,
             std::int64_t        largest);

} // namespace cudaneuro::files

#endif
