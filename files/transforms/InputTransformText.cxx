// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/transforms/InputTransform.h"

#include "files/input/InputFile.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>

namespace
{

/** The transform of a text file whose lines are being read, until both kinds of parameters are known. */
class TextTransforms
{
public:
  explicit TextTransforms(const std::string & path)
    : m_Path(path)
  {}

  void
  AddLine(const std::string & line)
  {
    const std::size_t colon = line.find(':');
    const std::string name = Trimmed(line.substr(0, colon));
    if (line.empty() || line[0] == '#' || (colon == std::string::npos && name.empty()))
    {
      return;
    }
    if (colon == std::string::npos)
    {
      RefuseInput(m_Path, "it has a line that is no \"name: value\"");
    }
    if (name == "Transform")
    {
      this->Finish();
      m_Record.emplace();
      m_Record->type = Trimmed(line.substr(colon + 1));
    }
    else if ((name == "Parameters" || name == "FixedParameters") && m_Record)
    {
      bool & isKnown = name == "Parameters" ? m_HasParameters : m_HasFixedParameters;
      if (isKnown)
      {
        RefuseInput(m_Path, name + " are given twice for a transform");
      }
      isKnown = true;
      this->ReadNumbers(name, line.c_str() + colon + 1);
    }
    else
    {
      RefuseInput(m_Path, "it has a line of \"" + name.substr(0, 20) + "\", where none can be");
    }
  }

  /** Checks the transform after its last line. */
  void
  Finish()
  {
    if (m_Record)
    {
      const bool isComposite = m_Record->type.rfind("CompositeTransform_", 0) == 0;
      if (m_HasParameters == isComposite || m_HasFixedParameters == isComposite)
      {
        RefuseInput(m_Path,
                    isComposite ? "its composite transform has parameters"
                                : "its " + m_Record->type + " has no Parameters, or no FixedParameters");
      }
      CheckTransform(m_Path, *m_Record);
      ++m_Count;
    }
    m_HasParameters = m_HasFixedParameters = false;
    m_Record.reset();
  }

  std::size_t
  GetCount() const
  {
    return m_Count;
  }

private:
  void
  ReadNumbers(const std::string & name, const char * text)
  {
    for (const char * at = text + std::strspn(text, " \t\r"); *at != '\0'; at += std::strspn(at, " \t\r"))
    {
      char *       end = nullptr;
      const double value = std::strtod(at, &end);
      if (end == at || std::strchr(" \t\r", *end) == nullptr)
      {
        RefuseField(m_Path, name, '"' + std::string(at).substr(0, 20) + '"', "they must be numbers");
      }
      CheckCoordinate(m_Path, name, value);
      at = end;
      if (name == "Parameters")
      {
        ++m_Record->numberOfParameters;
      }
      else
      {
        m_Record->fixedParameters.push_back(value);
      }
    }
  }

  std::string                    m_Path;
  std::optional<TransformRecord> m_Record;
  bool                           m_HasParameters = false;
  bool                           m_HasFixedParameters = false;
  std::size_t                    m_Count = 0;
};

/** The header of a matrix in a Matlab file of level 4, in the byte order of this machine. */
struct MatlabMatrix
{
  std::int32_t type;
  std::int32_t rows;
  std::int32_t columns;
  std::int32_t isImaginary;
  std::int32_t nameBytes;
};

/** Reads a column of numbers. */
struct MatlabColumn
{
  std::string         name;
  std::vector<double> values;
};

/** \return nothing at the end of the file */
std::optional<MatlabColumn>
ReadMatlabColumn(const std::string & path, std::ifstream & file, std::uint64_t size)
{
  MatlabMatrix matrix{};
  file.read(reinterpret_cast<char *>(&matrix), sizeof(matrix));
  if (file.gcount() == 0 && file.eof())
  {
    return std::nullopt;
  }
  // Numbers of double or float, by columns or by rows, in little-endian order.
  const bool    isFloat = matrix.type == 10 || matrix.type == 110;
  const bool    isKnown = isFloat || matrix.type == 0 || matrix.type == 100;
  const auto    longest = std::min<std::uint64_t>(size, std::numeric_limits<std::int32_t>::max());
  constexpr int longestName = 200;
  if (!file || !isKnown || matrix.isImaginary != 0 || matrix.columns != 1 || matrix.rows < 0 ||
      static_cast<std::uint64_t>(matrix.rows) > longest || matrix.nameBytes < 1 || matrix.nameBytes > longestName)
  {
    RefuseInput(path, "it is damaged, or no Matlab file of level 4 with columns of numbers");
  }
  MatlabColumn column;
  column.name.resize(static_cast<std::size_t>(matrix.nameBytes));
  file.read(column.name.data(), matrix.nameBytes);
  for (std::int32_t row = 0; row < matrix.rows && file; ++row)
  {
    float  single = 0.0f;
    double value = 0.0;
    isFloat ? file.read(reinterpret_cast<char *>(&single), sizeof(single))
            : file.read(reinterpret_cast<char *>(&value), sizeof(value));
    column.values.push_back(isFloat ? static_cast<double>(single) : value);
  }
  if (!file || column.name.find('\0') != column.name.size() - 1)
  {
    RefuseInput(path, "it is cut short, or a name in it is damaged");
  }
  column.name.pop_back();
  for (const double value : column.values)
  {
    CheckCoordinate(path, "a parameter of its transform", value);
  }
  return column;
}

} // namespace

void
CheckTextTransforms(const std::string & path)
{
  const std::string start = ReadStart(path, 32);
  if (start.rfind("#Insight Transform File V1.0", 0) != 0)
  {
    RefuseInput(path, "it is no transform file: its first line is not \"#Insight Transform File V1.0\"");
  }
  const std::uint64_t size = CheckRegularFile(path);
  if (ReadBytes(path, size - 1, 1).front() != '\n')
  {
    RefuseInput(path, "it is cut short: its last line does not end");
  }
  TextTransforms transforms(path);
  std::ifstream  file(path, std::ios::binary);
  for (std::string line; std::getline(file, line);)
  {
    transforms.AddLine(line);
  }
  transforms.Finish();
  if (transforms.GetCount() == 0)
  {
    RefuseInput(path, "it has no transform");
  }
}

void
CheckMatlabTransforms(const std::string & path)
{
  const std::uint64_t size = CheckRegularFile(path);
  std::ifstream       file(path, std::ios::binary);
  std::size_t         count = 0;
  for (auto parameters = ReadMatlabColumn(path, file, size); parameters;
       parameters = ReadMatlabColumn(path, file, size))
  {
    const auto fixed = ReadMatlabColumn(path, file, size);
    if (!fixed)
    {
      RefuseInput(path, "it is cut short: a transform has no fixed parameters");
    }
    CheckTransform(path, { parameters->name, parameters->values.size(), fixed->values });
    ++count;
  }
  if (count == 0)
  {
    RefuseInput(path, "it has no transform");
  }
}
