// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/Dispatch.h"
#include "core/HostMemory.h"
#include "cudaneuro/Error.h"
#include "landmarks/StageStates.h"
#include "landmarks/TrajectoryCpu.h"

#include <algorithm>
#include <cmath>
#include <new>

namespace cudaneuro::cpu
{
namespace
{

/** Enough groups to make starting a task cheap, and few enough for 1000 points to occupy many threads. */
constexpr int groupsPerTask = 4;

/** Coordinate \p d of a point in the working order. */
template <int VDimension, typename T>
double
PositionOf(const PointGroup<VDimension, T> * groups, std::int64_t point, int d)
{
  return groups[point / pointsPerGroup].position[d][point % pointsPerGroup];
}
template <int VDimension, typename T>
double
MomentumOf(const PointGroup<VDimension, T> * groups, std::int64_t point, int d)
{
  return groups[point / pointsPerGroup].momentum[d][point % pointsPerGroup];
}

template <int VDimension, typename T>
class Solver : public TrajectorySolver
{
public:
  using Group = PointGroup<VDimension, T>;

  Solver(Context & context, const ShootingProblem & problem)
    : m_Context(context)
    , m_Problem(problem)
    , m_Groups(static_cast<int>(DivideUp(problem.numberOfPoints, pointsPerGroup)))
    , m_Targets(problem.numberOfTargets)
  {}

  void
  SetTarget(int target, const std::vector<double> & positions, const std::vector<double> & weights) override
  {
    m_Targets[target] = { positions, weights };
  }

  /** Does nothing, because the calling threads compute: FinishEvaluation evaluates at once. */
  void
  StartEvaluation(std::vector<ShootingEvaluation> &) override
  {}

  void
  DiscardEvaluations() noexcept override
  {}

  int
  GetNumberOfEvaluationsAtATime() const override
  {
    return m_Problem.numberOfTargets;
  }

  void
  FinishEvaluation(std::vector<ShootingEvaluation> & evaluations) override
  {
    this->Reserve(evaluations.size());
    std::vector<std::size_t> withGradient;
    for (std::size_t e = 0; e < evaluations.size(); ++e)
    {
      this->Start(m_Trajectories[e], evaluations[e].momenta);
      if (evaluations[e].gradient != nullptr)
      {
        withGradient.push_back(e);
      }
    }
    this->Forward(evaluations.size());
    for (std::size_t e = 0; e < evaluations.size(); ++e)
    {
      evaluations[e].loss = this->Measure(m_Trajectories[e], m_Targets[evaluations[e].target]);
    }
    this->Backward(evaluations, withGradient);
    for (const std::size_t e : withGradient)
    {
      this->WriteGradient(m_Trajectories[e], evaluations[e].gradient);
    }
  }

  void
  Shoot(const double * momenta, double * positions, double * momentaOverTime) override
  {
    this->ShootOne(momenta);
    const int          stages = MakeIntegrator(m_Problem.parameters.integrator).stages;
    const double       scale = m_Problem.units.scale;
    const std::int64_t points = m_Problem.numberOfPoints;
    for (int time = 0; time <= m_Problem.parameters.numberOfTimeSteps; ++time)
    {
      const Group * const state = m_Trajectories[0].State(time * stages);
      for (std::int64_t i = 0; i < points * VDimension; ++i)
      {
        const std::int64_t k = i / VDimension;
        const auto         d = static_cast<int>(i % VDimension);
        const std::int64_t to = (time * points + m_Problem.order[k]) * VDimension + d;
        if (positions != nullptr)
        {
          positions[to] = PositionOf(state, k, d) / scale + m_Problem.units.center[d];
        }
        if (momentaOverTime != nullptr)
        {
          momentaOverTime[to] = MomentumOf(state, k, d) / scale;
        }
      }
    }
  }

  StageStates
  ShootStages(const double * momenta)
  {
    this->ShootOne(momenta);
    const Trajectory<VDimension, T> & trajectory = m_Trajectories[0];
    this->RequireFinite(trajectory.State(trajectory.NumberOfStages()));
    const std::int64_t size = m_Problem.numberOfPoints * VDimension;
    StageStates        states;
    states.positions.reserve(static_cast<std::size_t>(trajectory.NumberOfStages() * size));
    states.momenta.reserve(static_cast<std::size_t>(trajectory.NumberOfStages() * size));
    for (int stage = 0; stage < trajectory.NumberOfStages(); ++stage)
    {
      for (std::int64_t i = 0; i < size; ++i)
      {
        const auto d = static_cast<int>(i % VDimension);
        states.positions.push_back(PositionOf(trajectory.State(stage), i / VDimension, d));
        states.momenta.push_back(MomentumOf(trajectory.State(stage), i / VDimension, d));
      }
    }
    return states;
  }

private:
  struct Target
  {
    std::vector<double> positions;
    std::vector<double> weights;
  };

  /** Allocates memory for \p count trajectories at once. */
  void
  Reserve(std::size_t count)
  {
    try
    {
      while (m_Trajectories.size() < count)
      {
        m_Trajectories.emplace_back(m_Problem, m_Groups);
      }
    }
    catch (const std::bad_alloc &)
    {
      const auto stages = static_cast<std::size_t>(MakeIntegrator(m_Problem.parameters.integrator).stages);
      const auto steps = static_cast<std::size_t>(m_Problem.parameters.numberOfTimeSteps);
      throw OutOfMemoryError(
        "Allocation of trajectories", count * steps * stages * m_Groups * sizeof(Group), FreeHostBytes());
    }
  }

  /** Sets the initial state. Copies of the last point without momentum fill its group: they add nothing to any sum. */
  void
  Start(Trajectory<VDimension, T> & trajectory, const double * momenta) const
  {
    const std::int64_t last = m_Problem.numberOfPoints - 1;
    for (int group = 0; group < m_Groups; ++group)
    {
      Group state;
      for (int i = 0; i < pointsPerGroup; ++i)
      {
        const std::int64_t k = std::int64_t{ group } * pointsPerGroup + i;
        for (int d = 0; d < VDimension; ++d)
        {
          const double momentum = k <= last ? momenta[std::int64_t{ m_Problem.order[k] } * VDimension + d] : 0.0;
          state.position[d][i] = static_cast<T>(m_Problem.positions[std::min(k, last) * VDimension + d]);
          state.momentum[d][i] = static_cast<T>(momentum * m_Problem.units.scale);
        }
      }
      trajectory.SetStart(group, state);
    }
  }

  /** Calls body(which, group) for all groups of \p count trajectories. */
  template <typename TBody>
  void
  ForGroups(std::size_t count, const TBody & body) const
  {
    const Context::ProgressPause pause(m_Context);
    const int                    tasks = DivideUp(m_Groups, groupsPerTask);
    m_Context.ParallelFor(static_cast<std::int64_t>(count) * tasks, [&](std::int64_t task) {
      VectorDispatch([this, &body, task, tasks] {
        const int begin = static_cast<int>(task % tasks) * groupsPerTask;
        const int end = std::min(begin + groupsPerTask, m_Groups);
        for (int group = begin; group < end; ++group)
        {
          body(static_cast<std::size_t>(task / tasks), group);
        }
      });
    });
  }

  void
  Forward(std::size_t count)
  {
    for (int stage = 0; stage < m_Trajectories[0].NumberOfStages(); ++stage)
    {
      this->ForGroups(count,
                      [this, stage](std::size_t which, int group) { m_Trajectories[which].Advance(stage, group); });
    }
  }

  void
  Backward(const std::vector<ShootingEvaluation> & evaluations, const std::vector<std::size_t> & which)
  {
    for (const std::size_t e : which)
    {
      this->SetEndDerivatives(m_Trajectories[e], m_Targets[evaluations[e].target]);
    }
    for (int stage = m_Trajectories[0].NumberOfStages() - 1; stage >= 0; --stage)
    {
      this->ForGroups(which.size(), [&](std::size_t i, int group) { m_Trajectories[which[i]].Retreat(stage, group); });
    }
  }

  void
  ShootOne(const double * momenta)
  {
    this->Reserve(1);
    this->Start(m_Trajectories[0], momenta);
    this->Forward(1);
  }

  ShootingLoss
  Measure(const Trajectory<VDimension, T> & trajectory, const Target & target) const
  {
    const Group * const end = trajectory.State(trajectory.NumberOfStages());
    double              energy = 0.0;
    double              mismatch = 0.0;
    double              sumOfDistances = 0.0;
    double              largestSquare = 0.0;
    std::int64_t        count = 0;
    bool                isFinite = true;
    for (std::int64_t k = 0; k < m_Problem.numberOfPoints; ++k)
    {
      double square = 0.0;
      for (int d = 0; d < VDimension; ++d)
      {
        const double difference = PositionOf(end, k, d) - target.positions[k * VDimension + d];
        square += difference * difference;
        energy += 0.5 * MomentumOf(trajectory.State(0), k, d) * PositionOf(trajectory.FirstSlopes(), k, d);
      }
      isFinite = isFinite && std::isfinite(square);
      if (target.weights[k] > 0.0)
      {
        mismatch += target.weights[k] * square;
        sumOfDistances += std::sqrt(square);
        largestSquare = std::max(largestSquare, square);
        ++count;
      }
    }
    const double squaredScale = m_Problem.units.scale * m_Problem.units.scale;
    // The loss is infinite even if only points without weight left the range, or if the maximum, which ignores NaN, is
    // finite.
    const double addend = isFinite ? 0.0 : std::numeric_limits<double>::infinity();
    ShootingLoss loss;
    loss.kineticEnergy = energy / squaredScale;
    loss.mismatch = m_Problem.parameters.lambda * mismatch / squaredScale + addend;
    loss.meanDistance = sumOfDistances / static_cast<double>(count) / m_Problem.units.scale + addend;
    loss.maximumDistance = std::sqrt(largestSquare / squaredScale) + addend;
    return loss;
  }

  void
  SetEndDerivatives(Trajectory<VDimension, T> & trajectory, const Target & target) const
  {
    const Group * const end = trajectory.State(trajectory.NumberOfStages());
    for (int group = 0; group < m_Groups; ++group)
    {
      Group              derivatives = {};
      const std::int64_t first = std::int64_t{ group } * pointsPerGroup;
      const auto points = static_cast<int>(std::min<std::int64_t>(pointsPerGroup, m_Problem.numberOfPoints - first));
      for (int i = 0; i < points; ++i)
      {
        for (int d = 0; d < VDimension; ++d)
        {
          const std::int64_t k = first + i;
          const double       difference = PositionOf(end, k, d) - target.positions[k * VDimension + d];
          derivatives.position[d][i] =
            static_cast<T>(2.0 * m_Problem.parameters.lambda * target.weights[k] * difference);
        }
      }
      trajectory.SetEndDerivatives(group, derivatives);
    }
  }

  /** The gradient includes the kinetic energy's derivatives by the momenta, which are the velocities at the start. */
  void
  WriteGradient(const Trajectory<VDimension, T> & trajectory, double * gradient) const
  {
    for (std::int64_t k = 0; k < m_Problem.numberOfPoints; ++k)
    {
      for (int d = 0; d < VDimension; ++d)
      {
        const double derivative =
          MomentumOf(trajectory.Derivatives(), k, d) + PositionOf(trajectory.FirstSlopes(), k, d);
        gradient[std::int64_t{ m_Problem.order[k] } * VDimension + d] = derivative / m_Problem.units.scale;
      }
    }
  }

  void
  RequireFinite(const Group * state) const
  {
    for (std::int64_t i = 0; i < m_Problem.numberOfPoints * VDimension; ++i)
    {
      const auto d = static_cast<int>(i % VDimension);
      if (!std::isfinite(PositionOf(state, i / VDimension, d)) || !std::isfinite(MomentumOf(state, i / VDimension, d)))
      {
        throw Error("Geodesic shooting",
                    "point " + std::to_string(m_Problem.order[i / VDimension]) +
                      " leaves the range of the floating-point numbers");
      }
    }
  }

  Context &                              m_Context;
  const ShootingProblem &                m_Problem;
  int                                    m_Groups;
  std::vector<Target>                    m_Targets;
  std::vector<Trajectory<VDimension, T>> m_Trajectories;
};

} // namespace

std::unique_ptr<TrajectorySolver>
MakeTrajectorySolver(Context & context, const ShootingProblem & problem)
{
  std::unique_ptr<TrajectorySolver> solver;
  WithConstant<2, 3>(problem.dimension, [&](auto dimension) {
    if (problem.parameters.precision == ShootingPrecision::Double)
    {
      solver = std::make_unique<Solver<dimension(), double>>(context, problem);
    }
    else
    {
      solver = std::make_unique<Solver<dimension(), float>>(context, problem);
    }
  });
  return solver;
}

StageStates
ShootStages(Context & context, const ShootingProblem & problem, const double * momenta)
{
  StageStates states;
  WithConstant<2, 3>(problem.dimension, [&](auto dimension) {
    states = Solver<dimension(), double>(context, problem).ShootStages(momenta);
  });
  return states;
}

} // namespace cudaneuro::cpu
