// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "EnumNames.h"
#include "cudaneuroDisplacementField.h"
#include "cudaneuroRegistration.h"

namespace cudaneuro
{

namespace
{

constexpr EnumNames<Interpolation, 2> interpolationNames{
  "interpolation", { { { Interpolation::Linear, "Linear" }, { Interpolation::Nearest, "Nearest" } } }
};

constexpr EnumNames<RegistrationMetric, 2> metricNames{
  "metric",
  { { { RegistrationMetric::MeanSquares, "MeanSquares" },
      { RegistrationMetric::LocalCorrelation, "LocalCorrelation" } } }
};

constexpr EnumNames<VelocitySolver, 3> solverNames{
  "velocity solver",
  { { { VelocitySolver::Gaussian, "Gaussian" },
      { VelocitySolver::SuccessiveOverRelaxation, "SuccessiveOverRelaxation" },
      { VelocitySolver::FourierTransform, "FourierTransform" } } }
};

} // namespace

std::ostream &
operator<<(std::ostream & os, Interpolation interpolation)
{
  return interpolationNames.Print(os, interpolation);
}

void
FromName(const std::string & name, Interpolation & interpolation)
{
  interpolation = interpolationNames.Parse(name);
}

std::ostream &
operator<<(std::ostream & os, RegistrationMetric metric)
{
  return metricNames.Print(os, metric);
}

std::ostream &
operator<<(std::ostream & os, VelocitySolver solver)
{
  return solverNames.Print(os, solver);
}

void
FromName(const std::string & name, RegistrationMetric & metric)
{
  metric = metricNames.Parse(name);
}

void
FromName(const std::string & name, VelocitySolver & solver)
{
  solver = solverNames.Parse(name);
}

} // namespace cudaneuro
