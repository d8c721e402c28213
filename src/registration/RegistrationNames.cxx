// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/Registration.h"

#include "core/EnumNames.h"

namespace cudaneuro
{

namespace
{

constexpr EnumNames<RegistrationMetric, 2> metricNames{
  "metric",
  { { { RegistrationMetric::MeanSquares, "MeanSquares" },
      { RegistrationMetric::LocalCorrelation, "LocalCorrelation" } } }
};

constexpr EnumNames<VelocityMethod, 3> solverNames{
  "velocity solver",
  { { { VelocityMethod::Gaussian, "Gaussian" },
      { VelocityMethod::SuccessiveOverRelaxation, "SuccessiveOverRelaxation" },
      { VelocityMethod::FourierTransform, "FourierTransform" } } }
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

std::ostream &
operator<<(std::ostream & os, VelocityMethod solver)
{
  return solverNames.Print(os, solver);
}

void
FromName(const std::string & name, VelocityMethod & solver)
{
  solver = solverNames.Parse(name);
}

} // namespace cudaneuro
