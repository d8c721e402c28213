// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralSweepPlan_h
#define cudaneuro_denoising_bilateral_BilateralSweepPlan_h

#include "cudaneuro/BilateralSweep.h"

#include <array>
#include <vector>

namespace cudaneuro
{

/** What the GPU's shared memory holds a neighborhood of. */
constexpr int largestBilateralSweepRadius = 7;

/** Rows of neighbors that are equally far from the center in y and z, cut to some distances in x: the taps at one |x|
 * in them have the same weight in space, whatever the domain sigma. */
struct BilateralSweepGroup
{
  /** Offset in y and z of each row. */
  std::vector<std::array<int, 2>> rows;
  /** |x| of the taps is in [firstX, lastX]. */
  int firstX;
  int lastX;
};

/** The neighborhoods of a sweep, cut into shells: shell i has the taps that are in the neighborhood of radii[i] and
 * not in that of radii[i - 1]. The center itself is in none. */
class BilateralSweepPlan
{
public:
  BilateralSweepPlan(const BilateralSweepParameters & parameters, const Grid & grid);

  /** Largest offset of a tap along each axis; no neighbor is farther away than the axis is long. */
  const std::array<int, 3> &
  GetRadius() const
  {
    return m_Radius;
  }

  /** The groups of each radius' shell; may be empty for an image smaller than a neighborhood. */
  const std::vector<std::vector<BilateralSweepGroup>> &
  GetShells() const
  {
    return m_Shells;
  }

  /** G_sd of the taps of a group that are \p x away along x. 0 where it is so small that all taps together would not
   * change a sum that the center adds 1 to. */
  float
  GetSpatialWeight(const BilateralSweepGroup & group, int x, double domainSigma) const;

private:
  std::array<int, 3>                            m_Radius{};
  std::array<double, 3>                         m_Spacing{};
  std::vector<std::vector<BilateralSweepGroup>> m_Shells;
};

} // namespace cudaneuro

#endif
