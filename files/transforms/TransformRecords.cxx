// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/transforms/TransformRecords.h"

#include "files/base/ErrorStream.h"
#include "files/base/Errors.h"
#include "files/base/NumberTypes.h"
#include "files/input/GzipFile.h"
#include "files/input/InputFile.h"
#include "files/transforms/Hdf5Mutex.h"
#include "files/transforms/LtaFile.h"
#include "files/transforms/OtherTransforms.h"
#include "itk_H5Cpp.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <utility>

namespace cudaneuro::files
{

namespace
{

bool
StartsWith(const std::string & text, const char * start)
{
  return text.rfind(start, 0) == 0;
}

/** So much of a file tells what it is. */
constexpr std::size_t bytesOfStart = 4096;

/** The numbers of a line of text. */
std::vector<double>
NumbersOf(const std::string & path, const std::string & name, const std::string & text)
{
  std::vector<double> numbers;
  for (const std::string & word : SplitWords(text))
  {
    numbers.push_back(ParseNumber(path, name, word));
    CheckCoordinate(path, name, numbers.back());
  }
  return numbers;
}

/** Reads text: lines of "Transform: type", "Parameters: numbers" and "FixedParameters: numbers". */
TransformRecords
ReadText(const std::string & path)
{
  TransformRecords      records;
  std::set<std::string> names; // those of the last record
  const auto            finish = [&] {
    if (!records.empty() && names.size() < 2 && !StartsWith(records.back().type, "CompositeTransform_"))
    {
      RefuseInput(path,
                  "its " + records.back().type +
                    " has no Parameters, or no FixedParameters; a line of each is needed, also without numbers");
    }
    names.clear();
  };
  std::ifstream file(path, std::ios::binary);
  std::string   line;
  bool          isOpen = false;
  for (bool isFirst = true; std::getline(file, line); isFirst = false)
  {
    isOpen = file.eof();
    if (isFirst)
    {
      TakeMark(path, line);
    }
    const std::size_t colon = line.find(':');
    const std::string name = Trimmed(line.substr(0, colon));
    if (StartsWith(name, "#") || (name.empty() && colon == std::string::npos))
    {
      continue;
    }
    const bool isFixed = name == "FixedParameters";
    if (name == "Transform" && colon != std::string::npos)
    {
      finish();
      records.emplace_back();
      records.back().type = Trimmed(line.substr(colon + 1));
    }
    else if (colon == std::string::npos || records.empty() || !(isFixed || name == "Parameters") ||
             !names.insert(name).second)
    {
      RefuseInput(path, "it has a line of \"" + name.substr(0, 20) + "\", where none can be");
    }
    else
    {
      (isFixed ? records.back().fixedParameters : records.back().parameters) =
        NumbersOf(path, name, line.substr(colon + 1));
      records.back().numberOfParameters = records.back().parameters.size();
    }
  }
  finish();
  if (isOpen && !records.empty())
  {
    records.back().note = "may be cut short: its last line does not end";
  }
  return records;
}

/** Whether a text of ITK begins here, which people write without its first line. */
bool
IsText(const std::string & start)
{
  std::istringstream lines(start);
  bool               isText = StartsWith(start, "#Insight Transform File V1.0");
  for (std::string line; !isText && std::getline(lines, line);)
  {
    isText = StartsWith(Trimmed(line), "Transform:");
  }
  return isText;
}

/** Takes a column, or a row, of numbers from a Matlab file of level 4: its name and the numbers. */
std::pair<std::string, std::vector<double>>
TakeColumn(const std::string & path, const std::vector<char> & bytes, std::size_t & at)
{
  RequireBytes(path, bytes.size(), at, 5 * sizeof(std::int32_t));
  // Double or float, by columns or by rows; those of big-endian machines have 1000 more.
  const bool isSwapped = bytes[at] == '\0' && bytes[at + 3] != '\0';
  const auto take = [&] { return NumberAt<std::int32_t>(bytes.data() + std::exchange(at, at + 4), isSwapped); };
  const auto type = take() - (isSwapped ? 1000 : 0);
  const auto rows = take();
  const auto columns = take();
  const bool isComplex = take() != 0;
  const auto nameBytes = take();
  const bool isFloat = type == 10 || type == 110;
  if ((!isFloat && type != 0 && type != 100) || isComplex || rows < 0 || columns < 0 || std::min(rows, columns) > 1 ||
      nameBytes < 1)
  {
    RefuseInput(path, "it is damaged, or no Matlab file of level 4 with columns of numbers");
  }
  const auto        number = isFloat ? itk::IOComponentEnum::FLOAT : itk::IOComponentEnum::DOUBLE;
  const std::size_t begin = at + static_cast<std::size_t>(nameBytes);
  const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  RequireBytes(path, bytes.size(), begin, count * BytesOf(number));
  const std::string   name(bytes.data() + at, static_cast<std::size_t>(nameBytes) - 1);
  std::vector<double> numbers;
  for (at = begin; numbers.size() < count; at += BytesOf(number))
  {
    numbers.push_back(NumberAt(number, bytes.data() + at, isSwapped));
    CheckCoordinate(path, "a parameter of its transform", numbers.back());
  }
  return { name, numbers };
}

TransformRecords
ReadMatlab(const std::string & path)
{
  const std::vector<char> bytes = ReadBytes(path, 0, CheckRegularFile(path));
  TransformRecords        records;
  for (std::size_t at = 0; at < bytes.size();)
  {
    auto parameters = TakeColumn(path, bytes, at);
    auto fixed = TakeColumn(path, bytes, at);
    if (parameters.first == "fixed")
    {
      std::swap(parameters, fixed);
    }
    records.push_back({ parameters.first, fixed.second, parameters.second.size(), parameters.second, "" });
  }
  return records;
}

/** Reads a set of numbers, or no more than how many there are, which it returns.
 * \throws UserError when they are not all in the file */
std::uint64_t
ReadNumbers(const std::string &   path,
            const H5::H5File &    file,
            const std::string &   group,
            const std::string &   name,
            TransformNumbers      wanted,
            std::vector<double> & values)
{
  // Older versions of ITK misspell the names.
  const bool            isOlder = !file.nameExists(group + "/Transform" + name);
  const H5::DataSet     numbers = file.openDataSet(group + (isOlder ? "/Tranform" : "/Transform") + name);
  const H5::DataSpace   space = numbers.getSpace();
  constexpr std::size_t bytes = sizeof(double);
  if (numbers.getTypeClass() != H5T_FLOAT || space.getSimpleExtentNdims() != 1)
  {
    RefuseInput(path, "parameters of a transform in it are no list of real numbers");
  }
  const auto size = static_cast<std::uint64_t>(space.getSimpleExtentNpoints());
  if (size > 0 && numbers.getStorageSize() == 0)
  {
    RefuseInput(path, "parameters of a transform are not in it");
  }
  CheckRatio(path, CheckRegularFile(path), SaturatedProduct({ bytes, std::max<std::uint64_t>(1, size) }));
  if (wanted == TransformNumbers::All && size > 0)
  {
    values.resize(size);
    numbers.read(values.data(), H5::PredType::NATIVE_DOUBLE);
  }
  return size;
}

TransformRecord
ReadRecord(const std::string & path, const H5::H5File & file, const std::string & group, TransformNumbers numbers)
{
  TransformRecord   record;
  const H5::DataSet type = file.openDataSet(group + "/TransformType");
  if (type.getTypeClass() != H5T_STRING || type.getSpace().getSimpleExtentNpoints() != 1)
  {
    RefuseInput(path, "the type of a transform in it is no text");
  }
  const hsize_t one = 1;
  type.read(record.type, H5::StrType(H5::PredType::C_S1, H5T_VARIABLE), H5::DataSpace(1, &one));
  if (record.type.rfind("CompositeTransform_", 0) != 0)
  {
    ReadNumbers(path, file, group, "FixedParameters", TransformNumbers::All, record.fixedParameters);
    record.numberOfParameters = ReadNumbers(path, file, group, "Parameters", numbers, record.parameters);
  }
  return record;
}

TransformRecords
ReadHdf5(const std::string & path, TransformNumbers numbers)
{
  const std::lock_guard<std::mutex> lock(Hdf5Mutex());
  const ErrorStreamCapture          errors;
  try
  {
    const H5::H5File  file(path, H5F_ACC_RDONLY);
    const std::string group = "/TransformGroup";
    const hsize_t     count = file.openGroup(group).getNumObjs();
    TransformRecords  records;
    for (hsize_t i = 0; i < count; ++i)
    {
      records.push_back(ReadRecord(path, file, group + ('/' + std::to_string(i)), numbers));
    }
    return records;
  }
  catch (const H5::Exception & error)
  {
    const std::string reason = OneLine(error.getDetailMsg());
    // The library cannot close what it opened of a damaged file, and says so when the program ends.
    std::atexit([] {
      // Never destroyed, because the library prints after static objects are gone.
      static const ErrorStreamCapture & capture = *new ErrorStreamCapture;
      capture.TakeText();
    });
    RefuseInput(path, "it is damaged, or an HDF5 file of something else: " + reason);
  }
}

/** A transform of FreeSurfer as the affine transform of ITK that maps points the same way. */
TransformRecord
RecordOfLta(const std::string & path)
{
  const SpaceMatrix map = ReadLta(path);
  TransformRecord   record{ "AffineTransform_double_3_3", { 0.0, 0.0, 0.0 }, 12, {}, "" };
  for (unsigned int row = 0; row < 3; ++row)
  {
    record.parameters.insert(record.parameters.end(), { map(row, 0), map(row, 1), map(row, 2) });
  }
  record.parameters.insert(record.parameters.end(), { map(0, 3), map(1, 3), map(2, 3) });
  return record;
}

} // namespace

bool
IsTransformText(const std::string & path)
{
  CheckRegularFile(path);
  std::string start = ReadStart(path, bytesOfStart);
  TakeMark(path, start);
  return IsText(start);
}

TransformRecords
ReadTransformRecords(const std::string & path, TransformNumbers numbers)
{
  CheckRegularFile(path);
  std::string      start = ReadStart(path, bytesOfStart);
  TransformRecords records;
  TakeMark(path, start);
  if (IsText(start))
  {
    records = ReadText(path);
  }
  else if (StartsWith(start, "\x89HDF\r\n\x1a\n"))
  {
    records = ReadHdf5(path, numbers);
  }
  else if (EndingOf(path) == ".mat" && !StartsWith(start, "MATLAB ") && !IsMatrix(start))
  {
    records = ReadMatlab(path);
  }
  else if (EndingOf(path) == ".lta" || start.find("nxforms") != std::string::npos)
  {
    records.push_back(RecordOfLta(path));
  }
  else
  {
    RefuseInput(path, ReasonForOther(path, start));
  }
  if (records.empty())
  {
    RefuseInput(path, "it has no transform");
  }
  return records;
}

} // namespace cudaneuro::files
