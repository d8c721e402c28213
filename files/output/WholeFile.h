// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_output_WholeFile_h
#define files_output_WholeFile_h

#include <functional>
#include <iosfwd>
#include <string>

namespace cudaneuro::files
{

/** Writes files in one go, within OutputFile::Stage. Both functions throw std::system_error if the file cannot be
 * written completely. */

void
WriteBytes(const std::string & path, const std::string & bytes);

/** Writes lines of text to a stream. Numbers have all digits of a double, so that reading gives the same number. */
void
WriteLines(const std::string & path, const std::function<void(std::ostream &)> & write);

} // namespace cudaneuro::files

#endif
