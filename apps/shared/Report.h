// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_Report_h
#define apps_shared_Report_h

#include "files/output/OutputFile.h"
#include "shared/Files.h"

#include <nlohmann/json.hpp>

#include <future>
#include <string>
#include <utility>
#include <vector>

namespace itk
{
class ComputeDevice;
}

/** Reports what a program did, as text and as JSON. */
class Report
{
public:
  /** Keeps the order of insertion. */
  using Json = nlohmann::ordered_json;

  virtual ~Report() = default;

  /** Writes a value at a JSON pointer such as "/seconds/reading". */
  template <typename TValue>
  void
  Set(const std::string & where, const TValue & value)
  {
    m_Json[Json::json_pointer(where)] = value;
  }

  /** Repeats a value in the JSON by the name that older reports had. Both are JSON pointers; without a value nothing
   * is repeated. */
  void
  AddOldName(const std::string & oldName, const std::string & where);

  /** Sets the device that computes. A thread asks for its description, which starts a CUDA device while files are
   * read. */
  void
  SetDevice(const itk::ComputeDevice & device);

  /** Prints the report on standard output in a few lines. */
  virtual void
  Print() const = 0;

  /** Returns the report as JSON with a newline. WriteAndPrint adds the device's description first. */
  std::string
  GetJson() const;

  /** Writes the report as JSON if \p json, the path of the user's option, is not empty. Prints it unless \p isQuiet, or
   * the JSON went to standard output.
   * \param file the output of \p json; null for standard output, whose path is "-"
   * \throws UserError, Interrupted */
  void
  WriteAndPrint(const std::string & json, const OutputFile * file, bool isQuiet);

protected:
  Json &
  GetValues()
  {
    return m_Json;
  }

  /** Whether there is a value under a JSON pointer. */
  bool
  Has(const std::string & where) const;

  /** Returns the value at a JSON pointer in few characters: numbers with four digits, arrays as 1 x 2 x 3, or with
   * another separator than " x ". */
  std::string
  TextOf(const std::string & where, const std::string & separator = " x ") const;

  /** Returns an object as "reading 0.1, denoising 0.2", with blanks for the underscores of its keys. */
  std::string
  TextOfAll(const std::string & where) const;

  /** Prints the first word of a line, in a column of its own, and what follows. */
  static void
  PrintLine(const std::string & title, const std::string & text);

  /** Prints the line of SetDevice. */
  void
  PrintDevice() const;

private:
  const Json &
  At(const std::string & where) const
  {
    return m_Json.at(Json::json_pointer(where));
  }

  Json m_Json;
  /** The description of the device, until it is in the report. */
  std::shared_future<std::string> m_Description;
  /** Older names of values, and where these are. */
  std::vector<std::pair<std::string, std::string>> m_OldNames;
};

/** Returns JSON as text with a newline. Bytes of file names that are not UTF-8 become the character U+FFFD. */
std::string
JsonText(const Report::Json & json);

/** One member of all records. */
template <typename TRecord, typename TValue>
std::vector<TValue>
Column(const std::vector<TRecord> & records, TValue TRecord::*member)
{
  std::vector<TValue> values;
  values.reserve(records.size());
  for (const TRecord & record : records)
  {
    values.push_back(record.*member);
  }
  return values;
}

#endif
