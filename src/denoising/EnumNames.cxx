// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuroAnisotropicDiffusion.h"
#include "cudaneuroNonLocalMeans.h"

#include <ostream>

namespace cudaneuro
{

std::ostream &
operator<<(std::ostream & os, DiffusionStencil stencil)
{
  switch (stencil)
  {
    case DiffusionStencil::PeronaMalik6:
      return os << "PeronaMalik6";
    case DiffusionStencil::Gerig26:
      return os << "Gerig26";
    case DiffusionStencil::Weickert26:
      return os << "Weickert26";
  }
  return os << "(unknown stencil " << static_cast<int>(stencil) << ')';
}

std::ostream &
operator<<(std::ostream & os, DiffusionConductance conductance)
{
  switch (conductance)
  {
    case DiffusionConductance::PeronaMalikExponential:
      return os << "PeronaMalikExponential";
    case DiffusionConductance::PeronaMalikRational:
      return os << "PeronaMalikRational";
    case DiffusionConductance::Charbonnier:
      return os << "Charbonnier";
    case DiffusionConductance::TukeyBiweight:
      return os << "TukeyBiweight";
  }
  return os << "(unknown conductance " << static_cast<int>(conductance) << ')';
}

std::ostream &
operator<<(std::ostream & os, NonLocalMeansWeighting weighting)
{
  switch (weighting)
  {
    case NonLocalMeansWeighting::PatchSum:
      return os << "PatchSum";
    case NonLocalMeansWeighting::PatchDistance:
      return os << "PatchDistance";
  }
  return os << "(unknown weighting " << static_cast<int>(weighting) << ')';
}

std::ostream &
operator<<(std::ostream & os, NonLocalMeansCenterWeight centerWeight)
{
  switch (centerWeight)
  {
    case NonLocalMeansCenterWeight::One:
      return os << "One";
    case NonLocalMeansCenterWeight::Maximum:
      return os << "Maximum";
  }
  return os << "(unknown centre weight " << static_cast<int>(centerWeight) << ')';
}

} // namespace cudaneuro
