// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_points_PairSumsCpu_h
#define cudaneuro_points_PairSumsCpu_h

#include "points/GaussianPairFormulas.h"
#include "points/PointGroupsCpu.h"

/** Sums over near pairs of points, for loops inside VectorDispatch. */
namespace cudaneuro::cpu
{

/** sum + error += term without rounding: error accumulates the rounding errors of sum. */
template <typename T>
CUDANEURO_ALWAYS_INLINE void
AddCompensated(T term, T & sum, T & error)
{
  const T total = sum + term;
  const T added = total - sum;
  error += (sum - (total - added)) + (term - added);
  sum = total;
}

/** A sum for each number of a group. Its terms are plain sums of termsPerSum points, so that its error does not grow
 * with their number. */
template <int VDimension, typename T>
class GroupSum
{
public:
  CUDANEURO_ALWAYS_INLINE void
  Add(const PointGroup<VDimension, T> & term)
  {
    for (int d = 0; d < VDimension; ++d)
    {
      for (int i = 0; i < pointsPerGroup; ++i)
      {
        AddCompensated(term.position[d][i], m_Sum.position[d][i], m_Error.position[d][i]);
        AddCompensated(term.momentum[d][i], m_Sum.momentum[d][i], m_Error.momentum[d][i]);
      }
    }
  }

  /** The sums, multiplied by one factor for positions and one for momenta. */
  CUDANEURO_ALWAYS_INLINE PointGroup<VDimension, T>
                          Total(T ofPositions, T ofMomenta) const
  {
    PointGroup<VDimension, T> total = {};
    for (int d = 0; d < VDimension; ++d)
    {
      for (int i = 0; i < pointsPerGroup; ++i)
      {
        total.position[d][i] = ofPositions * (m_Sum.position[d][i] + m_Error.position[d][i]);
        total.momentum[d][i] = ofMomenta * (m_Sum.momentum[d][i] + m_Error.momentum[d][i]);
      }
    }
    return total;
  }

private:
  PointGroup<VDimension, T> m_Sum = {};
  PointGroup<VDimension, T> m_Error = {};
};

template <int VDimension, typename T>
CUDANEURO_ALWAYS_INLINE void
LoadPoint(const T (&values)[VDimension][pointsPerGroup], int lane, T (&point)[VDimension])
{
  for (int d = 0; d < VDimension; ++d)
  {
    point[d] = values[d][lane];
  }
}

template <int VDimension, typename T>
CUDANEURO_ALWAYS_INLINE void
StorePoint(const T (&point)[VDimension], int lane, T (&values)[VDimension][pointsPerGroup])
{
  for (int d = 0; d < VDimension; ++d)
  {
    values[d][lane] = point[d];
  }
}

/** Points one after the other, for loops over all of them. */
template <int VDimension, typename T>
struct PointRun
{
  T position[termsPerSum][VDimension];
  T momentum[termsPerSum][VDimension];
};

template <int VDimension, typename T>
CUDANEURO_ALWAYS_INLINE void
Gather(const std::uint32_t *             indices,
       int                               count,
       const PointGroup<VDimension, T> * groups,
       PointRun<VDimension, T> &         run)
{
  for (int k = 0; k < count; ++k)
  {
    const PointGroup<VDimension, T> & group = groups[indices[k] / pointsPerGroup];
    LoadPoint(group.position, indices[k] % pointsPerGroup, run.position[k]);
    LoadPoint(group.momentum, indices[k] % pointsPerGroup, run.momentum[k]);
  }
}

/** The contribution of the first \p count of \p others to the slopes of a group, without the constants. */
template <int VDimension, typename T>
CUDANEURO_ALWAYS_INLINE PointGroup<VDimension, T>
SlopesBy(int count, const PointRun<VDimension, T> & others, const PointGroup<VDimension, T> & points)
{
  PointGroup<VDimension, T> slopes = {};
  for (int i = 0; i < pointsPerGroup; ++i)
  {
    T xi[VDimension];
    T ui[VDimension];
    T velocity[VDimension] = {};
    T force[VDimension] = {};
    LoadPoint(points.position, i, xi);
    LoadPoint(points.momentum, i, ui);
    int j = 0;
    do
    {
      AddSlopes(xi, ui, others.position[j], others.momentum[j], velocity, force);
      ++j;
    } while (j < count);
    StorePoint(velocity, i, slopes.position);
    StorePoint(force, i, slopes.momentum);
  }
  return slopes;
}

/** The contribution of the first \p count of \p others to the transposed derivative at a group: dS/dx without its
 * constant, and dS/du. */
template <int VDimension, typename T>
CUDANEURO_ALWAYS_INLINE PointGroup<VDimension, T>
                        AdjointBy(int                               count,
                                  const PointRun<VDimension, T> &   others,
                                  const PointRun<VDimension, T> &   otherAdjoints,
                                  const PointGroup<VDimension, T> & points,
                                  const PointGroup<VDimension, T> & adjoints)
{
  PointGroup<VDimension, T> derivatives = {};
  for (int i = 0; i < pointsPerGroup; ++i)
  {
    T xi[VDimension];
    T ui[VDimension];
    T ai[VDimension];
    T bi[VDimension];
    T byMomentum[VDimension] = {};
    T byPosition[VDimension] = {};
    LoadPoint(points.position, i, xi);
    LoadPoint(points.momentum, i, ui);
    LoadPoint(adjoints.position, i, ai);
    LoadPoint(adjoints.momentum, i, bi);
    int j = 0;
    do
    {
      AddAdjoint(xi,
                 ui,
                 ai,
                 bi,
                 others.position[j],
                 others.momentum[j],
                 otherAdjoints.position[j],
                 otherAdjoints.momentum[j],
                 byMomentum,
                 byPosition);
      ++j;
    } while (j < count);
    StorePoint(byPosition, i, derivatives.position);
    StorePoint(byMomentum, i, derivatives.momentum);
  }
  return derivatives;
}

} // namespace cudaneuro::cpu

#endif
