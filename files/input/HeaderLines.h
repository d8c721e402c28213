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

/** The lines of a text header, which binary data may follow in the same file. */
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
  /** Returns the offset of the next line. */
  std::uint64_t
  GetPosition() const
  {
    return m_Position;
  }

  /** Reads the next line, without the line end of any system.
   * \return whether there was one
   * \throws UserError if the file cannot be a header */
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

  /** Returns whether the file ended with the last line, without a line end. */
  bool
  IsEnd() const
  {
    return m_IsEnd;
  }

  /** Refuses the file for the last line. */
  [[noreturn]] void
  Refuse(const std::string & line, const std::string & expected) const
  {
    RefuseField(m_Path, "line " + std::to_string(m_Number), '"' + Printable(line) + '"', expected);
  }

private:
  // Without a limit, a file that is no header would be read into memory as a whole.
  static constexpr std::uint64_t largest = std::uint64_t(1) << 26;

  std::string   m_Path;
  std::ifstream m_File;
  std::uint64_t m_Position = 0;
  std::size_t   m_Number = 0;
  bool          m_IsEnd = false;
};

/** Returns the path of a file that a header names; relative paths begin at the header's folder.
 * \throws UserError if the name is not UTF-8, on a system whose file names are texts */
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

/** Returns the names of a printf pattern with one integer, such as "slice%03d.raw".
 * \throws UserError if the pattern has anything but one integer, or the steps give no names, or more than expected */
std::vector<std::string>
NamesOfPattern(const std::string & headerPath,
               const std::string & pattern,
               std::int64_t        first,
               std::int64_t        last,
               std::int64_t        step,
               std::uint64_t       most);

} // namespace cudaneuro::files

#endif
