// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_Report_h
#define apps_shared_Report_h

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

/** What a program did, for people and for programs. */
class Report
{
public:
  Report();
  virtual ~Report();
  Report(const Report &) = delete;
  Report &
  operator=(const Report &) = delete;

  /** Notes a value under a JSON pointer such as "/seconds/reading". */
  void
  Set(const std::string & where, const std::string & value);
  void
  Set(const std::string & where, const char * value);
  void
  Set(const std::string & where, double value);
  void
  Set(const std::string & where, unsigned int value);
  void
  Set(const std::string & where, int value);
  void
  Set(const std::string & where, std::uint64_t value);
  void
  Set(const std::string & where, bool value);
  void
  Set(const std::string & where, const std::vector<double> & value);
  void
  Set(const std::string & where, const std::vector<unsigned int> & value);
  void
  Set(const std::string & where, const std::vector<int> & value);
  void
  Set(const std::string & where, const std::vector<std::string> & value);
  void
  Set(const std::string & where, const std::map<int, double> & value);

  /** Prints it on standard output, in a few lines. */
  virtual void
  Print() const = 0;

  /** As JSON, with a line's end. */
  std::string
  GetJson() const;

protected:
  /** Whether there is a value under a JSON pointer. */
  bool
  Has(const std::string & where) const;

  /** The value under a JSON pointer in few characters: numbers with four digits, 1 x 2 x 3 for an array. */
  std::string
  TextOf(const std::string & where) const;

  /** Like "reading 0.1, denoising 0.2" for an object, with blanks for the underscores of its keys. */
  std::string
  TextOfAll(const std::string & where) const;

  /** Prints the first word of a line, in a column of its own, and what follows. */
  static void
  PrintLine(const std::string & title, const std::string & text);

private:
  struct Values;
  std::unique_ptr<Values> m_Values;
};

#endif
