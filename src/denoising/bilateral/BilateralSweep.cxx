// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/bilateral/BilateralSweep.h"

#include "core/Dispatch.h"
#include "core/ParameterChecks.h"
#include "cudaneuro/Error.h"
#include "denoising/bilateral/BilateralSweepPlan.h"

#include <string>

namespace cudaneuro
{
namespace
{

std::string
ElementOf(const char * name, std::size_t i)
{
  return std::string(name) + "[" + std::to_string(i) + "]";
}

/** \throws InvalidParameterError with the name of the list and its size, unless \p isRight */
void
RequireCount(const char * name, std::size_t count, bool isRight, const std::string & limit)
{
  if (!isRight)
  {
    throw InvalidParameterError("the number of " + std::string(name) + " is " + std::to_string(count) +
                                "; it must be " + limit);
  }
}

void
RequireRadii(const std::vector<int> & radii)
{
  RequireCount("radii", radii.size(), !radii.empty(), "1 or greater");
  for (std::size_t i = 0; i < radii.size(); ++i)
  {
    const std::string name = ElementOf("radii", i);
    RequireAtLeast(name.c_str(), radii[i], i == 0 ? 1 : radii[i - 1] + 1);
    if (radii[i] > largestBilateralSweepRadius)
    {
      throw InvalidParameterError(name + " is " + std::to_string(radii[i]) + "; it must be " +
                                  std::to_string(largestBilateralSweepRadius) + " or less");
    }
  }
}

} // namespace

void
BilateralSweep(Context &                        context,
               const BilateralSweepParameters & parameters,
               const Grid &                     grid,
               const ConstVolume &              input,
               const ConstVolume &              mask,
               const std::vector<Volume> &      outputs)
{
  RequireGrid(grid);
  RequireVolume("input", context, input);
  RequireMask(context, mask);
  RequireInRange("rangeSigma", parameters.rangeSigma, intensityScaleRange);
  RequireRadii(parameters.radii);
  RequireCount("domainSigmas", parameters.domainSigmas.size(), !parameters.domainSigmas.empty(), "1 or greater");
  for (std::size_t i = 0; i < parameters.domainSigmas.size(); ++i)
  {
    RequireInRange(ElementOf("domainSigmas", i), parameters.domainSigmas[i], lengthRange);
  }
  const std::size_t count = parameters.radii.size() * parameters.domainSigmas.size();
  RequireCount("outputs", outputs.size(), outputs.size() == count, std::to_string(count));
  for (std::size_t i = 0; i < outputs.size(); ++i)
  {
    RequireVolume(ElementOf("outputs", i).c_str(), context, outputs[i]);
  }

  CUDANEURO_DISPATCH(context, BilateralSweep(context, { parameters, grid, input, mask, outputs }));
}

} // namespace cudaneuro
