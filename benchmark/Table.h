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

/** The benchmark is a table: what a row is, how the rows are run, and the records that come of them. */
namespace cudaneuro::benchmark
{

using Size = std::array<std::int64_t, 3>;

/** "576x576x300" */
std::string
NameOf(const Size & size);

double
VoxelsOf(const Size & size);

/** The size of that name.
 * \throws std::invalid_argument */
Size
SizeOfName(const std::string & name);

/** The minimum time that a limit of this machine allows, and the name of the limit. */
struct Floor
{
  /** Empty where no limit is known. */
  std::string name;
  double      milliseconds = 0.0;
};

/** The time of an amount of work at a rate per second. Without work, or where the machine has no such rate, no limit is
 * known. */
Floor
FloorOf(const char * name, double work, double rate);

/** What binds a row, which is asked after the row was measured; empty where no limit is known. */
using Limit = std::function<Floor(const Limits &)>;

/** The limit of reading and writing this many bytes. */
Limit
CopyRate(double bytes);

/** One line of the results, as text and as an object of the JSON file. */
struct Record
{
  using Value = std::variant<std::monostate, double, std::size_t, std::string>;

  /** The array of the file that holds it: "results", "device_memory" or "landmark_matching". */
  const char * section = "results";
  std::string  name;
  Size         size{ 0, 0, 0 };
  /** What follows name and size on standard output. */
  std::string                                 text;
  std::vector<std::pair<const char *, Value>> values;
  bool                                        hasFailed = false;
};

/** A time, with the share of the limit. */
Record
TimeRecord(const std::string & name, const Size & size, double milliseconds, const Floor & floor = {});

/** At least three significant digits, without an exponent. */
std::string
Rounded(double value);

/** The text with spaces before it, as in a column of numbers. */
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
  /** Whether the row is of the peak device memory of a job. */
  bool isOfMemory = false;
  /** The size, where it is known only when the row has run. */
  std::function<Size()> sizeOfData = nullptr;
  /** Records beside the row's own, after it has run. */
  std::function<std::vector<Record>()> more = nullptr;
};

using Table = std::vector<Row>;

/** Appends rows. */
void
Append(Table & table, Table rows);

/** Data of several rows. The first row that needs them makes them, and fails if that fails; they are freed with the
 * last row that refers to them. */
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

/** Runs the rows one after the other and frees what they hold. A row that throws is reported as failed, and the rows
 * after it go on.
 * \throws Interrupted, Aborted, itk::ProcessAborted: a program that was asked to end does so. */
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
