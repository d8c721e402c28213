// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_input_HeaderLines_h
#define files_input_HeaderLines_h

#include "files/base/Errors.h"
#include "files/base/Text.h"
#include "files/input/InputFile.h"
#include "files/system/SystemFile.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

namespace cudaneuro::files
{

/** The lines of a header of text, before binary data in the same file or alone in it. */
class HeaderLines
{
public:
  explicit HeaderLines(const std::string & path)
    : m_Path(path)
  {
    CheckRegularFile(path);
    m_File.open(path, std::ios::binary);
  }

  const std::string &
  GetPath() const
  {
    return m_Path;
  }
  /** The offset of the next line. */
  std::uint64_t
  GetPosition() const
  {
    return m_Position;
  }

  /** Takes the next line, without the end of line of any system.
   * \return whether there was one
   * \throws UserError where the file cannot be a header */
  bool
  Take(std::string & line)
  {
    line.clear();
    ++m_Number;
    int c = m_File.get();
    for (; c != std::ifstream::traits_type::eof() && c != '\n'; c = m_File.get())
    {
      line.push_back(static_cast<char>(c));
      if (m_Position + line.size() > largest)
      {
        RefuseInput(m_Path, "its header does not end within 64 MiB");
      }
    }
    m_IsEnd = c == std::ifstream::traits_type::eof();
    m_Position += line.size() + (m_IsEnd ? 0 : 1);
    if (!line.empty() && line.back() == '\r')
    {
      line.pop_back();
    }
    return !m_IsEnd || !line.empty();
  }

  /** Whether the file ended with the line that was taken last, and not with an end of line after it. */
  bool
  IsEnd() const
  {
    return m_IsEnd;
  }

  /** Refuses the file for the line that was taken last. */
  [[noreturn]] void
  Refuse(const std::string & line, const std::string & expected) const
  {
    RefuseField(m_Path, "line " + std::to_string(m_Number), '"' + Printable(line) + '"', expected);
  }

private:
  // A file that is no header would be taken to memory whole otherwise.
  static constexpr std::uint64_t largest = std::uint64_t(1) << 26;

  std::string   m_Path;
  std::ifstream m_File;
  std::uint64_t m_Position = 0;
  std::size_t   m_Number = 0;
  bool          m_IsEnd = false;
};

/** The path of a file that a header names, beside the header where it is relative.
 * \throws UserError where the name is not UTF-8, on a system whose names of files are texts */
inline std::string
BesideHeader(const std::string & headerPath, const std::string & name)
{
  try
  {
    return NameBeside(headerPath, name);
  }
  catch (const std::system_error &)
  {
    throw UserError(headerPath + " is damaged: it names a file, and that name is no text");
  }
}

/** The names that a pattern of printf with one whole number, like "slice%03d.raw", has for numbers.
 * \throws UserError where the pattern has anything else than one number, or the steps lead nowhere or to more names
 * than are expected */
std::vector<std::string>
NamesOfPattern(const std::string & headerPath,
               const std::string & pattern,
               std::int64_t        first,
               std::int64_t        last,
               std::int64_t        step,
               std::uint64_t       most);

} // namespace cudaneuro::files

#endif
