// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Runs.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using Json = nlohmann::ordered_json;

namespace
{

/** The value that a fraction of ascending values does not exceed; null, "-" in text, where there is none. */
Json
Quantile(const std::vector<double> & values, double fraction)
{
  if (values.empty())
  {
    return nullptr;
  }
  const double place = std::ceil(fraction * static_cast<double>(values.size()));
  return values[static_cast<std::size_t>(std::max(place, 1.0)) - 1];
}

std::string
Text(const Json & number, const char * format)
{
  if (number.is_null())
  {
    return "-";
  }
  char text[32];
  std::snprintf(text, sizeof(text), format, number.get<double>());
  return text;
}

int
CountAtLeast(const std::vector<double> & values, double threshold)
{
  return static_cast<int>(values.end() - std::lower_bound(values.begin(), values.end(), threshold));
}

Json
JsonOf(const Separation & separation)
{
  return { { "threshold", separation.threshold },
           { "failures_taken", separation.failuresTaken },
           { "successes_refused", separation.successesRefused } };
}

} // namespace

Summary::Summary(const std::vector<Run> & runs, double tolerance)
  : m_Count(runs.size())
{
  for (const Run & run : runs)
  {
    m_Seconds.push_back(run.seconds);
    const bool isSuccess = run.failure.empty() && run.error <= tolerance;
    (isSuccess ? m_QualityOfSuccesses : m_QualityOfFailures).push_back(run.quality);
    if (isSuccess)
    {
      m_Errors.push_back(run.error);
    }
  }
  for (auto * values : { &m_Errors, &m_QualityOfSuccesses, &m_QualityOfFailures, &m_Seconds })
  {
    std::sort(values->begin(), values->end());
  }
}

Separation
Summary::SeparateAt(double threshold) const
{
  const int taken = CountAtLeast(m_QualityOfSuccesses, threshold);
  return { threshold,
           CountAtLeast(m_QualityOfFailures, threshold),
           static_cast<int>(m_QualityOfSuccesses.size()) - taken };
}

Separation
Summary::SeparateBest() const
{
  std::vector<double> all{ 0.0, 1.0 };
  all.insert(all.end(), m_QualityOfSuccesses.begin(), m_QualityOfSuccesses.end());
  all.insert(all.end(), m_QualityOfFailures.begin(), m_QualityOfFailures.end());
  std::sort(all.begin(), all.end());
  Separation best{ 0.0, static_cast<int>(m_Count) + 1, 0 };
  double     bestGap = 0.0;
  for (std::size_t i = 1; i < all.size(); ++i)
  {
    const Separation each = this->SeparateAt(0.5 * (all[i - 1] + all[i]));
    const int        wrong = each.failuresTaken + each.successesRefused;
    const int        leastWrong = best.failuresTaken + best.successesRefused;
    const double     gap = all[i] - all[i - 1];
    if (wrong < leastWrong || (wrong == leastWrong && gap > bestGap))
    {
      best = each;
      bestGap = gap;
    }
  }
  return best;
}

Json
Summary::ToJson(double qualityOfSuccess) const
{
  const auto spread = [](const std::vector<double> & values) {
    return Json{ { "least", Quantile(values, 0.0) },
                 { "5%", Quantile(values, 0.05) },
                 { "median", Quantile(values, 0.5) },
                 { "95%", Quantile(values, 0.95) },
                 { "most", Quantile(values, 1.0) } };
  };
  return { { "runs", m_Count },
           { "successes", m_Errors.size() },
           { "error_of_successes", spread(m_Errors) },
           { "quality_of_successes", spread(m_QualityOfSuccesses) },
           { "quality_of_failures", spread(m_QualityOfFailures) },
           { "quality_in_use", JsonOf(this->SeparateAt(qualityOfSuccess)) },
           { "quality_at_best", JsonOf(this->SeparateBest()) },
           { "seconds", spread(m_Seconds) } };
}

std::string
Summary::TableHead()
{
  return "| experiment | success | error of successes in mm: median, 95 %, most | quality of successes: least, median "
         "| "
         "of failures: median, most | failures taken, successes refused, at the best threshold | seconds |\n"
         "| --- | ---: | --- | --- | --- | --- | ---: |\n";
}

std::string
Summary::TableRow(const std::string & title, double qualityOfSuccess) const
{
  const Separation now = this->SeparateAt(qualityOfSuccess);
  const Separation best = this->SeparateBest();
  const double     share = 100.0 * static_cast<double>(m_Errors.size()) / static_cast<double>(m_Count);
  return "| " + title + " | " + std::to_string(m_Errors.size()) + " of " + std::to_string(m_Count) + ", " +
         Text(share, "%.1f %%") + " | " + Text(Quantile(m_Errors, 0.5), "%.3f") + ", " +
         Text(Quantile(m_Errors, 0.95), "%.3f") + ", " + Text(Quantile(m_Errors, 1.0), "%.3f") + " | " +
         Text(Quantile(m_QualityOfSuccesses, 0.0), "%.2f") + ", " + Text(Quantile(m_QualityOfSuccesses, 0.5), "%.2f") +
         " | " + Text(Quantile(m_QualityOfFailures, 0.5), "%.2f") + ", " +
         Text(Quantile(m_QualityOfFailures, 1.0), "%.2f") + " | " + std::to_string(now.failuresTaken) + ", " +
         std::to_string(now.successesRefused) + "; " + std::to_string(best.failuresTaken) + ", " +
         std::to_string(best.successesRefused) + " at " + Text(best.threshold, "%.2f") + " | " +
         Text(Quantile(m_Seconds, 0.5), "%.3f") + " |\n";
}

Json
ToJson(const Run & run)
{
  Json json{ { "error", run.error },
             { "start_error", run.startError },
             { "quality", run.quality },
             { "overlap", run.overlap },
             { "value", run.value },
             { "seconds", run.seconds },
             { "start", Json{ { "matrix", run.start.matrix }, { "offset", run.start.offset } } },
             { "found", Json{ { "matrix", run.found.matrix }, { "offset", run.found.offset } } } };
  if (!run.failure.empty())
  {
    json["failure"] = run.failure;
  }
  return json;
}
