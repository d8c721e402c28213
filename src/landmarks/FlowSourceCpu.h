// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_FlowSourceCpu_h
#define cudaneuro_landmarks_FlowSourceCpu_h

#include "landmarks/FlowLandmarks.h"

#include <vector>

namespace cudaneuro::cpu
{

/** The landmarks in type T. */
template <typename T>
class FlowSource
{
public:
  explicit FlowSource(const FlowStates & states)
    : m_Positions(ToSinglePrecision(states.GetPositions()))
    , m_Momenta(ToSinglePrecision(states.GetMomenta()))
    , m_GroupBoxes(ToSinglePrecision(states.GetGroupBoxes()))
    , m_RegionBoxes(ToSinglePrecision(states.GetRegionBoxes()))
    , m_Landmarks(states.MakeLandmarks<T, T>())
    , m_Reach(states.MakeReach<T>())
  {
    m_Landmarks.positions = m_Positions.data();
    m_Landmarks.momenta = m_Momenta.data();
    m_Landmarks.groupBoxes = m_GroupBoxes.data();
    m_Landmarks.regionBoxes = m_RegionBoxes.data();
  }
  FlowSource(const FlowSource &) = delete;
  FlowSource &
  operator=(const FlowSource &) = delete;

  const FlowLandmarks<T, T> &
  Landmarks() const
  {
    return m_Landmarks;
  }
  const FlowReach &
  Reach() const
  {
    return m_Reach;
  }

private:
  std::vector<float>  m_Positions;
  std::vector<float>  m_Momenta;
  std::vector<float>  m_GroupBoxes;
  std::vector<float>  m_RegionBoxes;
  FlowLandmarks<T, T> m_Landmarks;
  FlowReach           m_Reach;
};

/** The landmarks of the states themselves, without a copy; constructed for each point. */
template <>
class FlowSource<double>
{
public:
  explicit FlowSource(const FlowStates & states)
    : m_Landmarks(states.View())
    , m_Reach(states.MakeReach<double>())
  {}

  const FlowLandmarks<double, double> &
  Landmarks() const
  {
    return m_Landmarks;
  }
  const FlowReach &
  Reach() const
  {
    return m_Reach;
  }

private:
  FlowLandmarks<double, double> m_Landmarks;
  FlowReach                     m_Reach;
};

} // namespace cudaneuro::cpu

#endif
