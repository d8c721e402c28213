// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/input/CsvTable.h"

#include "files/input/CsvLines.h"
#include "files/input/InputFile.h"

#include <algorithm>
#include <cstdlib>

namespace cudaneuro::files
{

namespace
{

/** Returns the separator of a line's values, ' ' for blanks. With a semicolon or a tab, commas are for decimals. */
char
SeparatorOf(const std::string & text, bool mayBeBlank)
{
  for (const char separator : { ';', '\t', ',' })
  {
    bool isQuoted = false;
    for (const char c : text)
    {
      isQuoted = isQuoted != (c == '"');
      if (!isQuoted && c == separator)
      {
        return separator;
      }
    }
  }
  return mayBeBlank ? ' ' : ',';
}

/** Splits a line into values without the blanks around them. */
std::vector<std::string>
SplitLine(const std::string & path, std::size_t line, const std::string & text, char separator)
{
  const auto isSeparator = [&](char c) { return separator == ' ' ? IsBlank(c) : c == separator; };
  const auto skipBlanks = [&](std::size_t at) {
    const auto isOther = [&](char c) { return !IsBlank(c) || isSeparator(c); };
    return std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), isOther) - text.begin();
  };
  const auto refuse = [&](std::size_t at, const std::string & reason) {
    RefuseLine(path, line, reason + ", at character " + std::to_string(at + 1));
  };
  std::vector<std::string> values;
  for (std::size_t at = 0; at <= text.size(); ++at)
  {
    at = static_cast<std::size_t>(skipBlanks(at));
    const std::size_t begin = at;
    std::string &     value = values.emplace_back();
    while (at < text.size() && text[at] == '"')
    {
      const std::size_t end = text.find('"', at + 1);
      if (end == std::string::npos)
      {
        refuse(begin, "the quotation mark has no second one in its line");
      }
      value += (at == begin ? "" : "\"") + text.substr(at + 1, end - at - 1);
      at = end + 1;
    }
    if (at > begin)
    {
      at = static_cast<std::size_t>(skipBlanks(at));
      if (at < text.size() && !isSeparator(text[at]))
      {
        refuse(at,
               std::string("there is something between a quotation mark and the ") +
                 (separator == ',' ? "comma" : "next value"));
      }
    }
    for (; at < text.size() && !isSeparator(text[at]); ++at)
    {
      if (text[at] == '"')
      {
        refuse(at, "there is a quotation mark inside a value that does not begin with one");
      }
      value += text[at];
    }
    value = text[begin] == '"' ? value : Trimmed(value);
    while (separator == ' ' && at + 1 < text.size() && IsBlank(text[at + 1]))
    {
      ++at;
    }
  }
  return values;
}

/** Returns whether a value begins like a number, including NaN, infinity and numbers with decimal commas. */
bool
IsNumber(const std::string & value)
{
  const std::string text = Replaced(value, ",", ".");
  char *            end = nullptr;
  std::strtod(text.c_str(), &end);
  return end != text.c_str() && *end == '\0';
}

/** Returns whether a name is among others, without case. */
bool
Contains(const std::vector<std::string> & names, const std::string & name)
{
  return std::any_of(
    names.begin(), names.end(), [&](const std::string & other) { return Lower(other) == Lower(name); });
}

void
DropEmptyEnd(std::vector<std::string> & values, std::size_t count)
{
  while (values.size() > count && values.back().empty())
  {
    values.pop_back();
  }
}

} // namespace

CsvTable::CsvTable(const std::string & path, const CsvFormat & format)
  : m_Path(path)
{
  for (const CsvLine & line : ReadCsvLines(path))
  {
    this->AddLine(line.number, line.text, format);
  }
  if (m_Columns.empty())
  {
    RefuseInput(path, format.unnamed.empty() ? "it is empty; its first line names the columns" : "it is empty");
  }
}

void
CsvTable::AddLine(std::size_t line, const std::string & text, const CsvFormat & format)
{
  const std::string trimmed = Trimmed(text);
  const bool        isOfNumbers = !format.unnamed.empty();
  if (isOfNumbers && trimmed[0] == '#')
  {
    this->AddComment(trimmed.substr(1), format);
    return;
  }
  if (m_Separator == '\0' && trimmed.size() == 5 && trimmed.rfind("sep=", 0) == 0)
  {
    m_Separator = trimmed[4]; // of a line "sep=;", which Excel writes and reads
    return;
  }
  if (m_Separator == '\0' && !trimmed.empty())
  {
    m_Separator = format.further.empty() ? SeparatorOf(text, isOfNumbers) : ',';
  }
  const std::string content = m_Separator == ' ' ? Trimmed(text.substr(0, text.find('#'))) : text;
  Row               row{ line, SplitLine(m_Path, line, content, m_Separator) };
  const bool        isEmpty =
    std::all_of(row.values.begin(), row.values.end(), [](const auto & value) { return value.empty(); });
  if (!isEmpty && !(m_Columns.empty() && this->NameColumns(row, format)))
  {
    this->AddRow(std::move(row), format);
  }
}

void
CsvTable::AddComment(std::string text, const CsvFormat & format)
{
  m_Comments.push_back(Trimmed(text));
  const std::size_t equals = text.find('=');
  const bool        isList = equals != std::string::npos && Trimmed(text.substr(0, equals)) == "columns";
  text = Trimmed(isList ? text.substr(equals + 1) : text);
  if (!m_Columns.empty() || text.find('"') != std::string::npos || (!isList && !format.further.empty()))
  {
    return;
  }
  std::vector<std::string> names = SplitLine(m_Path, 0, text, SeparatorOf(text, true));
  if (isList || Contains(names, format.unnamed.front()))
  {
    m_NamesInComment = std::move(names);
  }
}

bool
CsvTable::NameColumns(const Row & first, const CsvFormat & format)
{
  std::vector<std::string> values = first.values;
  DropEmptyEnd(values, 1);
  const auto numbers = static_cast<std::size_t>(std::count_if(values.begin(), values.end(), IsNumber));
  if (!format.further.empty())
  {
    m_Columns = m_NamesInComment.empty() ? format.unnamed : m_NamesInComment;
    m_Columns.insert(m_Columns.end(), format.further.begin(), format.further.end());
    return false;
  }
  // Without names of columns, one value beside all numbers is a label. Beside fewer numbers it may be a damaged number.
  const bool hasLabel = numbers + 1 == values.size() && numbers == format.unnamed.size();
  if (format.unnamed.empty() || (numbers < values.size() && !hasLabel))
  {
    m_HasNames = true;
    m_Columns = std::move(values);
    this->CheckNames(first, format);
    return true;
  }
  if (m_NamesInComment.size() == values.size())
  {
    m_HasNames = true;
    m_Columns = m_NamesInComment;
    return false;
  }
  if (numbers > format.unnamed.size())
  {
    RefuseLine(m_Path,
               first.line,
               "it has " + std::to_string(numbers) + " numbers; without names of columns there can be " +
                 std::to_string(format.unnamed.size()));
  }
  auto name = format.unnamed.begin();
  for (const std::string & value : values)
  {
    m_Columns.push_back(IsNumber(value) ? *name++ : "label");
  }
  return false;
}

void
CsvTable::CheckNames(const Row & header, const CsvFormat & format) const
{
  for (std::size_t i = 0; i < m_Columns.size(); ++i)
  {
    const std::string column = "column " + std::to_string(i + 1) + " is named \"" + m_Columns[i] + '"';
    const bool        isKnown = Contains(format.known.empty() ? format.unnamed : format.known, m_Columns[i]);
    if (!isKnown && !format.known.empty())
    {
      RefuseLine(m_Path, header.line, column + "; the names of columns are " + Listed(format.known));
    }
    if (isKnown && *this->FindColumn({ m_Columns[i] }) < i)
    {
      RefuseLine(m_Path, header.line, column + ", as one before it");
    }
  }
}

void
CsvTable::AddRow(Row row, const CsvFormat & format)
{
  DropEmptyEnd(row.values, m_Columns.size());
  if (row.values.size() + format.further.size() == m_Columns.size())
  {
    row.values.resize(m_Columns.size());
  }
  if (row.values.size() != m_Columns.size())
  {
    const bool isNamed = m_HasNames || !format.further.empty();
    RefuseLine(m_Path,
               row.line,
               "it has " + std::to_string(row.values.size()) + " values; " +
                 (!format.further.empty() ? "there are "
                  : m_HasNames            ? "the first line names "
                                          : "the first line has ") +
                 std::to_string(m_Columns.size() - format.further.size()) + (isNamed ? " columns" : "") +
                 (m_Separator == ',' && row.values.size() > m_Columns.size()
                    ? "; where commas are those of decimals, semicolons must separate values"
                    : ""));
  }
  m_Rows.push_back(std::move(row));
}

std::string
CsvTable::Quoted(const std::string & value)
{
  if (value.find_first_of(",;\t\"\n\r") == std::string::npos && Trimmed(value) == value)
  {
    return value;
  }
  std::string quoted = "\"";
  for (const char c : value)
  {
    quoted.append(c == '"' ? 2 : 1, c == '\n' || c == '\r' ? ' ' : c); // a value has no line breaks
  }
  return quoted + '"';
}

std::optional<std::size_t>
CsvTable::FindColumn(const std::vector<std::string> & names) const
{
  for (const std::string & name : names)
  {
    for (std::size_t i = 0; i < m_Columns.size(); ++i)
    {
      if (Lower(m_Columns[i]) == Lower(name))
      {
        return i;
      }
    }
  }
  return std::nullopt;
}

std::string
CsvTable::GetValue(std::size_t row, const std::string & column) const
{
  const auto found = this->FindColumn({ column });
  return found ? this->GetValue(row, *found) : "";
}

std::vector<double>
CsvTable::GetNumbers(const std::vector<std::size_t> & columns) const
{
  std::vector<double> numbers;
  std::string         withComma;
  std::string         withPoint;
  numbers.reserve(m_Rows.size() * columns.size());
  for (std::size_t row = 0; row < m_Rows.size(); ++row)
  {
    for (const std::size_t column : columns)
    {
      const std::string & value = this->GetValue(row, column);
      const std::string   field = this->Describe(row, m_Columns[column]);
      const std::size_t   mark = value.find_first_of(",.");
      if (mark != std::string::npos)
      {
        (value[mark] == ',' ? withComma : withPoint) = value;
      }
      // strtod also reads hexadecimal numbers, which are refused.
      if (value.find_first_of("xX") != std::string::npos || value.find_first_of(",.") != value.find_last_of(",."))
      {
        RefuseField(m_Path, field, '"' + value + '"', "it must be a finite number, with one mark of decimals at most");
      }
      numbers.push_back(ParseNumber(m_Path, field, Replaced(value, ",", ".")));
    }
  }
  if (!withComma.empty() && !withPoint.empty())
  {
    RefuseInput(m_Path,
                "it has numbers with commas, as " + withComma + ", and with points, as " + withPoint +
                  "; which of them separates decimals is not clear, and it must be one in all");
  }
  return numbers;
}

std::string
CsvTable::Describe(std::size_t row, const std::string & column) const
{
  return "the " + column + " in line " + std::to_string(m_Rows.at(row).line);
}

} // namespace cudaneuro::files
