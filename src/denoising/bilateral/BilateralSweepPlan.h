// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralSweepPlan_h
#define cudaneuro_denoising_bilateral_BilateralSweepPlan_h

#include "cudaneuro/BilateralSweep.h"

#include <array>
#include <vector>

namespace cudaneuro
{

/** Rows of neighbors at one distance from the center in the plane of y and z, and a range of |x|. All taps at one |x|
 * of these rows have the same spatial weight, for every domain sigma. */
struct BilateralSweepGroup
{
  /** The offset of each row in y and z. */
  std::vector<std::array<int, 2>> rows;
  /** The range [firstX, lastX] of |x|. */
  int firstX = 0;
  int lastX = 0;
};

/** The neighborhoods of a sweep, cut into shells: shell i has the taps in the neighborhood of radii[i] that are not in
 * that of radii[i - 1]. The center itself is in no shell. */
class BilateralSweepPlan
{
public:
  BilateralSweepPlan(const BilateralSweepParameters & parameters, const Grid & grid);

  /** Returns the largest offset of a tap along each axis, which is less than the length of the axis. */
  const std::array<int, 3> &
  GetRadius() const
  {
    return m_Radius;
  }

  /** Returns the groups of each shell. A shell is empty where the image is smaller than the neighborhood. */
  const std::vector<std::vector<BilateralSweepGroup>> &
  GetShells() const
  {
    return m_Shells;
  }

  /** Returns the spatial weight of the taps of a group at |x| = \p x. It is 0 where it is so small that all such taps
   * together would not change a sum that is at least 1, the center's weight. */
  float
  GetSpatialWeight(const BilateralSweepGroup & group, int x, double domainSigma) const;

private:
  std::array<int, 3>                            m_Radius{};
  std::array<double, 3>                         m_Spacing{};
  std::vector<std::vector<BilateralSweepGroup>> m_Shells;
};

} // namespace cudaneuro

#endif
