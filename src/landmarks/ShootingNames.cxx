// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/GeodesicShooting.h"

#include "core/EnumNames.h"

namespace cudaneuro
{

namespace
{

constexpr EnumNames<ShootingIntegrator, 3> integratorNames{
  "integrator",
  { { { ShootingIntegrator::Euler, "Euler" },
      { ShootingIntegrator::Heun, "Heun" },
      { ShootingIntegrator::RungeKutta4, "RungeKutta4" } } }
};

constexpr EnumNames<ShootingPrecision, 2> precisionNames{
  "precision", { { { ShootingPrecision::Single, "Single" }, { ShootingPrecision::Double, "Double" } } }
};

constexpr EnumNames<FlowDirection, 2> directionNames{
  "direction", { { { FlowDirection::Forward, "Forward" }, { FlowDirection::Backward, "Backward" } } }
};

} // namespace

std::ostream &
operator<<(std::ostream & os, ShootingIntegrator integrator)
{
  return integratorNames.Print(os, integrator);
}

void
FromName(const std::string & name, ShootingIntegrator & integrator)
{
  integrator = integratorNames.Parse(name);
}

std::ostream &
operator<<(std::ostream & os, ShootingPrecision precision)
{
  return precisionNames.Print(os, precision);
}

void
FromName(const std::string & name, ShootingPrecision & precision)
{
  precision = precisionNames.Parse(name);
}

std::ostream &
operator<<(std::ostream & os, FlowDirection direction)
{
  return directionNames.Print(os, direction);
}

void
FromName(const std::string & name, FlowDirection & direction)
{
  direction = directionNames.Parse(name);
}

} // namespace cudaneuro
