// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef DenoiseReport_h
#define DenoiseReport_h

#include <memory>
#include <string>
#include <vector>

/** What was done, for people and for programs. */
class DenoiseReport
{
public:
  DenoiseReport();
  ~DenoiseReport();

  /** Notes a value under a JSON pointer such as "/seconds/reading". */
  void
  Set(const char * where, const std::string & value);
  void
  Set(const char * where, const char * value);
  void
  Set(const char * where, double value);
  void
  Set(const char * where, unsigned int value);
  void
  Set(const char * where, bool value);
  void
  Set(const char * where, const std::vector<double> & value);
  void
  Set(const char * where, const std::vector<unsigned int> & value);

  /** Prints it on standard output, in a few lines. */
  void
  Print() const;

  /** Writes it as JSON. */
  void
  Write(const std::string & path) const;

private:
  struct Values;
  std::unique_ptr<Values> m_Values;
};

#endif
