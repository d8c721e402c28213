// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_TrajectoryCpu_h
#define cudaneuro_landmarks_TrajectoryCpu_h

#include "core/IntegerMath.h"
#include "landmarks/Integrator.h"
#include "landmarks/TrajectorySolver.h"
#include "points/PairSumsCpu.h"
#include "points/PointOrder.h"

#include <cstddef>
#include <limits>
#include <vector>

namespace cudaneuro::cpu
{

/** One trajectory stage by stage, and its adjoint stage by stage back. Stages are counted over all steps.
 *
 * Advance and Retreat compute one group of points each. They read of the other groups what the stage before has
 * left, and write what belongs to their group alone: the groups of a stage may be computed at once, and in any
 * order. */
template <int VDimension, typename T>
class Trajectory
{
public:
  using Group = PointGroup<VDimension, T>;

  Trajectory(const ShootingProblem & problem, int groups)
    : m_Integrator(MakeIntegrator(problem.parameters.integrator))
    , m_NumberOfStages(problem.parameters.numberOfTimeSteps * m_Integrator.stages)
    , m_Groups(groups)
    , m_BoxGroups(DivideUp(groups, boxesPerGroup))
    , m_TimeStep(T(1.0 / problem.parameters.numberOfTimeSteps))
    , m_NegligibleSquare(T(NegligibleSquaredDistance(problem.numberOfPoints, std::numeric_limits<T>::digits)))
    , m_States((static_cast<std::size_t>(m_NumberOfStages) + 1) * groups)
    , m_Boxes((static_cast<std::size_t>(m_NumberOfStages) + 1) * m_BoxGroups)
    , m_StepSums(groups)
    , m_FirstSlopes(groups)
    , m_Derivatives(groups)
    , m_Adjoints{ std::vector<Group>(groups), std::vector<Group>(groups) }
  {}

  int
  NumberOfStages() const
  {
    return m_NumberOfStages;
  }

  /** The state z_s that a stage starts from; that of NumberOfStages() is the end. */
  const Group *
  State(int stage) const
  {
    return m_States.data() + static_cast<std::size_t>(stage) * m_Groups;
  }

  void
  SetStart(int group, const Group & state)
  {
    m_States[group] = state;
    SetBox(state, group, m_Boxes.data());
  }

  CUDANEURO_ALWAYS_INLINE void
  Advance(int stage, int group)
  {
    const int   stageOfStep = stage % m_Integrator.stages;
    const bool  isLast = stageOfStep + 1 == m_Integrator.stages;
    const Group slopes = this->SlopesAt(stage, group);
    if (stage == 0)
    {
      m_FirstSlopes[group] = slopes;
    }
    this->AddToStep(stageOfStep == 0, T(m_Integrator.weight[stageOfStep]), slopes, group);
    const Group & stepStart = this->State(stage - stageOfStep)[group];
    const T       advance = m_TimeStep * T(m_Integrator.advance[isLast ? 0 : stageOfStep + 1]);
    const Group   next =
      isLast ? Combine(T(1), stepStart, m_TimeStep, m_StepSums[group]) : Combine(T(1), stepStart, advance, slopes);
    m_States[static_cast<std::size_t>(stage + 1) * m_Groups + group] = next;
    SetBox(next, group, m_Boxes.data() + static_cast<std::size_t>(stage + 1) * m_BoxGroups);
  }

  /** The slopes at the start. */
  const Group *
  FirstSlopes() const
  {
    return m_FirstSlopes.data();
  }

  /** Sets the derivatives of the loss by the state at the end. */
  void
  SetEndDerivatives(int group, const Group & derivatives)
  {
    m_Derivatives[group] = derivatives;
    this->SetLastAdjoint(m_NumberOfStages - 1, group);
  }

  /** The adjoint of Advance. */
  CUDANEURO_ALWAYS_INLINE void
  Retreat(int stage, int group)
  {
    const int   stageOfStep = stage % m_Integrator.stages;
    const Group change = this->AdjointAt(stage, group);
    this->AddToStep(stageOfStep + 1 == m_Integrator.stages, T(1), change, group);
    if (stageOfStep > 0)
    {
      this->Adjoints(stage - 1)[group] = Combine(m_TimeStep * T(m_Integrator.weight[stageOfStep - 1]),
                                                 m_Derivatives[group],
                                                 m_TimeStep * T(m_Integrator.advance[stageOfStep]),
                                                 change);
      return;
    }
    m_Derivatives[group] = Combine(T(1), m_Derivatives[group], T(1), m_StepSums[group]);
    if (stage > 0)
    {
      this->SetLastAdjoint(stage - 1, group);
    }
  }

  /** The derivatives of the loss by the state at the start, after Retreat of all stages. */
  const Group *
  Derivatives() const
  {
    return m_Derivatives.data();
  }

private:
  /** The k_s of a stage. Those of the stage after it are still read while they are written: two arrays take turns. */
  Group *
  Adjoints(int stage)
  {
    return m_Adjoints[stage % 2].data();
  }

  /** k_s of a step's last stage. */
  CUDANEURO_ALWAYS_INLINE void
  SetLastAdjoint(int stage, int group)
  {
    const T factor = m_TimeStep * T(m_Integrator.weight[m_Integrator.stages - 1]);
    this->Adjoints(stage)[group] = Scale(factor, m_Derivatives[group]);
  }

  static CUDANEURO_ALWAYS_INLINE Group
  Scale(T factor, const Group & group)
  {
    Group result;
    for (int d = 0; d < VDimension; ++d)
    {
      for (int i = 0; i < pointsPerGroup; ++i)
      {
        result.position[d][i] = factor * group.position[d][i];
        result.momentum[d][i] = factor * group.momentum[d][i];
      }
    }
    return result;
  }

  /** factorOfA a + factorOfB b. */
  static CUDANEURO_ALWAYS_INLINE Group
  Combine(T factorOfA, const Group & a, T factorOfB, const Group & b)
  {
    Group result;
    for (int d = 0; d < VDimension; ++d)
    {
      for (int i = 0; i < pointsPerGroup; ++i)
      {
        result.position[d][i] = factorOfA * a.position[d][i] + factorOfB * b.position[d][i];
        result.momentum[d][i] = factorOfA * a.momentum[d][i] + factorOfB * b.momentum[d][i];
      }
    }
    return result;
  }

  /** Adds to the sum over a step's stages. */
  CUDANEURO_ALWAYS_INLINE void
  AddToStep(bool isFirst, T factor, const Group & term, int group)
  {
    m_StepSums[group] = isFirst ? Scale(factor, term) : Combine(T(1), m_StepSums[group], factor, term);
  }

  /** Calls body(indices, count) for runs of the points whose pairs with a group are not negligible. */
  template <typename TBody>
  CUDANEURO_ALWAYS_INLINE void
  ForNear(int stage, int group, const TBody & body) const
  {
    const BoxGroup<VDimension, T> * const boxes = m_Boxes.data() + static_cast<std::size_t>(stage) * m_BoxGroups;
    ForNearPoints(BoxOf(boxes, group), this->State(stage), boxes, m_Groups, m_NegligibleSquare, body);
  }

  CUDANEURO_ALWAYS_INLINE Group
  SlopesAt(int stage, int group) const
  {
    const Group * const     states = this->State(stage);
    GroupSum<VDimension, T> sum;
    this->ForNear(stage, group, [&](const std::uint32_t * near, int count) {
      PointRun<VDimension, T> others = {};
      Gather(near, count, states, others);
      sum.Add(SlopesBy(count, others, states[group]));
    });
    return sum.Total(T(1), T(twiceLogOf2));
  }

  CUDANEURO_ALWAYS_INLINE Group
  AdjointAt(int stage, int group)
  {
    const Group * const     states = this->State(stage);
    const Group * const     adjoints = this->Adjoints(stage);
    GroupSum<VDimension, T> sum;
    this->ForNear(stage, group, [&](const std::uint32_t * near, int count) {
      PointRun<VDimension, T> others = {};
      PointRun<VDimension, T> otherAdjoints = {};
      Gather(near, count, states, others);
      Gather(near, count, adjoints, otherAdjoints);
      sum.Add(AdjointBy(count, others, otherAdjoints, states[group], adjoints[group]));
    });
    return sum.Total(T(twiceLogOf2), T(1));
  }

  Integrator                           m_Integrator;
  int                                  m_NumberOfStages;
  int                                  m_Groups;
  int                                  m_BoxGroups;
  T                                    m_TimeStep;
  T                                    m_NegligibleSquare;
  std::vector<Group>                   m_States;
  std::vector<BoxGroup<VDimension, T>> m_Boxes;
  std::vector<Group>                   m_StepSums;
  std::vector<Group>                   m_FirstSlopes;
  std::vector<Group>                   m_Derivatives;
  std::vector<Group>                   m_Adjoints[2];
};

} // namespace cudaneuro::cpu

#endif
