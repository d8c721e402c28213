// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_input_CsvLines_h
#define files_input_CsvLines_h

#include <cstddef>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** The lines of a table of text. */

/** A line. It joins several lines of the file, with blanks, if a value in quotation marks has line breaks. */
struct CsvLine
{
  /** Counted from 1. */
  std::size_t number = 0;
  std::string text;
};

/** Reads the lines of a file, with line ends of any system.
 * \throws UserError that names a file that is no text */
std::vector<CsvLine>
ReadCsvLines(const std::string & path);

/** \throws UserError that names the file and the line */
[[noreturn]] void
RefuseLine(const std::string & path, std::size_t line, const std::string & reason);

inline bool
IsBlank(char c)
{
  return c == ' ' || c == '\t';
}

} // namespace cudaneuro::files

#endif
