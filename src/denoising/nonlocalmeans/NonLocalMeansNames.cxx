// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/NonLocalMeans.h"

#include "core/EnumNames.h"

namespace cudaneuro
{

namespace
{

constexpr EnumNames<NonLocalMeansWeighting, 2> weightingNames{
  "weighting",
  { { { NonLocalMeansWeighting::PatchSum, "PatchSum" }, { NonLocalMeansWeighting::PatchDistance, "PatchDistance" } } }
};

constexpr EnumNames<NonLocalMeansCenterWeight, 2> centerWeightNames{
  "center weight", { { { NonLocalMeansCenterWeight::One, "One" }, { NonLocalMeansCenterWeight::Maximum, "Maximum" } } }
};

} // namespace

std::ostream &
operator<<(std::ostream & os, NonLocalMeansWeighting weighting)
{
  return weightingNames.Print(os, weighting);
}

void
FromName(const std::string & name, NonLocalMeansWeighting & weighting)
{
  weighting = weightingNames.Parse(name);
}

std::ostream &
operator<<(std::ostream & os, NonLocalMeansCenterWeight centerWeight)
{
  return centerWeightNames.Print(os, centerWeight);
}

void
FromName(const std::string & name, NonLocalMeansCenterWeight & centerWeight)
{
  centerWeight = centerWeightNames.Parse(name);
}

} // namespace cudaneuro
