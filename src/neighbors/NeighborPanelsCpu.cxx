// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "neighbors/NeighborPanelsCpu.h"

#include <cmath>
#include <limits>

namespace cudaneuro::cpu
{
namespace
{

float
LargestMagnitude(const float * values, std::int64_t count)
{
  float largest = 0.0f;
  for (std::int64_t i = 0; i < count; ++i)
  {
    largest = std::max(largest, std::abs(values[i]));
  }
  return largest;
}

double
ScaleOf(const NeighborSearch & search)
{
  constexpr int largestExponent = 49; // that of the largest valid magnitude
  const float   largest = std::max(LargestMagnitude(search.queries, search.numberOfQueries * search.stride),
                                 LargestMagnitude(search.points, search.numberOfPoints * search.stride));
  return largest > 0.0f ? std::ldexp(1.0, largestExponent - std::ilogb(largest)) : 1.0;
}

} // namespace

NeighborPanels::NeighborPanels(Context & context, const NeighborSearch & search)
  : m_Dimension(search.dimension)
  , m_NumberOfPanels(DivideUp(search.numberOfPoints, pointsPerPanel))
  , m_Scale(ScaleOf(search))
  , m_Values(m_NumberOfPanels * m_Dimension * pointsPerPanel)
{
  constexpr std::int64_t panelsPerTask = 64;
  context.ParallelFor(DivideUp(m_NumberOfPanels, panelsPerTask), [&](std::int64_t task) {
    const std::int64_t begin = task * panelsPerTask * pointsPerPanel;
    const std::int64_t end = std::min(m_NumberOfPanels, (task + 1) * panelsPerTask) * pointsPerPanel;
    for (std::int64_t point = begin; point < end; ++point)
    {
      float * const to =
        m_Values.Data() + point / pointsPerPanel * m_Dimension * pointsPerPanel + point % pointsPerPanel;
      const float * const from = search.points + point * search.stride;
      for (int i = 0; i < m_Dimension; ++i)
      {
        to[i * pointsPerPanel] = point < search.numberOfPoints ? static_cast<float>(from[i] * m_Scale)
                                                               : std::numeric_limits<float>::quiet_NaN();
      }
    }
  });
}

} // namespace cudaneuro::cpu
