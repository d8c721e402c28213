// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/AnisotropicDiffusion.h"

#include "core/EnumNames.h"

namespace cudaneuro
{

namespace
{

constexpr EnumNames<DiffusionStencil, 4> stencilNames{
  "stencil",
  { { { DiffusionStencil::PeronaMalik6, "PeronaMalik6" },
      { DiffusionStencil::Gerig26, "Gerig26" },
      { DiffusionStencil::Weickert26, "Weickert26" },
      { DiffusionStencil::GeometricMean26, "GeometricMean26" } } }
};

constexpr EnumNames<DiffusionConductance, 4> conductanceNames{
  "conductance",
  { { { DiffusionConductance::PeronaMalikExponential, "PeronaMalikExponential" },
      { DiffusionConductance::PeronaMalikRational, "PeronaMalikRational" },
      { DiffusionConductance::Charbonnier, "Charbonnier" },
      { DiffusionConductance::TukeyBiweight, "TukeyBiweight" } } }
};

} // namespace

std::ostream &
operator<<(std::ostream & os, DiffusionStencil stencil)
{
  return stencilNames.Print(os, stencil);
}

void
FromName(const std::string & name, DiffusionStencil & stencil)
{
  stencil = stencilNames.Parse(name);
}

std::ostream &
operator<<(std::ostream & os, DiffusionConductance conductance)
{
  return conductanceNames.Print(os, conductance);
}

void
FromName(const std::string & name, DiffusionConductance & conductance)
{
  conductance = conductanceNames.Parse(name);
}

} // namespace cudaneuro
