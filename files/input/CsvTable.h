// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_input_CsvTable_h
#define files_input_CsvTable_h

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** What a table may be like. */
struct CsvFormat
{
  /** The names that columns may have; any where it is empty. */
  std::vector<std::string> known;
  /** The names of columns of numbers where no line names them. Where it is not empty, lines that begin with # are
   * comments, of which one may name the columns, and blanks may separate values. */
  std::vector<std::string> unnamed;
  /** The names of values that may follow those of named columns, all or none. Where it is not empty, a comment alone
   * names columns. */
  std::vector<std::string> further;
};

/** A table of text with commas, semicolons or tabs between the values (RFC 4180): a value may stand in quotation marks,
 * which are doubled inside it; a break of lines there is a blank. Empty lines, and empty values after the last column,
 * are skipped. Names of columns are compared without regard to case. */
class CsvTable
{
public:
  /** \throws UserError that names the file, the line and the column of what cannot be right */
  CsvTable(const std::string & path, const CsvFormat & format);

  /** A value as it is written: in quotation marks where it must be. */
  static std::string
  Quoted(const std::string & value);

  std::size_t
  GetNumberOfRows() const
  {
    return m_Rows.size();
  }
  const std::vector<std::string> &
  GetColumns() const
  {
    return m_Columns;
  }
  const std::vector<std::string> &
  GetComments() const
  {
    return m_Comments;
  }

  /** The first column that has one of some names. */
  std::optional<std::size_t>
  FindColumn(const std::vector<std::string> & names) const;
  bool
  HasColumn(const std::string & column) const
  {
    return this->FindColumn({ column }).has_value();
  }

  const std::string &
  GetValue(std::size_t row, std::size_t column) const
  {
    return m_Rows[row].values[column];
  }
  /** The value of a row; an empty text where there is no such column. */
  std::string
  GetValue(std::size_t row, const std::string & column) const;

  /** The numbers of some columns, row after row. A comma in them is one of decimals, unless another has a point.
   * \throws UserError for what is no finite number */
  std::vector<double>
  GetNumbers(const std::vector<std::size_t> & columns) const;

  void
  RemoveRow(std::size_t row)
  {
    m_Rows.erase(m_Rows.begin() + static_cast<std::ptrdiff_t>(row));
  }

  /** For messages, like "the weight in line 3". */
  std::string
  Describe(std::size_t row, const std::string & column) const;

private:
  struct Row
  {
    std::size_t              line;
    std::vector<std::string> values;
  };

  void
  AddLine(std::size_t line, const std::string & text, const CsvFormat & format);
  void
  AddComment(std::string text, const CsvFormat & format);
  /** \return whether a row names the columns */
  bool
  NameColumns(const Row & first, const CsvFormat & format);
  void
  CheckNames(const Row & header, const CsvFormat & format) const;
  void
  AddRow(Row row, const CsvFormat & format);

  std::string              m_Path;
  char                     m_Separator = '\0';
  std::vector<std::string> m_Columns;
  bool                     m_HasNames = false;
  std::vector<std::string> m_Comments;
  std::vector<std::string> m_NamesInComment;
  std::vector<Row>         m_Rows;
};

} // namespace cudaneuro::files

#endif
