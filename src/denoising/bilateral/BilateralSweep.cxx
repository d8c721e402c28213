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

/** Checks a list's size. \throws InvalidParameterError with the list's name and its size, unless \p isRight */
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
RequireRisingOrder(const std::vector<int> & radii)
{
  for (std::size_t i = 1; i < radii.size(); ++i)
  {
    RequireAtLeast(ElementOf("Radii", i).c_str(), radii[i], radii[i - 1] + 1);
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
  RequireParameters(parameters, grid);
  RequireCount("Radii", parameters.radii.size(), !parameters.radii.empty(), "1 or greater");
  RequireRisingOrder(parameters.radii);
  RequireCount("DomainSigmas", parameters.domainSigmas.size(), !parameters.domainSigmas.empty(), "1 or greater");
  const std::size_t count = parameters.radii.size() * parameters.domainSigmas.size();
  RequireCount("outputs", outputs.size(), outputs.size() == count, std::to_string(count));
  for (std::size_t i = 0; i < outputs.size(); ++i)
  {
    RequireVolume(ElementOf("outputs", i).c_str(), context, outputs[i]);
  }

  CUDANEURO_DISPATCH(context, BilateralSweep(context, { parameters, grid, input, mask, outputs }));
}

} // namespace cudaneuro
