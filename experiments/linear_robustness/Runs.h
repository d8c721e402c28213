// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef Runs_h
#define Runs_h

#include <cudaneuro/Geometry.h>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

/** Registrations of one experiment, and what can be said of them. */

/** One registration, from one start. */
struct Run
{
  /** The start and the result, without the known transform of this run. */
  cudaneuro::AffineMap start;
  cudaneuro::AffineMap found;
  /** Mean distances at the corners of the head from where they should be, in mm. */
  double startError = 0.0;
  double error = 0.0;
  double value = 0.0;
  double overlap = 0.0;
  double quality = 0.0;
  double seconds = 0.0;
  /** Not empty if the registration threw. */
  std::string failure;
};

/** How well a threshold of the quality tells successes from failures. */
struct Separation
{
  double threshold = 0.0;
  int    failuresTaken = 0;
  int    successesRefused = 0;
};

class Summary
{
public:
  /** \param tolerance largest error of a success, in mm */
  Summary(const std::vector<Run> & runs, double tolerance);

  /** \param qualityOfSuccess threshold that is in use */
  nlohmann::ordered_json
  ToJson(double qualityOfSuccess) const;

  static std::string
  TableHead();
  std::string
  TableRow(const std::string & title, double qualityOfSuccess) const;

  Separation
  SeparateAt(double threshold) const;
  /** The threshold at which the fewest runs are on the wrong side; of several, the one with the widest gap around
   * it. */
  Separation
  SeparateBest() const;

private:
  std::size_t         m_Count = 0;
  std::vector<double> m_Errors; // of successes, ascending, as all below
  std::vector<double> m_QualityOfSuccesses;
  std::vector<double> m_QualityOfFailures;
  std::vector<double> m_Seconds;
};

nlohmann::ordered_json
ToJson(const Run & run);

#endif
