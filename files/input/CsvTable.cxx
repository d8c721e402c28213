// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/input/CsvTable.h"

#include "files/input/InputFile.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace
{

[[noreturn]] void
RefuseLine(const std::string & path, std::size_t line, const std::string & reason)
{
  RefuseInput(path, "line " + std::to_string(line) + ": " + reason);
}

/** Reads the values of a line one after the other. */
class LineReader
{
public:
  LineReader(const std::string & path, std::size_t line, const std::string & text)
    : m_Path(path)
    , m_Line(line)
    , m_Text(text)
  {}

  std::string
  TakeValue()
  {
    const std::size_t begin = m_Text.find_first_not_of(" \t", m_At);
    if (begin != std::string::npos && m_Text[begin] == '"')
    {
      m_At = begin + 1;
      return this->TakeQuoted();
    }
    const std::size_t end = std::min(m_Text.find(',', m_At), m_Text.size());
    const std::string value = m_Text.substr(m_At, end - m_At);
    const std::size_t mark = value.find('"');
    if (mark != std::string::npos)
    {
      this->Refuse(m_At + mark, "there is a quotation mark inside a value that does not begin with one");
    }
    m_At = end;
    return Trimmed(value);
  }

  /** Takes the comma before a further value. */
  bool
  TakeComma()
  {
    if (m_At == m_Text.size())
    {
      return false;
    }
    ++m_At;
    return true;
  }

private:
  std::string
  TakeQuoted()
  {
    const std::size_t begin = m_At - 1;
    std::string       value;
    for (;;)
    {
      const std::size_t mark = m_Text.find('"', m_At);
      if (mark == std::string::npos)
      {
        this->Refuse(begin, "the quotation mark has no second one in its line");
      }
      value += m_Text.substr(m_At, mark - m_At);
      m_At = mark + 1;
      if (m_At == m_Text.size() || m_Text[m_At] != '"')
      {
        break;
      }
      value += '"';
      ++m_At;
    }
    m_At = std::min(m_Text.find_first_not_of(" \t", m_At), m_Text.size());
    if (m_At < m_Text.size() && m_Text[m_At] != ',')
    {
      this->Refuse(m_At, "there is something between a quotation mark and the comma");
    }
    return value;
  }

  [[noreturn]] void
  Refuse(std::size_t at, const std::string & reason) const
  {
    RefuseLine(m_Path, m_Line, reason + ", at character " + std::to_string(at + 1));
  }

  const std::string & m_Path;
  std::size_t         m_Line;
  const std::string & m_Text;
  std::size_t         m_At = 0;
};

/** Whether all values begin as numbers do, NaN and infinity among them. */
bool
AreNumbers(const std::vector<std::string> & values)
{
  return std::all_of(values.begin(), values.end(), [](const std::string & value) {
    char * end = nullptr;
    std::strtod(value.c_str(), &end);
    return end != value.c_str() && *end == '\0';
  });
}

} // namespace

CsvTable::CsvTable(const std::string &              path,
                   const std::vector<std::string> & columns,
                   const std::vector<std::string> & unnamed)
  : m_Path(path)
{
  constexpr std::uint64_t mostBytes = 64 << 20;
  if (CheckRegularFile(path) > mostBytes)
  {
    RefuseInput(path, "it is larger than the 64 MB that a list may have");
  }
  std::ifstream     file(path, std::ios::binary);
  const std::string byteOrderMark = "\xEF\xBB\xBF";
  std::string       text;
  for (std::size_t line = 1; std::getline(file, text); ++line)
  {
    if (line == 1 && text.rfind(byteOrderMark, 0) == 0)
    {
      text.erase(0, byteOrderMark.size());
    }
    if (text.find('\0') != std::string::npos)
    {
      RefuseLine(path, line, "there is a byte of value 0, which no text has");
    }
    if (!text.empty() && text.back() == '\r')
    {
      text.pop_back();
    }
    if (Trimmed(text).empty())
    {
      continue;
    }
    Row        row{ line, this->SplitLine(line, text) };
    const bool isHeader = m_Columns.empty() && (unnamed.empty() || !AreNumbers(row.values));
    if (isHeader)
    {
      this->ReadHeader(row, columns);
      continue;
    }
    if (m_Columns.empty())
    {
      this->NameColumns(row, unnamed);
    }
    m_Rows.push_back(std::move(row));
  }
  if (m_Columns.empty())
  {
    RefuseInput(path, "it is empty; its first line names the columns");
  }
}

std::vector<std::string>
CsvTable::SplitLine(std::size_t line, const std::string & text) const
{
  LineReader               reader(m_Path, line, text);
  std::vector<std::string> values;
  do
  {
    values.push_back(reader.TakeValue());
  } while (reader.TakeComma());
  if (!m_Columns.empty() && values.size() != m_Columns.size())
  {
    RefuseLine(m_Path,
               line,
               "it has " + std::to_string(values.size()) + " values; the first line " +
                 (m_HasNames ? "names " : "has ") + std::to_string(m_Columns.size()) + (m_HasNames ? " columns" : ""));
  }
  return values;
}

void
CsvTable::ReadHeader(const Row & header, const std::vector<std::string> & columns)
{
  m_HasNames = true;
  std::string known;
  for (const std::string & column : columns)
  {
    known += (known.empty() ? "" : ", ") + column;
  }
  for (std::size_t i = 0; i < header.values.size(); ++i)
  {
    const std::string & name = header.values[i];
    std::string         column = "column " + std::to_string(i + 1) + " is named \"";
    column.append(name).append("\"");
    if (std::find(columns.begin(), columns.end(), name) == columns.end())
    {
      RefuseLine(m_Path, header.line, column + "; the names of columns are " + known);
    }
    if (std::find(m_Columns.begin(), m_Columns.end(), name) != m_Columns.end())
    {
      RefuseLine(m_Path, header.line, column + ", as one before it");
    }
    m_Columns.push_back(name);
  }
}

void
CsvTable::NameColumns(const Row & first, const std::vector<std::string> & unnamed)
{
  if (first.values.size() > unnamed.size())
  {
    RefuseLine(m_Path,
               first.line,
               "it has " + std::to_string(first.values.size()) + " numbers; without names of columns there can be " +
                 std::to_string(unnamed.size()));
  }
  m_Columns.assign(unnamed.begin(), unnamed.begin() + static_cast<std::ptrdiff_t>(first.values.size()));
}

std::string
CsvTable::Quoted(const std::string & value)
{
  if (value.find_first_of(",\"\n\r") == std::string::npos && Trimmed(value) == value)
  {
    return value;
  }
  std::string quoted = "\"";
  for (const char c : value)
  {
    quoted.append(c == '"' ? 2 : 1, c == '\n' || c == '\r' ? ' ' : c); // a value cannot go over lines
  }
  return quoted + '"';
}

bool
CsvTable::HasColumn(const std::string & column) const
{
  return std::find(m_Columns.begin(), m_Columns.end(), column) != m_Columns.end();
}

std::string
CsvTable::GetValue(std::size_t row, const std::string & column) const
{
  const auto found = std::find(m_Columns.begin(), m_Columns.end(), column);
  return found == m_Columns.end() ? "" : m_Rows.at(row).values.at(static_cast<std::size_t>(found - m_Columns.begin()));
}

std::string
CsvTable::Describe(std::size_t row, const std::string & column) const
{
  return "the " + column + " in line " + std::to_string(m_Rows.at(row).line);
}
