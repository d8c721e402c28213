// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaNeuroLandmarkMatching.h"

#include "core/EnumNames.h"
#include "core/ParameterChecks.h"
#include "core/ThreadTeam.h"
#include "itk/LimitedMemoryBfgs.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <ostream>
#include <utility>

namespace itk::CudaNeuroDetail
{

namespace
{

constexpr cudaneuro::EnumNames<LandmarkMatchingStop, 5> stopNames{
  "reason for stopping",
  { { { LandmarkMatchingStop::Converged, "Converged" },
      { LandmarkMatchingStop::MaximumNumberOfIterations, "MaximumNumberOfIterations" },
      { LandmarkMatchingStop::LineSearchFailed, "LineSearchFailed" },
      { LandmarkMatchingStop::NotFinite, "NotFinite" },
      { LandmarkMatchingStop::Stopped, "Stopped" } } }
};

void
RequireParameters(const LandmarkMatchingParameters & parameters)
{
  cudaneuro::RequireInRange("the convergence threshold", parameters.convergenceThreshold, { 0.0, 1.0 });
  cudaneuro::RequireInRange("the gradient tolerance", parameters.gradientTolerance, { 0.0, 1.0 });
  cudaneuro::RequireInRange("the number of corrections", parameters.numberOfCorrections, { 1.0, 100.0 });
}

double
NormOf(const std::vector<double> & values)
{
  double sum = 0.0;
  for (const double value : values)
  {
    sum += value * value;
  }
  return std::sqrt(sum);
}

/** The iterations of one target. */
class TargetMatching
{
public:
  TargetMatching(int target, const LandmarkMatchingParameters & parameters, LandmarkMatchingState & state)
    : m_Parameters(parameters)
    , m_State(state)
    , m_Optimizer(state.momenta, parameters.numberOfCorrections)
    , m_Gradient(state.momenta.size())
    , m_Target(target)
  {}

  bool
  IsActive() const
  {
    return m_IsActive;
  }
  int
  GetTarget() const
  {
    return m_Target;
  }
  const LandmarkMatchingState &
  GetState() const
  {
    return m_State;
  }

  /** What is to be evaluated next. */
  cudaneuro::ShootingEvaluation
  MakeEvaluation()
  {
    cudaneuro::ShootingEvaluation evaluation;
    evaluation.target = m_Target;
    evaluation.momenta = m_Optimizer.GetPoint().data();
    evaluation.gradient = m_Gradient.data();
    return evaluation;
  }

  /** Takes the evaluated loss. \returns whether an iteration has ended. */
  bool
  Advance(const cudaneuro::ShootingLoss & loss)
  {
    ++m_State.numberOfEvaluations;
    return m_State.losses.empty() ? this->Begin(loss) : this->GoOn(loss);
  }

  void
  Stop(LandmarkMatchingStop reason)
  {
    m_State.stop = reason;
    m_IsActive = false;
  }

private:
  bool
  IsFinite(const cudaneuro::ShootingLoss & loss, double gradientNorm) const
  {
    return std::isfinite(loss.Total()) && std::isfinite(gradientNorm);
  }

  bool
  Begin(const cudaneuro::ShootingLoss & loss)
  {
    m_State.gradientNorm = m_FirstGradientNorm = NormOf(m_Gradient);
    m_State.losses.push_back(loss);
    if (!this->IsFinite(loss, m_FirstGradientNorm))
    {
      this->Stop(LandmarkMatchingStop::NotFinite);
    }
    else if (m_FirstGradientNorm == 0.0)
    {
      this->Stop(LandmarkMatchingStop::Converged);
    }
    else if (m_Parameters.maximumNumberOfIterations == 0)
    {
      this->Stop(LandmarkMatchingStop::MaximumNumberOfIterations);
    }
    else
    {
      m_Optimizer.Advance(loss.Total(), m_Gradient);
    }
    return false;
  }

  bool
  GoOn(const cudaneuro::ShootingLoss & loss)
  {
    const double gradientNorm = NormOf(m_Gradient);
    double       value = loss.Total();
    if (!this->IsFinite(loss, gradientNorm))
    {
      // A wall, from which the line search steps back.
      value = 10.0 * m_State.losses.back().Total();
      std::fill(m_Gradient.begin(), m_Gradient.end(), 0.0);
    }
    const unsigned int iterations = m_Optimizer.GetNumberOfIterations();
    const auto         status = m_Optimizer.Advance(value, m_Gradient);
    if (m_Optimizer.GetNumberOfIterations() == iterations)
    {
      if (status == LimitedMemoryBfgs::Status::NoDecrease)
      {
        this->Stop(LandmarkMatchingStop::LineSearchFailed);
      }
      return false;
    }
    m_State.momenta = m_Optimizer.GetBestPoint();
    m_State.gradientNorm = gradientNorm;
    m_State.losses.push_back(loss);
    this->StopIfDone(status);
    return true;
  }

  void
  StopIfDone(LimitedMemoryBfgs::Status status)
  {
    const auto   count = m_State.losses.size();
    const double before = m_State.losses[count - 2].Total();
    const double decrease = before - m_State.losses[count - 1].Total();
    if (status == LimitedMemoryBfgs::Status::Minimum || decrease <= m_Parameters.convergenceThreshold * before ||
        m_State.gradientNorm <= m_Parameters.gradientTolerance * m_FirstGradientNorm)
    {
      this->Stop(LandmarkMatchingStop::Converged);
    }
    else if (m_State.GetNumberOfIterations() >= m_Parameters.maximumNumberOfIterations)
    {
      this->Stop(LandmarkMatchingStop::MaximumNumberOfIterations);
    }
  }

  const LandmarkMatchingParameters & m_Parameters;
  LandmarkMatchingState &            m_State;
  LimitedMemoryBfgs                  m_Optimizer;
  std::vector<double>                m_Gradient;
  double                             m_FirstGradientNorm = 0.0;
  int                                m_Target;
  bool                               m_IsActive = true;
};

/** All targets, whose iterations go on side by side. */
class Matching
{
public:
  Matching(cudaneuro::Context &                 context,
           cudaneuro::GeodesicShooting &        shooting,
           const LandmarkMatchingParameters &   parameters,
           std::vector<LandmarkMatchingState> & states,
           const LandmarkMatchingObserver &     observer)
    : m_Context(context)
    , m_Shooting(shooting)
    , m_Parameters(parameters)
    , m_Observer(observer)
    , m_Team(shooting.GetNumberOfTargets() > 1 ? context.GetNumberOfThreads() : 1)
  {
    for (int target = 0; target < shooting.GetNumberOfTargets(); ++target)
    {
      m_Targets.push_back(std::make_unique<TargetMatching>(target, m_Parameters, states[target]));
      m_Active.push_back(m_Targets.back().get());
    }
  }

  void
  Run()
  {
    while (!m_Active.empty())
    {
      m_Evaluations.clear();
      for (TargetMatching * const target : m_Active)
      {
        m_Evaluations.push_back(target->MakeEvaluation());
      }
      {
        const cudaneuro::Context::ProgressPause pause(m_Context);
        m_Shooting.Evaluate(m_Evaluations);
        this->AdvanceAll();
      }
      this->Observe();
      m_Active.erase(std::remove_if(m_Active.begin(),
                                    m_Active.end(),
                                    [](const TargetMatching * target) { return !target->IsActive(); }),
                     m_Active.end());
      m_Context.ReportProgress(this->GetProgress());
    }
  }

private:
  void
  AdvanceAll()
  {
    m_HasIterated.assign(m_Active.size(), 0);
    m_Errors.assign(m_Active.size(), nullptr);
    m_Team.ParallelFor(static_cast<std::int64_t>(m_Active.size()), [this](std::int64_t i) {
      try
      {
        m_HasIterated[i] = m_Active[i]->Advance(m_Evaluations[i].loss);
      }
      catch (...)
      {
        m_Errors[i] = std::current_exception();
      }
    });
    for (const std::exception_ptr & error : m_Errors)
    {
      if (error)
      {
        std::rethrow_exception(error);
      }
    }
  }

  void
  Observe()
  {
    bool goesOn = true;
    for (std::size_t i = 0; i < m_Active.size() && m_Observer; ++i)
    {
      if (m_HasIterated[i] != 0)
      {
        goesOn = m_Observer(m_Active[i]->GetTarget(), m_Active[i]->GetState()) && goesOn;
      }
    }
    for (TargetMatching * const target : m_Active)
    {
      if (!goesOn && target->IsActive())
      {
        target->Stop(LandmarkMatchingStop::Stopped);
      }
    }
  }

  double
  GetProgress() const
  {
    double sum = 0.0;
    for (const auto & target : m_Targets)
    {
      sum += target->IsActive() ? static_cast<double>(target->GetState().GetNumberOfIterations()) /
                                    m_Parameters.maximumNumberOfIterations
                                : 1.0;
    }
    return sum / static_cast<double>(m_Targets.size());
  }

  cudaneuro::Context &                         m_Context;
  cudaneuro::GeodesicShooting &                m_Shooting;
  const LandmarkMatchingParameters             m_Parameters;
  const LandmarkMatchingObserver &             m_Observer;
  std::vector<std::unique_ptr<TargetMatching>> m_Targets;
  std::vector<TargetMatching *>                m_Active;
  std::vector<cudaneuro::ShootingEvaluation>   m_Evaluations;
  /** Not of bool, because threads write neighbors. */
  std::vector<char>               m_HasIterated;
  std::vector<std::exception_ptr> m_Errors;
  cudaneuro::ThreadTeam           m_Team;
};

} // namespace

std::ostream &
operator<<(std::ostream & os, LandmarkMatchingStop stop)
{
  return stopNames.Print(os, stop);
}

void
MatchLandmarks(cudaneuro::Context &                 context,
               cudaneuro::GeodesicShooting &        shooting,
               const LandmarkMatchingParameters &   parameters,
               std::vector<LandmarkMatchingState> & states,
               const LandmarkMatchingObserver &     observer)
{
  RequireParameters(parameters);
  const auto numbers = static_cast<std::size_t>(shooting.GetNumberOfPoints() * shooting.GetDimension());
  states.resize(static_cast<std::size_t>(shooting.GetNumberOfTargets()));
  for (LandmarkMatchingState & state : states)
  {
    std::vector<double> start = std::move(state.momenta);
    if (!start.empty() && start.size() != numbers)
    {
      cudaneuro::ThrowInvalid("the number of components of initial momenta", start.size(), std::to_string(numbers));
    }
    state = LandmarkMatchingState();
    state.momenta = std::move(start);
    state.momenta.resize(numbers);
  }
  Matching(context, shooting, parameters, states, observer).Run();
}

} // namespace itk::CudaNeuroDetail
