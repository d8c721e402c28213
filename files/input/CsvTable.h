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

/** The variants of a table that are accepted. */
struct CsvFormat
{
  /** The names that columns may have; empty for any. */
  std::vector<std::string> known;
  /** The names of columns of numbers, if no line names them. If not empty, lines that begin with # are
   * comments, one of which may name the columns, and blanks may separate values. */
  std::vector<std::string> unnamed;
  /** The names of values that may follow those of named columns, all or none. If not empty, only a comment can name
   * columns. */
  std::vector<std::string> further;
};

/** A table of text with commas, semicolons or tabs between the values (RFC 4180). A value may be in quotation marks,
 * which are doubled inside it; line breaks inside become blanks. Empty lines, and empty values after the last column,
 * are skipped. Names of columns are compared without case. */
class CsvTable
{
public:
  /** \throws UserError that names the file, the line and the column of an error */
  CsvTable(const std::string & path, const CsvFormat & format);

  /** Returns a value in the form to write: in quotation marks if necessary. */
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

  /** Returns the first column that has one of several names. */
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
  /** Returns the value of a row; an empty text if there is no such column. */
  std::string
  GetValue(std::size_t row, const std::string & column) const;

  /** Returns the numbers of several columns, row after row. A comma separates decimals, unless another number has a
   * point.
   * \throws UserError for a value that is no finite number */
  std::vector<double>
  GetNumbers(const std::vector<std::size_t> & columns) const;

  void
  RemoveRow(std::size_t row)
  {
    m_Rows.erase(m_Rows.begin() + static_cast<std::ptrdiff_t>(row));
  }

  /** Returns a text for messages such as "the weight in line 3". */
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
