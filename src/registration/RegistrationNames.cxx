// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/Registration.h"

#include "core/EnumNames.h"

namespace cudaneuro
{

namespace
{

constexpr EnumNames<VelocityMethod, 3> solverNames{
  "velocity solver",
  { { { VelocityMethod::Gaussian, "Gaussian" },
      { VelocityMethod::SuccessiveOverRelaxation, "SuccessiveOverRelaxation" },
      { VelocityMethod::FourierTransform, "FourierTransform" } } }
};

} // namespace

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
