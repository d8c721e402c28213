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

/** Returns a text without white space around it. */
std::string
Trimmed(const std::string & text);

/** Returns a text in lower case. */
std::string
Lower(std::string text);

/** Returns a text in the case of another one: ".IMG" for ".HDR". */
std::string
InCaseOf(const std::string & other, std::string text);

/** Returns a text in capitals. */
std::string
Upper(std::string text);

/** Returns a text with each occurrence of a part replaced by another one. */
std::string
Replaced(std::string text, const std::string & part, const std::string & replacement);

/** Returns the bytes that a text of base64 encodes, up to its end or to what is no such text. */
std::string
DecodedBase64(const std::string & text);

/** Returns the beginning of a file's text for a message, with question marks for bytes that are no text. */
std::string
Printable(const std::string & text, std::size_t longest = 40);

/** Returns a number with leading zeros and at least four digits, so that file names sort by their numbers. */
std::string
FourDigits(std::size_t number);

/** Returns a number with several digits. */
std::string
TextOf(double value, int digits = 6);

/** Returns names as "A, B and 12 more". */
std::string
Listed(const std::vector<std::string> & names);

} // namespace cudaneuro::files

#endif
