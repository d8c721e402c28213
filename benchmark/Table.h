// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef Table_h
#define Table_h

#include "limits/Limits.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/** The benchmark is a table: the definition of a row, the functions that run rows, and their records. */
namespace cudaneuro::benchmark
{

using Size = std::array<std::int64_t, 3>;

/** Returns the name of a size: "576x576x300". */
std::string
NameOf(const Size & size);

double
VoxelsOf(const Size & size);

/** Returns the size of that name.
 * \throws std::invalid_argument */
Size
SizeOfName(const std::string & name);

/** The minimum time that a limit of this machine allows, and the name of the limit. */
struct Floor
{
  /** The name of the limit; empty where none is known. */
  std::string name;
  double      milliseconds = 0.0;
};

/** Returns the time of an amount of work at a rate per second. Without work, or where the machine has no such rate, no
 * limit is known. */
Floor
FloorOf(const char * name, double work, double rate);

/** Returns the limit of a row; called after the row was measured. Empty where no limit is known. */
using Limit = std::function<Floor(const Limits &)>;

/** Returns the limit of reading and writing this many bytes. */
Limit
CopyRate(double bytes);

/** One line of the results, as text and as an object of the JSON file. */
struct Record
{
  using Value = std::variant<std::monostate, double, std::size_t, std::string>;

  /** The array of the file that contains it: "results", "device_memory" or "landmark_matching". */
  const char * section = "results";
  std::string  name;
  Size         size{ 0, 0, 0 };
  /** The text after name and size on standard output. */
  std::string                                 text;
  std::vector<std::pair<const char *, Value>> values;
  bool                                        hasFailed = false;
};

/** Returns the record of a time, with the ratio to its limit. */
Record
TimeRecord(const std::string & name, const Size & size, double milliseconds, const Floor & floor = {});

/** Formats a number with at least three significant digits, without an exponent. */
std::string
Rounded(double value);

/** Returns the text with spaces before it, as in a column of numbers. */
std::string
Padded(const std::string & text, std::size_t width = 10);

/** A row of the table. */
struct Row
{
  std::string name;
  Size        size;
  Limit       limit;
  /** Measures the row.
   * \returns milliseconds of one run after warming up, or bytes where \c isOfMemory. */
  std::function<double()> run;
  /** Whether the row measures the peak device memory of a job. */
  bool isOfMemory = false;
  /** Returns the size, where it is known only after the row has run. */
  std::function<Size()> sizeOfData = nullptr;
  /** Returns further records of the row, after it has run. */
  std::function<std::vector<Record>()> more = nullptr;
};

using Table = std::vector<Row>;

/** Appends rows. */
void
Append(Table & table, Table rows);

/** Data that several rows share. The first row that needs them makes them, and fails if that fails; they are freed with
 * the last row that refers to them. */
template <typename T>
class Lazy
{
public:
  /** \param make is called as make() and returns T. */
  template <typename TMake>
  explicit Lazy(TMake make)
    : m_State(std::make_shared<State>())
  {
    m_State->make = [make] { return std::unique_ptr<T>(new T(make())); };
  }

  T &
  Get() const
  {
    if (!m_State->value)
    {
      m_State->value = m_State->make();
    }
    return *m_State->value;
  }
  bool
  IsMade() const
  {
    return m_State->value != nullptr;
  }

private:
  struct State
  {
    std::function<std::unique_ptr<T>()> make;
    std::unique_ptr<T>                  value;
  };
  std::shared_ptr<State> m_State;
};

/** Runs the rows one after the other and frees what they hold. A row that throws is reported as failed, and the
 * remaining rows are run.
 * \throws Interrupted, Aborted, itk::ProcessAborted when the program was asked to end. */
void
RunRows(Table rows, const Limits & limits, const std::function<void(const Record &)> & report);

/** Prints a record as one line on standard output. */
void
Print(const Record & record);

/** Prints the name and size of each row. */
void
PrintNames(const Table & rows);

} // namespace cudaneuro::benchmark

#endif
