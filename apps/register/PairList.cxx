// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/PairList.h"

#include "cudaneuro/RegistrationTerms.h"
#include "files/input/CsvTable.h"
#include "files/system/SystemFile.h"
#include "files/output/DistinctNames.h"
#include "files/input/InputFile.h"
#include "shared/ErrorList.h"
#include "shared/Files.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace
{

const std::string placeholder = "{name}";

/** The member with an output's name. */
using OutputMember = std::string RegisterOptions::*;
constexpr OutputMember           outputs[] = {
            &RegisterOptions::outputWarped,    &RegisterOptions::outputField,     &RegisterOptions::outputInverseField,
            &RegisterOptions::outputJacobian,  &RegisterOptions::outputTransform, &RegisterOptions::outputInverseTransform,
            &RegisterOptions::outputAlignment, &RegisterOptions::outputLabels,    &RegisterOptions::json
};

/** The names of columns of a channel's files, without the channel's number. */
constexpr std::pair<const char *, std::string ChannelFiles::*> columnsOfChannels[] = {
  { "fixed_", &ChannelFiles::fixed },
  { "moving_", &ChannelFiles::moving },
  { "fixed_mask_", &ChannelFiles::fixedMask },
  { "moving_mask_", &ChannelFiles::movingMask },
  { "fixed_transform_", &ChannelFiles::fixedTransform },
  { "moving_transform_", &ChannelFiles::movingTransform }
};

void
CheckPatterns(const RegisterOptions & options)
{
  ErrorList errors;
  for (const OutputMember output : outputs)
  {
    const std::string & pattern = options.*output;
    if (!pattern.empty() && pattern.find(placeholder) == std::string::npos)
    {
      std::string text = "the output " + pattern;
      text += " would be that of each pair: with --pairs its name must have " + placeholder;
      errors.Add(text);
    }
  }
  errors.ThrowIfAny();
}

/** Splits at semicolons, which separate the transforms of a pair. */
std::vector<std::string>
SplitFiles(const std::string & value)
{
  std::vector<std::string> parts;
  std::istringstream       stream(value);
  for (std::string part; std::getline(stream, part, ';');)
  {
    if (!Trimmed(part).empty())
    {
      parts.push_back(Trimmed(part));
    }
  }
  return parts;
}

/** Reads the rows of a list. */
class ListReader
{
public:
  ListReader(const RegisterOptions & options, TransformParts parts)
    : m_Options(options)
    , m_Table(options.pairs, { ColumnsOf(parts), {}, {} })
  {}

  RegisterPairs
  Read()
  {
    for (const char * const column : { "fixed", "moving" })
    {
      if (!m_Table.HasColumn(column))
      {
        RefuseInput(m_Options.pairs, std::string("there is no column ") + column);
      }
    }
    if (m_Table.GetNumberOfRows() == 0)
    {
      RefuseInput(m_Options.pairs, "it has no pairs");
    }
    this->CheckChannels();
    RegisterPairs pairs;
    for (std::size_t row = 0; row < m_Table.GetNumberOfRows(); ++row)
    {
      pairs.push_back(this->ReadRow(row));
    }
    this->Name(pairs);
    this->CheckLabels(pairs);
    m_Errors.ThrowIfAny();
    return pairs;
  }

private:
  static std::vector<std::string>
  ColumnsOf(TransformParts parts)
  {
    std::vector<std::string> columns{ "fixed",       "moving",       "name",          "fixed_mask",
                                      "moving_mask", "fixed_labels", "moving_labels", "initial_transform" };
    if (parts == TransformParts::Several)
    {
      columns.insert(columns.end(), { "initial_field", "fixed_points", "moving_points" });
    }
    for (std::size_t channel = 2; channel <= cudaneuro::maximumNumberOfChannels; ++channel)
    {
      for (const auto & [column, file] : columnsOfChannels)
      {
        columns.push_back(column + std::to_string(channel));
      }
    }
    return columns;
  }

  void
  Complain(std::size_t row, const std::string & column, const std::string & text)
  {
    m_Errors.Add(m_Options.pairs + ": " + m_Table.Describe(row, column) + ' ' + text);
  }

  std::string
  PathOf(const std::string & value) const
  {
    return value.empty() ? value : NameBeside(m_Options.pairs, value);
  }

  RegisterPair
  ReadRow(std::size_t row)
  {
    const auto   path = [&](const char * column) { return this->PathOf(m_Table.GetValue(row, column)); };
    RegisterPair pair{ m_Table.GetValue(row, "name"), m_Options };
    pair.files.fixed = path("fixed");
    pair.files.moving = path("moving");
    pair.files.fixedMask = path("fixed_mask");
    pair.files.movingMask = path("moving_mask");
    pair.files.fixedLabels = path("fixed_labels");
    pair.files.movingLabels = path("moving_labels");
    pair.files.initialField = path("initial_field");
    pair.files.fixedPoints = path("fixed_points");
    pair.files.movingPoints = path("moving_points");
    this->ReadChannels(row, pair.files);
    for (const std::string & file : SplitFiles(m_Table.GetValue(row, "initial_transform")))
    {
      pair.files.initialTransforms.push_back(this->PathOf(file));
    }
    this->CheckRow(row, pair.files);
    return pair;
  }

  /** Reads the further channels of a pair. All pairs have the same channels, with consecutive numbers. */
  void
  ReadChannels(std::size_t row, RegisterOptions & files)
  {
    for (std::size_t channel = 2; channel <= this->CountChannels(); ++channel)
    {
      ChannelFiles own;
      for (const auto & [column, file] : columnsOfChannels)
      {
        own.*file = this->PathOf(m_Table.GetValue(row, column + std::to_string(channel)));
      }
      for (const auto & [value, column] : { std::pair(own.fixed, "fixed_"), std::pair(own.moving, "moving_") })
      {
        if (value.empty())
        {
          this->Complain(row, column + std::to_string(channel), "is missing: all pairs have the channels of the list");
        }
      }
      files.channels.push_back(own);
    }
  }

  /** Returns the number of the last channel that has a column. */
  std::size_t
  CountChannels() const
  {
    std::size_t count = 1;
    for (std::size_t channel = 2; channel <= cudaneuro::maximumNumberOfChannels; ++channel)
    {
      for (const auto & [column, file] : columnsOfChannels)
      {
        count = m_Table.HasColumn(column + std::to_string(channel)) ? channel : count;
      }
    }
    return count;
  }

  /** Requires columns for both images of each channel. */
  void
  CheckChannels() const
  {
    for (std::size_t channel = 2; channel <= this->CountChannels(); ++channel)
    {
      for (const std::string column : { "fixed_", "moving_" })
      {
        if (!m_Table.HasColumn(column + std::to_string(channel)))
        {
          RefuseInput(m_Options.pairs,
                      "there is no column " + column + std::to_string(channel) + ", and there are " +
                        std::to_string(this->CountChannels()) + " channels");
        }
      }
    }
  }

  void
  CheckRow(std::size_t row, RegisterOptions & files)
  {
    if (files.fixedPoints.empty() != files.movingPoints.empty())
    {
      const bool isFixed = files.fixedPoints.empty();
      this->Complain(row,
                     isFixed ? "fixed_points" : "moving_points",
                     std::string("is missing beside ") + (isFixed ? "moving_points" : "fixed_points"));
    }
    for (const char * const column : { "fixed", "moving" })
    {
      if (m_Table.GetValue(row, column).empty())
      {
        this->Complain(row, column, "is missing");
      }
    }
    if (files.movingLabels.empty())
    {
      // Other pairs may have moving labels.
      files.outputLabels.clear();
      if (!files.fixedLabels.empty())
      {
        this->Complain(row, "fixed_labels", "need moving_labels beside them");
      }
    }
    else if (files.fixedLabels.empty() && files.outputLabels.empty())
    {
      this->Complain(row, "moving_labels", "have no effect without fixed_labels or --output-labels");
    }
  }

  void
  CheckLabels(const RegisterPairs & pairs)
  {
    const auto hasLabels = [](const RegisterPair & pair) { return !pair.files.movingLabels.empty(); };
    if (!m_Options.outputLabels.empty() && std::none_of(pairs.begin(), pairs.end(), hasLabels))
    {
      m_Errors.Add("--output-labels has no effect here: " + m_Options.pairs + " has no moving_labels");
    }
  }

  /** Names the pairs, after their moving images if the list has no names, and their outputs. */
  void
  Name(RegisterPairs & pairs)
  {
    if (m_Table.HasColumn("name"))
    {
      this->CheckNames(pairs);
    }
    else
    {
      std::vector<std::string> paths;
      for (const RegisterPair & pair : pairs)
      {
        paths.push_back(pair.files.moving);
      }
      const std::vector<std::string> names = DistinctNames(paths);
      for (std::size_t i = 0; i < pairs.size(); ++i)
      {
        pairs[i].name = names[i];
      }
    }
    for (RegisterPair & pair : pairs)
    {
      for (const OutputMember output : outputs)
      {
        pair.files.*output = Replaced(pair.files.*output, placeholder, pair.name);
      }
    }
  }

  void
  CheckNames(const RegisterPairs & pairs)
  {
    // Some file systems ignore the case of letters.
    std::map<std::string, std::size_t> rows;
    for (std::size_t row = 0; row < pairs.size(); ++row)
    {
      const std::string & name = pairs[row].name;
      if (name.empty())
      {
        this->Complain(row, "name", "is missing");
        continue;
      }
      if (!IsPartOfFileName(name))
      {
        this->Complain(row, "name", "is " + name + "; it must be a part of the name of a file, without folders");
      }
      const auto [first, isNew] = rows.emplace(Lower(name), row);
      if (!isNew)
      {
        this->Complain(row, "name", "is " + name + ", as " + m_Table.Describe(first->second, "name"));
      }
    }
  }

  const RegisterOptions & m_Options;
  const CsvTable          m_Table;
  ErrorList               m_Errors;
};

} // namespace

RegisterPairs
ReadPairs(const RegisterOptions & options, TransformParts parts)
{
  CheckPatterns(options);
  return ListReader(options, parts).Read();
}

std::vector<std::string>
OutputsOf(const RegisterOptions & files)
{
  std::vector<std::string> paths;
  for (const OutputMember output : outputs)
  {
    if (!(files.*output).empty())
    {
      paths.push_back(files.*output);
    }
  }
  return paths;
}
