// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/Text.h"

#include <itksys/Base64.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace cudaneuro::files
{

std::vector<std::string>
SplitWords(const std::string & text)
{
  std::istringstream       stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
  {
    words.push_back(word);
  }
  return words;
}

std::string
Trimmed(const std::string & text)
{
  constexpr const char * white = " \t\r\n";
  const std::size_t      begin = text.find_first_not_of(white);
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(white) - begin + 1);
}

std::string
Lower(std::string text)
{
  std::transform(
    text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string
InCaseOf(const std::string & other, std::string text)
{
  std::transform(text.begin(),
                 text.begin() + static_cast<std::ptrdiff_t>(std::min(text.size(), other.size())),
                 other.begin(),
                 text.begin(),
                 [](unsigned char c, unsigned char given) {
                   return static_cast<char>(std::isupper(given) != 0 ? std::toupper(c) : c);
                 });
  return text;
}

std::string
Upper(std::string text)
{
  std::transform(
    text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string
Replaced(std::string text, const std::string & part, const std::string & replacement)
{
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + replacement.size()))
  {
    text.replace(at, part.size(), replacement);
  }
  return text;
}

std::string
DecodedBase64(const std::string & text)
{
  std::string        bytes(text.size(), '\0');
  const auto * const from = reinterpret_cast<const unsigned char *>(text.data());
  bytes.resize(itksysBase64_Decode(from, text.size(), reinterpret_cast<unsigned char *>(bytes.data()), text.size()));
  return bytes;
}

std::string
Printable(const std::string & text, std::size_t longest)
{
  std::string shown = text.substr(0, longest);
  std::replace_if(
    shown.begin(), shown.end(), [](unsigned char c) { return std::iscntrl(c) != 0 || c > '~'; }, '?');
  return text.size() > longest ? shown + "..." : shown;
}

std::string
FourDigits(std::size_t number)
{
  constexpr std::size_t digits = 4;
  const std::string     text = std::to_string(number);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

std::string
TextOf(double value, int digits)
{
  std::ostringstream text;
  text.precision(digits);
  text << value;
  return text.str();
}

std::string
Listed(const std::vector<std::string> & names)
{
  constexpr std::size_t most = 20; // fits into a readable line
  std::string           text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i)
  {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return text + (names.size() > most ? " and " + std::to_string(names.size() - most) + " more" : "");
}

} // namespace cudaneuro::files
