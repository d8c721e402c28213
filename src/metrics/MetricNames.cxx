// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/RegistrationMetric.h"

#include "core/EnumNames.h"

namespace cudaneuro
{

namespace
{

constexpr EnumNames<RegistrationMetric, 3> metricNames{
  "metric",
  { { { RegistrationMetric::MeanSquares, "MeanSquares" },
      { RegistrationMetric::LocalCorrelation, "LocalCorrelation" },
      { RegistrationMetric::MutualInformation, "MutualInformation" } } }
};

} // namespace

std::ostream &
operator<<(std::ostream & os, RegistrationMetric metric)
{
  return metricNames.Print(os, metric);
}

void
FromName(const std::string & name, RegistrationMetric & metric)
{
  metric = metricNames.Parse(name);
}

} // namespace cudaneuro
