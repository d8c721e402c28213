// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaNeuroLandmarkMatching.h"

#include "core/ParameterChecks.h"
#include "itk/TargetMatching.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <memory>
#include <utility>

namespace itk::CudaNeuroDetail
{

namespace
{

/** Targets that are evaluated together. */
struct Batch
{
  std::vector<TargetMatching *>              targets;
  std::vector<cudaneuro::ShootingEvaluation> evaluations;
};

/** All targets, whose iterations proceed side by side. If two batches of them both fill the device, it evaluates one
 * while the host advances the other. */
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
    , m_TargetsAtATime(static_cast<std::size_t>(shooting.GetNumberOfEvaluationsAtATime()))
  {
    for (int target = 0; target < shooting.GetNumberOfTargets(); ++target)
    {
      m_Targets.push_back(std::make_unique<TargetMatching>(target, m_Parameters, states[target]));
      m_Waiting.push_back(m_Targets.back().get());
    }
  }

  void
  Run()
  {
    try
    {
      while (!m_Waiting.empty() || !m_UnderWay.empty())
      {
        const std::size_t count = this->NumberToStart();
        if (count > 0)
        {
          this->Start(count);
        }
        else
        {
          this->Finish();
        }
      }
    }
    catch (...)
    {
      m_Shooting.DiscardEvaluations();
      throw;
    }
  }

private:
  /** \returns the number of waiting targets that form a batch now; 0 if they wait for a batch in flight. Two batches
   * have at least three quarters of the targets that fill the device each: smaller ones would take longer than a single
   * batch. */
  std::size_t
  NumberToStart() const
  {
    const std::size_t waiting = m_Waiting.size();
    if (m_UnderWay.empty())
    {
      return 2 * waiting >= 3 * m_TargetsAtATime ? std::min((waiting + 1) / 2, m_TargetsAtATime) : waiting;
    }
    return m_UnderWay.size() == 1 && 4 * waiting >= 3 * m_TargetsAtATime ? std::min(waiting, m_TargetsAtATime) : 0;
  }

  /** Starts the evaluation of the first \p count waiting targets. */
  void
  Start(std::size_t count)
  {
    const auto end = m_Waiting.begin() + static_cast<std::ptrdiff_t>(count);
    Batch &    batch = m_UnderWay.emplace_back();
    batch.targets.assign(m_Waiting.begin(), end);
    m_Waiting.erase(m_Waiting.begin(), end);
    for (TargetMatching * const target : batch.targets)
    {
      batch.evaluations.push_back(target->MakeEvaluation());
    }
    const cudaneuro::Context::ProgressPause pause(m_Context);
    m_Shooting.StartEvaluation(batch.evaluations);
  }

  /** Finishes the earliest batch. Its targets that are not done wait for the next batch. */
  void
  Finish()
  {
    {
      const cudaneuro::Context::ProgressPause pause(m_Context);
      m_Shooting.FinishEvaluation();
      this->Advance(m_UnderWay.front());
    }
    const bool goesOn = this->Observe(m_UnderWay.front());
    for (TargetMatching * const target : m_UnderWay.front().targets)
    {
      if (target->IsActive())
      {
        m_Waiting.push_back(target);
      }
    }
    m_UnderWay.pop_front();
    if (!goesOn)
    {
      this->StopAll();
    }
    m_Context.ReportProgress(this->GetProgress());
  }

  void
  Advance(const Batch & batch)
  {
    m_HasIterated.assign(batch.targets.size(), 0);
    m_Errors.assign(batch.targets.size(), nullptr);
    const cudaneuro::Context::ProgressPause pause(m_Context);
    m_Context.ParallelFor(static_cast<std::int64_t>(batch.targets.size()), [this, &batch](std::int64_t i) {
      try
      {
        m_HasIterated[i] = batch.targets[i]->Advance(batch.evaluations[i].loss);
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

  /** \returns whether the observer wants to continue */
  bool
  Observe(const Batch & batch) const
  {
    bool goesOn = true;
    for (std::size_t i = 0; i < batch.targets.size() && m_Observer; ++i)
    {
      if (m_HasIterated[i] != 0)
      {
        goesOn = m_Observer(batch.targets[i]->GetTarget(), batch.targets[i]->GetState()) && goesOn;
      }
    }
    return goesOn;
  }

  /** Stops all targets. Those in flight stay where their last iteration ended. */
  void
  StopAll()
  {
    m_Shooting.DiscardEvaluations();
    m_UnderWay.clear();
    m_Waiting.clear();
    for (const auto & target : m_Targets)
    {
      if (target->IsActive())
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

  cudaneuro::Context &             m_Context;
  cudaneuro::GeodesicShooting &    m_Shooting;
  const LandmarkMatchingParameters m_Parameters;
  const LandmarkMatchingObserver & m_Observer;
  /** The number of targets that fill the device. */
  const std::size_t                            m_TargetsAtATime;
  std::vector<std::unique_ptr<TargetMatching>> m_Targets;
  /** Targets that are neither done nor in flight. */
  std::vector<TargetMatching *> m_Waiting;
  /** Batches in flight, in the order of their starts. A batch must not move in memory until it is finished. */
  std::deque<Batch> m_UnderWay;
  /** Not a vector of bool, because threads write neighboring elements. */
  std::vector<char>               m_HasIterated;
  std::vector<std::exception_ptr> m_Errors;
};

} // namespace

void
MatchLandmarks(cudaneuro::Context &                 context,
               cudaneuro::GeodesicShooting &        shooting,
               const LandmarkMatchingParameters &   parameters,
               std::vector<LandmarkMatchingState> & states,
               const LandmarkMatchingObserver &     observer)
{
  cudaneuro::RequireParameters(parameters);
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
