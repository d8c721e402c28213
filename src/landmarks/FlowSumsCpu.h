// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_FlowSumsCpu_h
#define cudaneuro_landmarks_FlowSumsCpu_h

#include "core/VectorDispatch.h"
#include "landmarks/FlowFormulas.h"

#include <cmath>
#include <limits>

namespace cudaneuro::cpu
{

/** The sums of FlowFormulas.h at one point, for use inside VectorDispatch. Each lane of the processor's vectors has a
 * landmark of a group and its own sums, so that vectorization changes no order of additions. */
template <typename T, int VDimension>
class FlowSums
{
public:
  CUDANEURO_ALWAYS_INLINE
  FlowSums(const FlowLandmarks<T, T> & landmarks, const T (&start)[VDimension])
    : m_Landmarks(landmarks)
  {
    // Iterations end at the rounding error of positions, at least at that of a position of 4.
    T largest = 4;
    for (int d = 0; d < VDimension; ++d)
    {
      m_Start[d] = start[d];
      largest = Larger(largest, std::abs(start[d]));
    }
    constexpr T least = std::numeric_limits<T>::digits > 24 ? T(1e-12) : T(1e-6);
    m_Tolerance = least + std::numeric_limits<T>::epsilon() * largest;
  }

  CUDANEURO_ALWAYS_INLINE void
  Velocity(std::int64_t evaluation, const T (&displacement)[1][VDimension], T (&velocity)[1][VDimension]) const
  {
    T sums[VDimension][flowGroupSize] = {};
    T x[VDimension];
    this->MoveStart(displacement[0], x);
    this->ForEachNearGroup(evaluation, x, [&](const T * positions, const T * momenta) {
      for (int lane = 0; lane < flowGroupSize; ++lane)
      {
        T xj[VDimension];
        T uj[VDimension];
        T sum[VDimension];
        this->Load(positions, momenta, lane, xj, uj);
        for (int d = 0; d < VDimension; ++d)
        {
          sum[d] = sums[d][lane];
        }
        AddVelocity(x, xj, uj, sum);
        for (int d = 0; d < VDimension; ++d)
        {
          sums[d][lane] = sum[d];
        }
      }
    });
    for (int d = 0; d < VDimension; ++d)
    {
      velocity[0][d] = SumOfLanes(sums[d]);
    }
  }

  CUDANEURO_ALWAYS_INLINE void
  VelocityAndGradient(std::int64_t evaluation,
                      const T (&displacement)[1][VDimension],
                      T (&velocity)[1][VDimension],
                      T (&gradient)[VDimension][VDimension]) const
  {
    T sums[VDimension][flowGroupSize] = {};
    T derivatives[VDimension][VDimension][flowGroupSize] = {};
    T x[VDimension];
    this->MoveStart(displacement[0], x);
    this->ForEachNearGroup(evaluation, x, [&](const T * positions, const T * momenta) {
      for (int lane = 0; lane < flowGroupSize; ++lane)
      {
        T xj[VDimension];
        T uj[VDimension];
        T sum[VDimension];
        T derivative[VDimension][VDimension];
        this->Load(positions, momenta, lane, xj, uj);
        for (int a = 0; a < VDimension; ++a)
        {
          sum[a] = sums[a][lane];
          for (int b = 0; b < VDimension; ++b)
          {
            derivative[a][b] = derivatives[a][b][lane];
          }
        }
        AddVelocityAndGradient(x, xj, uj, sum, derivative);
        for (int a = 0; a < VDimension; ++a)
        {
          sums[a][lane] = sum[a];
          for (int b = 0; b < VDimension; ++b)
          {
            derivatives[a][b][lane] = derivative[a][b];
          }
        }
      }
    });
    for (int a = 0; a < VDimension; ++a)
    {
      velocity[0][a] = SumOfLanes(sums[a]);
      for (int b = 0; b < VDimension; ++b)
      {
        gradient[a][b] = static_cast<T>(-twiceLogOf2) * SumOfLanes(derivatives[a][b]);
      }
    }
  }

  T
  Tolerance() const
  {
    return m_Tolerance;
  }
  static bool
  IsTrueForAny(bool flag)
  {
    return flag;
  }

private:
  CUDANEURO_ALWAYS_INLINE void
  MoveStart(const T (&displacement)[VDimension], T (&x)[VDimension]) const
  {
    for (int d = 0; d < VDimension; ++d)
    {
      x[d] = m_Start[d] + displacement[d];
    }
  }

  CUDANEURO_ALWAYS_INLINE void
  Load(const T * positions, const T * momenta, int lane, T (&xj)[VDimension], T (&uj)[VDimension]) const
  {
    for (int d = 0; d < VDimension; ++d)
    {
      xj[d] = positions[d * m_Landmarks.numberOfLandmarks + lane];
      uj[d] = momenta[d * m_Landmarks.numberOfLandmarks + lane];
    }
  }

  static CUDANEURO_ALWAYS_INLINE T
  SumOfLanes(const T (&lanes)[flowGroupSize])
  {
    T sum = 0;
    for (const T lane : lanes)
    {
      sum += lane;
    }
    return sum;
  }

  /** Calls add(first position, first momentum) for the groups that are not negligible at a point. */
  template <typename TAdd>
  CUDANEURO_ALWAYS_INLINE void
  ForEachNearGroup(std::int64_t evaluation, const T (&x)[VDimension], const TAdd & add) const
  {
    const std::int64_t groups = std::int64_t{ m_Landmarks.numberOfRegions } * flowGroupsPerRegion;
    const std::int64_t first = evaluation * VDimension * m_Landmarks.numberOfLandmarks;
    const T * const    groupBoxes = m_Landmarks.groupBoxes + evaluation * 2 * VDimension * groups;
    const T * const regionBoxes = m_Landmarks.regionBoxes + evaluation * 2 * VDimension * m_Landmarks.numberOfRegions;
    for (int region = 0; region < m_Landmarks.numberOfRegions; ++region)
    {
      if (!(SquaredGap(x, x, regionBoxes + region, m_Landmarks.numberOfRegions) < m_Landmarks.negligible))
      {
        continue;
      }
      const std::int64_t firstGroup = std::int64_t{ region } * flowGroupsPerRegion;
      T                  gaps[flowGroupsPerRegion];
      for (int i = 0; i < flowGroupsPerRegion; ++i)
      {
        gaps[i] = SquaredGap(x, x, groupBoxes + firstGroup + i, groups);
      }
      for (int i = 0; i < flowGroupsPerRegion; ++i)
      {
        if (gaps[i] < m_Landmarks.negligible)
        {
          const std::int64_t begin = first + (firstGroup + i) * flowGroupSize;
          add(m_Landmarks.positions + begin, m_Landmarks.momenta + begin);
        }
      }
    }
  }

  const FlowLandmarks<T, T> & m_Landmarks;
  T                           m_Start[VDimension];
  T                           m_Tolerance;
};

} // namespace cudaneuro::cpu

#endif
