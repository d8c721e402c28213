// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Table.h"

#include "cudaneuro/Error.h"
#include "itkMacro.h"
#include "shared/Messages.h"
#include "shared/Signals.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <new>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace cudaneuro::benchmark
{

namespace
{

Record
FailedRecord(const Row & row, const std::string & error)
{
  Record record;
  record.name = row.name;
  record.size = row.size;
  record.text = "  failed: " + error;
  record.values = { { "error", error } };
  record.hasFailed = true;
  return record;
}

/** Returns the peak memory of a job as a record, also in volumes of float of the row's size. */
Record
MemoryRecord(const std::string & name, const Size & size, double bytes)
{
  const auto wholeBytes = static_cast<std::size_t>(bytes);
  Record     record;
  record.section = "device_memory";
  record.name = name;
  record.size = size;
  record.text = Padded(std::to_string(wholeBytes >> 20)) + " MiB";
  record.values = { { "bytes", wholeBytes }, { "float_volumes", bytes / (sizeof(float) * VoxelsOf(size)) } };
  return record;
}

/** Measures a row, and reports it and its further records. */
void
Measure(Row & row, const Limits & limits, const std::function<void(const Record &)> & report)
{
  const double measured = row.run();
  if (row.sizeOfData)
  {
    row.size = row.sizeOfData();
  }
  report(row.isOfMemory ? MemoryRecord(row.name, row.size, measured)
                        : TimeRecord(row.name, row.size, measured, row.limit ? row.limit(limits) : Floor()));
  if (row.more)
  {
    for (const Record & record : row.more())
    {
      report(record);
    }
  }
}

/** Returns the error of a row, in one line; none if it succeeded. */
std::optional<std::string>
ErrorOf(const std::function<void()> & measure)
{
  try
  {
    measure();
    return std::nullopt;
  }
  catch (const Aborted &)
  {
    throw;
  }
  catch (const itk::ProcessAborted &)
  {
    throw;
  }
  catch (const itk::ExceptionObject & error)
  {
    return OneLine(error.GetDescription());
  }
  catch (const std::bad_alloc &)
  {
    return "there is not enough memory";
  }
  catch (const std::exception & error)
  {
    return OneLine(error.what());
  }
}

std::ostream &
PrintName(const std::string & name, const Size & size)
{
  return std::cout << std::left << std::setw(58) << name << ' ' << std::setw(12) << NameOf(size);
}

} // namespace

std::string
NameOf(const Size & size)
{
  return std::to_string(size[0]) + 'x' + std::to_string(size[1]) + 'x' + std::to_string(size[2]);
}

double
VoxelsOf(const Size & size)
{
  return static_cast<double>(size[0]) * static_cast<double>(size[1]) * static_cast<double>(size[2]);
}

Size
SizeOfName(const std::string & name)
{
  std::smatch match;
  if (!std::regex_match(name, match, std::regex("([1-9][0-9]{0,5})x([1-9][0-9]{0,5})x([1-9][0-9]{0,5})")))
  {
    throw std::invalid_argument("\"" + name + "\" is no size: give it as 256x256x200");
  }
  return { std::stoll(match[1]), std::stoll(match[2]), std::stoll(match[3]) };
}

Floor
FloorOf(const char * name, double work, double rate)
{
  return work > 0.0 && rate > 0.0 ? Floor{ name, 1000.0 * work / rate } : Floor();
}

Limit
CopyRate(double bytes)
{
  return [bytes](const Limits & limits) { return FloorOf("copy rate", bytes, limits.copyBytes); };
}

std::string
Rounded(double value)
{
  std::ostringstream text;
  text << std::fixed << std::setprecision(value < 1.0 ? 4 : value < 10.0 ? 3 : value < 100.0 ? 2 : 1) << value;
  return text.str();
}

std::string
Padded(const std::string & text, std::size_t width)
{
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

Record
TimeRecord(const std::string & name, const Size & size, double milliseconds, const Floor & floor)
{
  const bool   hasLimit = !floor.name.empty();
  const double share = milliseconds > 0.0 ? floor.milliseconds / milliseconds : 0.0;
  Record       record;
  record.name = name;
  record.size = size;
  record.values = {
    { "milliseconds", milliseconds }, { "limit", {} }, { "limit_value", {} }, { "share_of_limit", {} }
  };
  record.text = Padded(Rounded(milliseconds)) + " ms";
  if (hasLimit)
  {
    record.text += Padded(std::to_string(std::lround(100.0 * share)), 6) + " % of " + floor.name;
    record.values[1].second = floor.name;
    record.values[2].second = floor.milliseconds;
    record.values[3].second = share;
  }
  return record;
}

void
Append(Table & table, Table rows)
{
  std::move(rows.begin(), rows.end(), std::back_inserter(table));
}

void
RunRows(Table rows, const Limits & limits, const std::function<void(const Record &)> & report)
{
  for (Row & row : rows)
  {
    if (const auto error = ErrorOf([&] { Measure(row, limits, report); }))
    {
      ThrowIfInterrupted(); // checked because failures after an interruption are caused by it
      report(FailedRecord(row, *error));
    }
    row = Row();
  }
}

void
Print(const Record & record)
{
  PrintName(record.name, record.size) << record.text << std::endl;
}

void
PrintNames(const Table & rows)
{
  for (const Row & row : rows)
  {
    PrintName(row.name, row.size) << std::endl;
  }
}

} // namespace cudaneuro::benchmark
