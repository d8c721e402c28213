// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "landmarks/FlowLandmarks.h"

#include "core/IntegerMath.h"
#include "cudaneuro/Error.h"
#include "landmarks/Integrator.h"
#include "points/PointOrder.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cudaneuro
{
namespace
{

/** The corners of missing groups' boxes, whose square is infinite in single precision. */
constexpr double farAway = 1e30;

FlowSteps<double>
MakeFlowSteps(const GeodesicShootingParameters & parameters)
{
  const Integrator  integrator = MakeIntegrator(parameters.integrator);
  const double      length = 1.0 / parameters.numberOfTimeSteps;
  FlowSteps<double> steps;
  steps.numberOfSteps = parameters.numberOfTimeSteps;
  steps.stages = integrator.stages;
  for (int stage = 0; stage < integrator.stages; ++stage)
  {
    steps.advance[stage] = length * integrator.advance[stage];
    steps.weight[stage] = length * integrator.weight[stage];
  }
  return steps;
}

/** The minimum and maximum of each \p size consecutive elements, over one coordinate of boxes or points. */
void
FindExtremes(const double * lowest,
             const double * highest,
             std::int64_t   count,
             std::int64_t   size,
             double *       lowestOfGroups,
             double *       highestOfGroups)
{
  for (std::int64_t begin = 0; begin < count; begin += size)
  {
    const std::int64_t end = std::min(count, begin + size);
    *lowestOfGroups++ = *std::min_element(lowest + begin, lowest + end);
    *highestOfGroups++ = *std::max_element(highest + begin, highest + end);
  }
}

} // namespace

FlowStates::FlowStates(const ShootingProblem & problem, const StageStates & states)
  : m_Dimension(problem.dimension)
  , m_Units(problem.units)
  , m_Precision(problem.parameters.precision)
  , m_Steps(MakeFlowSteps(problem.parameters))
  , m_NegligibleInSingle(NegligibleSquaredDistance(problem.numberOfPoints, std::numeric_limits<float>::digits))
  , m_NegligibleInDouble(NegligibleSquaredDistance(problem.numberOfPoints, std::numeric_limits<double>::digits))
  , m_NumberOfLandmarks(RoundUp(problem.numberOfPoints, flowGroupSize))
  , m_NumberOfRegions(DivideUp(m_NumberOfLandmarks, flowGroupSize * flowGroupsPerRegion))
{
  const std::int64_t evaluations = std::int64_t{ m_Steps.numberOfSteps } * m_Steps.stages;
  const std::int64_t rows = evaluations * m_Dimension;
  m_Positions.resize(static_cast<std::size_t>(rows * m_NumberOfLandmarks));
  m_Momenta.resize(m_Positions.size(), 0.0);
  m_GroupBoxes.resize(static_cast<std::size_t>(2 * rows * m_NumberOfRegions * flowGroupsPerRegion), farAway);
  m_RegionBoxes.resize(static_cast<std::size_t>(2 * rows * m_NumberOfRegions));
  m_Lowest.fill(std::numeric_limits<double>::infinity());
  m_Highest.fill(-std::numeric_limits<double>::infinity());
  for (std::int64_t evaluation = 0; evaluation < evaluations; ++evaluation)
  {
    this->SetLandmarks(evaluation, problem.numberOfPoints, states);
    this->SetBoxes(evaluation);
  }
}

void
FlowStates::SetLandmarks(std::int64_t evaluation, std::int64_t numberOfPoints, const StageStates & states)
{
  const auto from = static_cast<std::size_t>(evaluation * numberOfPoints * m_Dimension);
  const auto to = static_cast<std::size_t>(evaluation * m_NumberOfLandmarks * m_Dimension);
  for (int d = 0; d < m_Dimension; ++d)
  {
    double * const positions = m_Positions.data() + to + d * m_NumberOfLandmarks;
    double * const momenta = m_Momenta.data() + to + d * m_NumberOfLandmarks;
    for (std::int64_t i = 0; i < numberOfPoints; ++i)
    {
      positions[i] = states.positions[from + i * m_Dimension + d];
      momenta[i] = states.momenta[from + i * m_Dimension + d];
    }
    // Padding landmarks have no momentum, and the last position, so that they enlarge no box.
    std::fill(positions + numberOfPoints, positions + m_NumberOfLandmarks, positions[numberOfPoints - 1]);
  }
}

void
FlowStates::SetBoxes(std::int64_t evaluation)
{
  const std::int64_t   groups = m_NumberOfRegions * flowGroupsPerRegion;
  const double * const positions = m_Positions.data() + evaluation * m_Dimension * m_NumberOfLandmarks;
  double * const       groupBoxes = m_GroupBoxes.data() + evaluation * 2 * m_Dimension * groups;
  double * const       regionBoxes = m_RegionBoxes.data() + evaluation * 2 * m_Dimension * m_NumberOfRegions;
  for (int d = 0; d < m_Dimension; ++d)
  {
    const double * const row = positions + d * m_NumberOfLandmarks;
    double * const       lowest = groupBoxes + d * groups;
    double * const       highest = groupBoxes + (m_Dimension + d) * groups;
    double * const       lowestOfRegions = regionBoxes + d * m_NumberOfRegions;
    double * const       highestOfRegions = regionBoxes + (m_Dimension + d) * m_NumberOfRegions;
    FindExtremes(row, row, m_NumberOfLandmarks, flowGroupSize, lowest, highest);
    FindExtremes(
      lowest, highest, m_NumberOfLandmarks / flowGroupSize, flowGroupsPerRegion, lowestOfRegions, highestOfRegions);
    m_Lowest[d] = std::min(m_Lowest[d], *std::min_element(lowestOfRegions, lowestOfRegions + m_NumberOfRegions));
    m_Highest[d] = std::max(m_Highest[d], *std::max_element(highestOfRegions, highestOfRegions + m_NumberOfRegions));
  }
}

template <typename T, typename TPosition>
FlowLandmarks<T, TPosition>
FlowStates::MakeLandmarks() const
{
  FlowLandmarks<T, TPosition> landmarks;
  landmarks.steps.numberOfSteps = m_Steps.numberOfSteps;
  landmarks.steps.stages = m_Steps.stages;
  for (int stage = 0; stage < m_Steps.stages; ++stage)
  {
    landmarks.steps.advance[stage] = static_cast<T>(m_Steps.advance[stage]);
    landmarks.steps.weight[stage] = static_cast<T>(m_Steps.weight[stage]);
  }
  landmarks.numberOfLandmarks = m_NumberOfLandmarks;
  landmarks.numberOfRegions = static_cast<int>(m_NumberOfRegions);
  landmarks.negligible = static_cast<T>(this->Negligible<T>());
  return landmarks;
}

FlowLandmarks<double, double>
FlowStates::View() const
{
  FlowLandmarks<double, double> landmarks = this->MakeLandmarks<double, double>();
  landmarks.positions = m_Positions.data();
  landmarks.momenta = m_Momenta.data();
  landmarks.groupBoxes = m_GroupBoxes.data();
  landmarks.regionBoxes = m_RegionBoxes.data();
  return landmarks;
}

template <typename T>
FlowReach
FlowStates::MakeReach() const
{
  const double distance = std::sqrt(this->Negligible<T>());
  FlowReach    reach;
  for (int d = 0; d < m_Dimension; ++d)
  {
    reach.lowest[d] = m_Lowest[d] - distance;
    reach.highest[d] = m_Highest[d] + distance;
  }
  return reach;
}

template FlowLandmarks<float, float>
FlowStates::MakeLandmarks() const;
template FlowLandmarks<float, double>
FlowStates::MakeLandmarks() const;
template FlowLandmarks<double, double>
FlowStates::MakeLandmarks() const;
template FlowReach
FlowStates::MakeReach<float>() const;
template FlowReach
FlowStates::MakeReach<double>() const;

std::vector<float>
ToSinglePrecision(const std::vector<double> & values)
{
  std::vector<float> single(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    if (!(std::abs(values[i]) <= std::numeric_limits<float>::max()))
    {
      throw Error("Flow of points in single precision",
                  "the trajectory of the landmarks leaves its range; double precision has a larger one");
    }
    single[i] = static_cast<float>(values[i]);
  }
  return single;
}

} // namespace cudaneuro
