// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itk/TargetMatching.h"

#include <algorithm>
#include <cmath>

namespace itk::CudaNeuroDetail
{

namespace
{

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

bool
IsFinite(const cudaneuro::ShootingLoss & loss, double gradientNorm)
{
  return std::isfinite(loss.Total()) && std::isfinite(gradientNorm);
}

} // namespace

TargetMatching::TargetMatching(int target, const LandmarkMatchingParameters & parameters, LandmarkMatchingState & state)
  : m_Parameters(parameters)
  , m_State(state)
  , m_Optimizer(state.momenta, parameters.numberOfCorrections)
  , m_Gradient(state.momenta.size())
  , m_Target(target)
{}

cudaneuro::ShootingEvaluation
TargetMatching::MakeEvaluation()
{
  cudaneuro::ShootingEvaluation evaluation;
  evaluation.target = m_Target;
  evaluation.momenta = m_Optimizer.GetPoint().data();
  evaluation.gradient = m_Gradient.data();
  return evaluation;
}

bool
TargetMatching::Advance(const cudaneuro::ShootingLoss & loss)
{
  ++m_State.numberOfEvaluations;
  return m_State.losses.empty() ? this->Begin(loss) : this->GoOn(loss);
}

void
TargetMatching::Stop(LandmarkMatchingStop reason)
{
  m_State.stop = reason;
  m_IsActive = false;
}

bool
TargetMatching::Begin(const cudaneuro::ShootingLoss & loss)
{
  m_State.gradientNorm = m_FirstGradientNorm = NormOf(m_Gradient);
  m_State.losses.push_back(loss);
  if (!IsFinite(loss, m_FirstGradientNorm))
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
TargetMatching::GoOn(const cudaneuro::ShootingLoss & loss)
{
  const double gradientNorm = NormOf(m_Gradient);
  double       value = loss.Total();
  if (!IsFinite(loss, gradientNorm))
  {
    // An invalid loss is replaced by a wall, from which the line search steps back.
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
TargetMatching::StopIfDone(LimitedMemoryBfgs::Status status)
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

} // namespace itk::CudaNeuroDetail
