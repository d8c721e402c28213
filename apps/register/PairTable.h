// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_PairTable_h
#define apps_register_PairTable_h

#include "register/PairList.h"

/** The table of all pairs, one a row, in the order of the list. */
class PairTable
{
public:
  explicit PairTable(const RegisterPairs & pairs);

  /** Notes what became of a pair: "done", "skipped", which an earlier run has done, or "failed".
   * \param report null where there is none
   * \param error empty where nothing went wrong */
  void
  Set(std::size_t pair, const std::string & status, const Report::Json & report, const std::string & error);

  /** As CSV. Rows of pairs that are still to come have the status "waiting". */
  std::string
  GetText() const;

  /** The names of pairs with a status. */
  std::vector<std::string>
  GetNames(const std::string & status) const;

  /** Warns of the alignments of pairs that have not failed, but are no success.
   * \param path that of the table */
  void
  WarnOfFailures(const std::string & path) const;

private:
  struct Row
  {
    std::string  status = "waiting";
    Report::Json report;
    std::string  error;
  };

  const RegisterPairs & m_Pairs;
  std::vector<Row>      m_Rows;
};

#endif
