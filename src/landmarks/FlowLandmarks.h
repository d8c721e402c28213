// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_FlowLandmarks_h
#define cudaneuro_landmarks_FlowLandmarks_h

#include "landmarks/StageStates.h"

#include <array>
#include <cstdint>
#include <vector>

namespace cudaneuro
{

/** Landmarks that are consecutive in the working order, and therefore neighbors in space, form groups, and groups form
 * regions. Both have bounding boxes: whatever is far from a box is far from all landmarks in it. */
constexpr int flowGroupSize = 16;
constexpr int flowGroupsPerRegion = 32;

/** A Runge-Kutta method's coefficients (Integrator.h) times the length of a step. */
template <typename T>
struct FlowSteps
{
  int numberOfSteps = 0;
  int stages = 1;
  T   advance[4] = {};
  T   weight[4] = {};
};

/** A view of the landmarks at all evaluations of the velocity: evaluation = step * stages + stage. Positions may have a
 * wider type: differences between near points are then exact enough in the type of the sums. */
template <typename T, typename TPosition>
struct FlowLandmarks
{
  FlowSteps<T> steps;
  /** A multiple of flowGroupSize, padded by landmarks without momentum. */
  std::int64_t numberOfLandmarks = 0;
  int          numberOfRegions = 0;
  /** The squared distance from which on landmarks are omitted. */
  T negligible = 0;
  /** Positions, an array of shape (evaluations, dimension, landmarks). */
  const TPosition * positions = nullptr;
  const T *         momenta = nullptr;
  /** The lowest corners of the boxes, then the highest, of shape (evaluations, 2, dimension, groups of all regions);
   * and the same of the regions. Missing groups are infinitely far away. */
  const T * groupBoxes = nullptr;
  const T * regionBoxes = nullptr;
};

/** A box outside which points do not move. */
struct FlowReach
{
  double lowest[3] = {};
  double highest[3] = {};
};

/** The landmarks at all evaluations, in working units and in double precision. */
class FlowStates
{
public:
  FlowStates(const ShootingProblem & problem, const StageStates & states);

  int
  GetDimension() const
  {
    return m_Dimension;
  }
  const WorkingUnits &
  GetUnits() const
  {
    return m_Units;
  }
  ShootingPrecision
  GetPrecision() const
  {
    return m_Precision;
  }

  const std::vector<double> &
  GetPositions() const
  {
    return m_Positions;
  }
  const std::vector<double> &
  GetMomenta() const
  {
    return m_Momenta;
  }
  const std::vector<double> &
  GetGroupBoxes() const
  {
    return m_GroupBoxes;
  }
  const std::vector<double> &
  GetRegionBoxes() const
  {
    return m_RegionBoxes;
  }

  /** A view with all members except the arrays. */
  template <typename T, typename TPosition>
  FlowLandmarks<T, TPosition>
  MakeLandmarks() const;

  FlowLandmarks<double, double>
  View() const;

  /** The reach of sums in type T. */
  template <typename T>
  FlowReach
  MakeReach() const;

private:
  template <typename T>
  double
  Negligible() const
  {
    return sizeof(T) == sizeof(float) ? m_NegligibleInSingle : m_NegligibleInDouble;
  }

  void
  SetLandmarks(std::int64_t evaluation, std::int64_t numberOfPoints, const StageStates & states);
  void
  SetBoxes(std::int64_t evaluation);

  int                   m_Dimension;
  WorkingUnits          m_Units;
  ShootingPrecision     m_Precision;
  FlowSteps<double>     m_Steps;
  double                m_NegligibleInSingle;
  double                m_NegligibleInDouble;
  std::int64_t          m_NumberOfLandmarks;
  std::int64_t          m_NumberOfRegions;
  std::vector<double>   m_Positions;
  std::vector<double>   m_Momenta;
  std::vector<double>   m_GroupBoxes;
  std::vector<double>   m_RegionBoxes;
  std::array<double, 3> m_Lowest{};
  std::array<double, 3> m_Highest{};
};

extern template FlowLandmarks<float, float>
FlowStates::MakeLandmarks() const;
extern template FlowLandmarks<float, double>
FlowStates::MakeLandmarks() const;
extern template FlowLandmarks<double, double>
FlowStates::MakeLandmarks() const;
extern template FlowReach
FlowStates::MakeReach<float>() const;
extern template FlowReach
FlowStates::MakeReach<double>() const;

/** The numbers in single precision.
 * \throws Error for a number beyond its range */
std::vector<float>
ToSinglePrecision(const std::vector<double> & values);

} // namespace cudaneuro

#endif
