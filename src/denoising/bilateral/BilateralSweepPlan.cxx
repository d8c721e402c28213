// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/bilateral/BilateralSweepPlan.h"

#include "denoising/bilateral/BilateralFormulas.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace cudaneuro
{
namespace
{

/** Returns the groups of those taps in the box of half-width \p outer that are outside the box of \p inner. */
std::vector<BilateralSweepGroup>
MakeShell(int inner, int outer, const std::array<int, 3> & radius, const std::array<double, 3> & spacing)
{
  // The key: whether the whole row is in the shell, and the squared distance of the row.
  std::map<std::pair<bool, double>, BilateralSweepGroup> groups;
  const int                                              yEnd = std::min(outer, radius[1]);
  const int                                              zEnd = std::min(outer, radius[2]);
  for (int z = -zEnd; z <= zEnd; ++z)
  {
    for (int y = -yEnd; y <= yEnd; ++y)
    {
      const bool   isWhole = std::max(std::abs(y), std::abs(z)) > inner;
      const int    firstX = isWhole ? 0 : inner + 1;
      const int    lastX = std::min(outer, radius[0]);
      const double mmY = y * spacing[1];
      const double mmZ = z * spacing[2];
      if (firstX <= lastX)
      {
        BilateralSweepGroup & group = groups[{ isWhole, mmY * mmY + mmZ * mmZ }];
        group.firstX = firstX;
        group.lastX = lastX;
        group.rows.push_back({ y, z });
      }
    }
  }
  std::vector<BilateralSweepGroup> shell;
  shell.reserve(groups.size());
  for (auto & group : groups)
  {
    shell.push_back(std::move(group.second));
  }
  return shell;
}

} // namespace

BilateralSweepPlan::BilateralSweepPlan(const BilateralSweepParameters & parameters, const Grid & grid)
{
  for (int axis = 0; axis < 3; ++axis)
  {
    m_Radius[axis] = static_cast<int>(std::min<std::int64_t>(parameters.radii.back(), grid.size[axis] - 1));
    m_Spacing[axis] = parameters.useImageSpacing ? grid.spacing[axis] : 1.0;
  }
  int inner = 0;
  for (const int outer : parameters.radii)
  {
    m_Shells.push_back(MakeShell(inner, outer, m_Radius, m_Spacing));
    inner = outer;
  }
}

float
BilateralSweepPlan::GetSpatialWeight(const BilateralSweepGroup & group, int x, double domainSigma) const
{
  const auto [y, z] = group.rows.front();
  const double exponent = BilateralSpatialExponent(x, m_Spacing[0], domainSigma) +
                          BilateralSpatialExponent(y, m_Spacing[1], domainSigma) +
                          BilateralSpatialExponent(z, m_Spacing[2], domainSigma);
  // All 3374 taps of 2^-40 add up to 3e-9, a twentieth of the rounding of float at 1.
  constexpr double smallestExponent = -40.0;
  return exponent < smallestExponent ? 0.0f : static_cast<float>(std::exp2(exponent));
}

} // namespace cudaneuro
