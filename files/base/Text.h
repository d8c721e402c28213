// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_base_Text_h
#define files_base_Text_h

#include <cstddef>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** Splits a text into words at spaces and tabs. */
std::vector<std::string>
SplitWords(const std::string & text);

/** A text without white space around it. */
std::string
Trimmed(const std::string & text);

/** A text in lower case. */
std::string
Lower(std::string text);

/** A text with capitals where another text has them: ".IMG" beside ".HDR". */
std::string
InCaseOf(const std::string & other, std::string text);

/** A text in capitals. */
std::string
Upper(std::string text);

/** A text with each occurrence of a part replaced by another one. */
std::string
Replaced(std::string text, const std::string & part, const std::string & replacement);

/** The begin of a text of a file, for a message: bytes that are no text are question marks. */
std::string
Printable(const std::string & text, std::size_t longest = 40);

/** A number of four digits or more, with zeros in front, so that names of files are in the order of their numbers. */
std::string
FourDigits(std::size_t number);

/** A number with some digits. */
std::string
TextOf(double value, int digits = 6);

/** Like "A, B and 12 more". */
std::string
Listed(const std::vector<std::string> & names);

} // namespace cudaneuro::files

#endif
