// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_points_NumberScanner_h
#define files_points_NumberScanner_h

#include "files/base/NumberTypes.h"
#include "files/input/InputFile.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** Whether a number can be that of a point. */
inline bool
IsIndex(double value)
{
  return value == std::trunc(value) && value >= 0.0 && value <= std::numeric_limits<std::uint32_t>::max();
}

/** Reads the words of a file one after the other, and numbers, which are words or, in binary files, bytes. */
class NumberScanner
{
public:
  using Type = itk::IOComponentEnum;

  /** What ends a line: a line feed, or each of CR, LF and CR LF. */
  enum class LineEnds
  {
    LineFeed,
    All
  };

  explicit NumberScanner(const std::string & path, LineEnds lineEnds = LineEnds::LineFeed)
    : m_Path(path)
    , m_LineEnds(lineEnds)
  {
    const std::vector<char> bytes = ReadBytes(path, 0, CheckRegularFile(path));
    m_Text.assign(bytes.begin(), bytes.end());
    TakeMark(path, m_Text);
    const std::size_t first = std::min(m_Text.find_first_of("\r\n"), m_Text.size());
    m_EndsWithCr =
      lineEnds == LineEnds::All && m_Text.compare(first, 1, "\r") == 0 && m_Text.compare(first, 2, "\r\n") != 0;
  }

  const std::string &
  GetPath() const
  {
    return m_Path;
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
    RefuseInput(m_Path, "line " + this->LineOfWord() + ": " + reason);
  }

  /** The next byte; 0 at the end of the file. */
  char
  PeekByte() const
  {
    return m_At < m_Text.size() ? m_Text[m_At] : '\0';
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

  /** The rest of the line. Where the first line of the file ends with CR alone, an LF behind a CR is no part of the
   * line's end, because binary data may begin there. */
  std::string
  TakeLine()
  {
    m_WordBegin = m_At;
    const std::size_t end =
      std::min(m_Text.find_first_of(m_LineEnds == LineEnds::All ? "\r\n" : "\n", m_At), m_Text.size());
    std::string line = m_Text.substr(m_At, end - m_At);
    const bool  hasTwo = !m_EndsWithCr && m_Text.compare(end, 2, "\r\n") == 0;
    m_At = std::min(end + (hasTwo ? 2 : 1), m_Text.size());
    return line;
  }

  /** The next word; empty at the end of the file. */
  std::string
  TakeWord()
  {
    const auto passOver = [this](bool isBlank) {
      while (m_At < m_Text.size() && (std::isspace(static_cast<unsigned char>(m_Text[m_At])) != 0) == isBlank)
      {
        ++m_At;
      }
    };
    passOver(true);
    m_WordBegin = m_At;
    passOver(false);
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

  /** The next word in capitals. */
  std::string
  TakeKeyword()
  {
    return Upper(this->TakeWord());
  }
  std::string
  PeekKeyword()
  {
    return Upper(this->PeekWord());
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

  /** A number of elements, which must be in the rest of the file: each has some bytes at least. */
  std::size_t
  TakeSize(const std::string & what, std::size_t bytesOfElement)
  {
    const double value = this->TakeNumber(what);
    if (!IsIndex(value))
    {
      this->Refuse(what + " is " + m_Text.substr(m_WordBegin, m_At - m_WordBegin) +
                   "; it must be a whole number from 0 to 4294967295");
    }
    const auto count = static_cast<std::size_t>(value);
    if (count * bytesOfElement > this->GetRemainingBytes())
    {
      this->Refuse(what + " is " + std::to_string(count) + "; the rest of the file has " +
                   std::to_string(this->GetRemainingBytes()) + " bytes, too few for that");
    }
    return count;
  }

  /** From here on, numbers are bytes. */
  void
  BeginBinary(bool isBigEndian)
  {
    m_IsBinary = true;
    m_IsBigEndian = isBigEndian;
  }
  bool
  IsBinary() const
  {
    return m_IsBinary;
  }

  /** \throws UserError for a name that is not known */
  Type
  FindType(const std::string & name) const
  {
    const Type type = TypeNamed(name);
    if (type == Type::UNKNOWNCOMPONENTTYPE)
    {
      this->Refuse("the type of numbers is \"" + name.substr(0, 20) + "\", which is not known here");
    }
    return type;
  }

  double
  Take(Type type, const char * what)
  {
    return m_IsBinary ? NumberAt(type, this->TakeBytes(BytesOf(type)), m_IsBigEndian) : this->TakeNumber(what);
  }

  /** The number of a point, or what else is counted from 0. */
  std::uint32_t
  TakeIndex(Type type, const char * what)
  {
    const double value = this->Take(type, what);
    if (!IsIndex(value))
    {
      this->Refuse(what + std::string(" is ") + std::to_string(value) +
                   "; it must be a whole number from 0 to 2^32 - 1");
    }
    return static_cast<std::uint32_t>(value);
  }

  std::vector<double>
  TakeNumbers(std::size_t count, Type type, const char * what)
  {
    return this->TakeSeveral<double>(count, type, [&] { return this->Take(type, what); });
  }
  std::vector<std::uint32_t>
  TakeIndices(std::size_t count, Type type, const char * what)
  {
    return this->TakeSeveral<std::uint32_t>(count, type, [&] { return this->TakeIndex(type, what); });
  }

  /** Passes over numbers that are not used. They may be NaN, as the quality of a point that has none. */
  void
  SkipNumbers(std::size_t count, Type type)
  {
    if (m_IsBinary)
    {
      this->TakeBytes(count * BytesOf(type));
      return;
    }
    for (std::size_t i = 0; i < count; ++i)
    {
      const std::string word = this->TakeWord();
      if (word.empty())
      {
        RefuseInput(m_Path, "it is cut short: a number is missing");
      }
      if (m_NotFinite.empty() && std::isalpha(static_cast<unsigned char>(word.back())) != 0)
      {
        m_NotFinite = '"' + Printable(word) + "\" in line " + this->LineOfWord();
      }
    }
  }

  /** The first of the numbers that were passed over as text which is NaN or infinite, and its line; empty for none. */
  const std::string &
  GetNotFinite() const
  {
    return m_NotFinite;
  }

private:
  std::string
  LineOfWord() const
  {
    const auto end = m_Text.begin() + static_cast<std::ptrdiff_t>(std::min(m_WordBegin, m_Text.size()));
    return std::to_string(1 + std::count(m_Text.begin(), end, m_EndsWithCr ? '\r' : '\n'));
  }

  /** Numbers of a file that has so many, before there is memory for them. */
  template <typename TValue, typename TTake>
  std::vector<TValue>
  TakeSeveral(std::size_t count, Type type, const TTake & take)
  {
    if (m_IsBinary)
    {
      RequireBytes(m_Path, m_Text.size(), m_At, count * BytesOf(type));
    }
    std::vector<TValue> values;
    for (std::size_t i = 0; i < count; ++i)
    {
      values.push_back(take());
    }
    return values;
  }

  std::string m_Path;
  LineEnds    m_LineEnds;
  bool        m_EndsWithCr = false;
  std::string m_Text;
  std::string m_NotFinite;
  std::size_t m_At = 0;
  std::size_t m_WordBegin = 0;
  bool        m_IsBinary = false;
  bool        m_IsBigEndian = false;
};

} // namespace cudaneuro::files

#endif
