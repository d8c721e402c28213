// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "EnumNames.h"
#include "cudaneuroAnisotropicDiffusion.h"
#include "cudaneuroNonLocalMeans.h"

namespace cudaneuro
{

namespace
{

constexpr EnumNames<DiffusionStencil, 3> stencilNames{ "stencil",
                                                       { { { DiffusionStencil::PeronaMalik6, "PeronaMalik6" },
                                                           { DiffusionStencil::Gerig26, "Gerig26" },
                                                           { DiffusionStencil::Weickert26, "Weickert26" } } } };

constexpr EnumNames<DiffusionConductance, 4> conductanceNames{
  "conductance",
  { { { DiffusionConductance::PeronaMalikExponential, "PeronaMalikExponential" },
      { DiffusionConductance::PeronaMalikRational, "PeronaMalikRational" },
      { DiffusionConductance::Charbonnier, "Charbonnier" },
      { DiffusionConductance::TukeyBiweight, "TukeyBiweight" } } }
};

constexpr EnumNames<NonLocalMeansWeighting, 2> weightingNames{
  "weighting",
  { { { NonLocalMeansWeighting::PatchSum, "PatchSum" }, { NonLocalMeansWeighting::PatchDistance, "PatchDistance" } } }
};

constexpr EnumNames<NonLocalMeansCenterWeight, 2> centerWeightNames{
  "center weight", { { { NonLocalMeansCenterWeight::One, "One" }, { NonLocalMeansCenterWeight::Maximum, "Maximum" } } }
};

} // namespace

std::ostream &
operator<<(std::ostream & os, DiffusionStencil stencil)
{
  return stencilNames.Print(os, stencil);
}

std::ostream &
operator<<(std::ostream & os, DiffusionConductance conductance)
{
  return conductanceNames.Print(os, conductance);
}

std::ostream &
operator<<(std::ostream & os, NonLocalMeansWeighting weighting)
{
  return weightingNames.Print(os, weighting);
}

std::ostream &
operator<<(std::ostream & os, NonLocalMeansCenterWeight centerWeight)
{
  return centerWeightNames.Print(os, centerWeight);
}

void
FromName(const std::string & name, DiffusionStencil & stencil)
{
  stencil = stencilNames.Parse(name);
}

void
FromName(const std::string & name, DiffusionConductance & conductance)
{
  conductance = conductanceNames.Parse(name);
}

void
FromName(const std::string & name, NonLocalMeansWeighting & weighting)
{
  weighting = weightingNames.Parse(name);
}

void
FromName(const std::string & name, NonLocalMeansCenterWeight & centerWeight)
{
  centerWeight = centerWeightNames.Parse(name);
}

} // namespace cudaneuro
