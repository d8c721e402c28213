// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/DisplacementField.h"

#include "core/EnumNames.h"

namespace cudaneuro
{

namespace
{

constexpr EnumNames<Interpolation, 2> interpolationNames{
  "interpolation", { { { Interpolation::Linear, "Linear" }, { Interpolation::Nearest, "Nearest" } } }
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

} // namespace cudaneuro
