// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/input/CsvLines.h"

#include "files/input/InputFile.h"

#include <algorithm>
#include <sstream>

namespace cudaneuro::files
{

namespace
{

/** Returns whether a value in quotation marks continues after a line.
 * \param isOpen whether the line begins inside such a value */
bool
GoesOnAfter(const std::string & line, bool isOpen)
{
  bool mayBegin = true; // at the beginning of a value, and at the second of doubled quotation marks
  for (const char c : line)
  {
    isOpen = c == '"' ? !isOpen && mayBegin : isOpen;
    mayBegin = c == '"' || c == ',' || c == ';' || (mayBegin && IsBlank(c)) || c == '\t';
  }
  return isOpen;
}

/** Returns how many further lines belong to a line, because a value in quotation marks has line breaks; none if the
 * value does not end. */
std::size_t
CountFurtherLines(const std::vector<std::string> & lines, std::size_t first)
{
  std::size_t last = first;
  bool        isOpen = Trimmed(lines[first])[0] != '#' && GoesOnAfter(lines[first], false);
  while (isOpen && last + 1 < lines.size())
  {
    isOpen = GoesOnAfter(lines[++last], true);
  }
  return isOpen ? 0 : last - first;
}

/** Reads the lines of a file, with line ends of any system. */
std::vector<std::string>
ReadLines(const std::string & path)
{
  std::string text;
  char        previous = '\0';
  for (const char c : ReadBytes(path, 0, CheckRegularFile(path)))
  {
    if (c != '\n' || previous != '\r')
    {
      text += c == '\r' ? '\n' : c;
    }
    previous = c;
  }
  TakeMark(path, text);
  const std::size_t zero = text.find('\0');
  if (zero != std::string::npos)
  {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(zero);
    RefuseLine(path,
               1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n')),
               "there is a byte of value 0, which no text has");
  }
  std::vector<std::string> lines;
  std::istringstream       stream(text);
  for (std::string line; std::getline(stream, line);)
  {
    lines.push_back(line);
  }
  return lines;
}

} // namespace

void
RefuseLine(const std::string & path, std::size_t line, const std::string & reason)
{
  RefuseInput(path, "line " + std::to_string(line) + ": " + reason);
}

std::vector<CsvLine>
ReadCsvLines(const std::string & path)
{
  const std::vector<std::string> lines = ReadLines(path);
  std::vector<CsvLine>           joined;
  for (std::size_t first = 0; first < lines.size();)
  {
    CsvLine &         line = joined.emplace_back(CsvLine{ first + 1, lines[first] });
    const std::size_t next = first + 1 + CountFurtherLines(lines, first);
    while (++first < next)
    {
      line.text += ' ' + lines[first];
    }
  }
  return joined;
}

} // namespace cudaneuro::files
