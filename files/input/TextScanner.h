// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_input_TextScanner_h
#define files_input_TextScanner_h

#include "files/input/InputFile.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace cudaneuro::files
{

/** Reads the words of a file one after the other, with binary data between them where there is any. */
class TextScanner
{
public:
  explicit TextScanner(const std::string & path)
    : m_Path(path)
  {
    const std::vector<char> bytes = ReadBytes(path, 0, CheckRegularFile(path));
    m_Text.assign(bytes.begin(), bytes.end());
  }

  const std::string &
  GetPath() const
  {
    return m_Path;
  }
  std::size_t
  GetPosition() const
  {
    return m_At;
  }
  std::size_t
  GetRemainingBytes() const
  {
    return m_Text.size() - m_At;
  }

  /** Refuses the file, for the line that was read last. What is no character of ASCII, as in binary data, becomes a
   * question mark. */
  [[noreturn]] void
  Refuse(std::string reason) const
  {
    std::replace_if(
      reason.begin(), reason.end(), [](unsigned char c) { return c < 0x20 || c > 0x7e; }, '?');
    const auto end = m_Text.begin() + static_cast<std::ptrdiff_t>(std::min(m_WordBegin, m_Text.size()));
    RefuseInput(m_Path, "line " + std::to_string(1 + std::count(m_Text.begin(), end, '\n')) + ": " + reason);
  }

  /** The next byte; 0 at the end of the file. */
  char
  PeekByte() const
  {
    return m_At < m_Text.size() ? m_Text[m_At] : '\0';
  }

  /** The rest of the line. */
  std::string
  TakeLine()
  {
    m_WordBegin = m_At;
    const std::size_t end = std::min(m_Text.find('\n', m_At), m_Text.size());
    std::string       line = m_Text.substr(m_At, end - m_At);
    m_At = std::min(end + 1, m_Text.size());
    return line;
  }

  /** The next word; empty at the end of the file. */
  std::string
  TakeWord()
  {
    while (m_At < m_Text.size() && std::isspace(static_cast<unsigned char>(m_Text[m_At])) != 0)
    {
      ++m_At;
    }
    m_WordBegin = m_At;
    while (m_At < m_Text.size() && std::isspace(static_cast<unsigned char>(m_Text[m_At])) == 0)
    {
      ++m_At;
    }
    return m_Text.substr(m_WordBegin, m_At - m_WordBegin);
  }

  /** The next word, which is not taken. */
  std::string
  PeekWord()
  {
    const std::size_t at = m_At;
    std::string       word = this->TakeWord();
    m_At = at;
    return word;
  }

  double
  TakeNumber(const std::string & what)
  {
    const std::string word = this->TakeWord();
    if (word.empty())
    {
      RefuseInput(m_Path, "it is cut short: " + what + " is missing");
    }
    return this->AsNumber(what, word);
  }

  double
  AsNumber(const std::string & what, const std::string & word) const
  {
    char *       end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    // strtod reads hexadecimal numbers, NaN and infinity, too.
    const bool isDecimal = word.find_first_not_of("0123456789+-.eE") == std::string::npos;
    if (word.empty() || !isDecimal || end != word.c_str() + word.size() || !std::isfinite(value))
    {
      this->Refuse(what + " is \"" + word.substr(0, 20) + "\"; it must be a finite number");
    }
    return value;
  }

  /** A whole number from 0 to a largest one. */
  std::size_t
  TakeCount(const std::string & what, std::size_t largest)
  {
    const double value = this->TakeNumber(what);
    if (value != std::trunc(value) || value < 0.0 || value > static_cast<double>(largest))
    {
      this->Refuse(what + " is " + m_Text.substr(m_WordBegin, m_At - m_WordBegin) +
                   "; it must be a whole number from 0 to " + std::to_string(largest));
    }
    return static_cast<std::size_t>(value);
  }

  /** A number of elements, which must be in the rest of the file: each has some bytes at least. */
  std::size_t
  TakeSize(const std::string & what, std::size_t bytesOfElement)
  {
    constexpr std::size_t largest = std::numeric_limits<std::uint32_t>::max();
    const std::size_t     count = this->TakeCount(what, largest);
    if (count * bytesOfElement > this->GetRemainingBytes())
    {
      this->Refuse(what + " is " + std::to_string(count) + "; the rest of the file has " +
                   std::to_string(this->GetRemainingBytes()) + " bytes, too few for that");
    }
    return count;
  }

  /** Bytes from here on.
   * \throws UserError when there are fewer */
  const char *
  TakeBytes(std::size_t count)
  {
    RequireBytes(m_Path, m_Text.size(), m_At, count);
    const char * const bytes = m_Text.data() + m_At;
    m_At += count;
    return bytes;
  }

private:
  std::string m_Path;
  std::string m_Text;
  std::size_t m_At = 0;
  std::size_t m_WordBegin = 0;
};

} // namespace cudaneuro::files

#endif
