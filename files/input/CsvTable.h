// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_input_CsvTable_h
#define files_input_CsvTable_h

#include <cstddef>
#include <string>
#include <vector>

/** A table of text with commas between the values (RFC 4180): a value may stand in quotation marks, which are doubled
 * inside it. The first line names the columns; empty lines are skipped. A table of numbers may begin without names. */
class CsvTable
{
public:
  /** Reads a file.
   * \param columns the names that its first line may have.
   * \param unnamed the names of the first columns where all values of the first line are numbers. Empty for tables whose
   * first line must have names.
   * \throws UserError that names the file, the line and the column of what cannot be right */
  CsvTable(const std::string &              path,
           const std::vector<std::string> & columns,
           const std::vector<std::string> & unnamed = {});

  /** A value as it is written: in quotation marks where it must be. */
  static std::string
  Quoted(const std::string & value);

  std::size_t
  GetNumberOfRows() const
  {
    return m_Rows.size();
  }
  bool
  HasColumn(const std::string & column) const;
  /** The value of a row; an empty text where there is no such column. */
  std::string
  GetValue(std::size_t row, const std::string & column) const;

  /** For messages, like "the weight in line 3". */
  std::string
  Describe(std::size_t row, const std::string & column) const;

private:
  struct Row
  {
    std::size_t              line;
    std::vector<std::string> values;
  };

  std::vector<std::string>
  SplitLine(std::size_t line, const std::string & text) const;
  void
  ReadHeader(const Row & header, const std::vector<std::string> & columns);
  void
  NameColumns(const Row & first, const std::vector<std::string> & unnamed);

  std::string              m_Path;
  std::vector<std::string> m_Columns;
  bool                     m_HasNames = false;
  std::vector<Row>         m_Rows;
};

#endif
