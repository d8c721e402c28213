// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGeodesicShootingRegistration_hxx
#define itkCudaGeodesicShootingRegistration_hxx

#include "itkCudaGeodesicShootingRegistration.h"
#include "cudaneuro/Error.h"
#include "itkCudaGeodesicShootingRegistrationInputs.hxx"
#include "itkCudaGeodesicShootingRegistrationResults.hxx"

#include <string>
#include <utility>

namespace itk
{

template <typename TPointSet>
CudaGeodesicShootingRegistration<TPointSet>::CudaGeodesicShootingRegistration()
{
  this->SetPrimaryInputName("TemplatePointSet");
  this->SetNumberOfRequiredInputs(1);
  this->SetNumberOfRequiredOutputs(1);
  this->SetNthOutput(0, this->MakeOutput(DataObjectPointerArraySizeType{ 0 }));
}

template <typename TPointSet>
void
CudaGeodesicShootingRegistration<TPointSet>::GenerateData()
{
  m_StopIterations = false;
  m_CurrentTarget = 0;
  m_States.clear();
  m_Trajectories.clear();
  m_MomentaOverTime.clear();
  m_TargetProperties.clear();
  m_Alignments.clear();
  m_AlignedDistances.clear();
  m_UsedParameters = m_Parameters;
  if (m_Parameters.shooting.sigma == 0.0)
  {
    itkExceptionMacro("Sigma was not set: it has no default, because it is a length of the data");
  }
  this->VerifySizes();
  this->VerifyDevices();
  this->RunOnDevice([this](cudaneuro::Context & context) { this->Match(context); });
}

template <typename TPointSet>
void
CudaGeodesicShootingRegistration<TPointSet>::Match(cudaneuro::Context & context)
{
  m_TemplatePositions = CudaNeuroDetail::PositionsOf(context, this->GetTemplatePointSet());
  const auto                  numberOfPoints = static_cast<std::int64_t>(m_TemplatePositions.size() / Dimension);
  cudaneuro::GeodesicShooting shooting(context,
                                       m_UsedParameters.shooting,
                                       Dimension,
                                       numberOfPoints,
                                       { m_TemplatePositions.data() },
                                       static_cast<int>(this->GetNumberOfTargets()));
  for (unsigned int target = 0; target < this->GetNumberOfTargets(); ++target)
  {
    this->SetTarget(context, shooting, target);
  }
  constexpr double endOfIterations = 0.98;
  {
    const cudaneuro::Context::ProgressRange progress(context, 0.0, endOfIterations);
    CudaNeuroDetail::MatchLandmarks(
      context, shooting, m_UsedParameters.matching, m_States, [this](int target, const StateType &) {
        return this->ObserveIteration(target);
      });
  }
  this->VerifyFinite();
  this->WarnOfFarTargets();
  const cudaneuro::Context::ProgressRange progress(context, endOfIterations, 1.0);
  for (unsigned int target = 0; target < this->GetNumberOfTargets(); ++target)
  {
    this->WriteOutput(context, shooting, target);
    context.ReportProgress((target + 1.0) / this->GetNumberOfTargets());
  }
}

template <typename TPointSet>
void
CudaGeodesicShootingRegistration<TPointSet>::SetTarget(cudaneuro::Context &          context,
                                                       cudaneuro::GeodesicShooting & shooting,
                                                       unsigned int                  target)
{
  const RealVectorType   positions = CudaNeuroDetail::PositionsOf(context, this->GetTargetPointSet(target));
  const RealVectorType & weights = this->GetWeights(target);
  const auto             setTarget = [&](const RealVectorType & points) {
    shooting.SetTarget(static_cast<int>(target), { points.data() }, weights.empty() ? nullptr : weights.data());
  };
  // This checks positions and weights, before they are aligned.
  setTarget(positions);
  m_Alignments.push_back(
    cudaneuro::AlignPoints(m_UsedParameters.pointAlignment, Dimension, m_TemplatePositions, positions, weights));
  const cudaneuro::AffineMap & map = m_Alignments.back().map;
  if (m_UsedParameters.pointAlignment != PointAlignmentEnum::None)
  {
    setTarget(cudaneuro::MapPoints(cudaneuro::Inverse(map), Dimension, positions));
  }
  m_AlignedDistances.push_back(CudaNeuroDetail::RootMeanSquareDistance(
    Dimension, cudaneuro::MapPoints(map, Dimension, m_TemplatePositions), positions, weights));
  m_TargetProperties.push_back(CudaNeuroDetail::PropertiesOf(Dimension, m_TemplatePositions, positions, weights));
  const SizeValueType unreachable = m_TargetProperties.back().numberOfUnreachablePoints;
  if (unreachable > 0)
  {
    itkWarningMacro("Target " << target << " cannot be reached: " << unreachable
                              << " points share their places in the template with points that have other targets");
  }
  StateType  state;
  const auto start = m_InitialMomenta.find(target);
  if (start != m_InitialMomenta.end())
  {
    state.momenta = start->second;
  }
  m_States.push_back(state);
}

template <typename TPointSet>
bool
CudaGeodesicShootingRegistration<TPointSet>::ObserveIteration(int target)
{
  m_CurrentTarget = static_cast<unsigned int>(target);
  this->InvokeEvent(IterationEvent());
  if (this->GetAbortGenerateData())
  {
    throw cudaneuro::Aborted();
  }
  return !m_StopIterations;
}

/** Throws if initial momenta are too large for a finite trajectory; the default, 0, never is. */
template <typename TPointSet>
void
CudaGeodesicShootingRegistration<TPointSet>::VerifyFinite() const
{
  for (unsigned int target = 0; target < m_States.size(); ++target)
  {
    if (m_States[target].stop == StopEnum::NotFinite)
    {
      itkExceptionMacro("The initial momenta of target " << target
                                                         << " lead out of the range of the floating-point numbers");
    }
  }
}

template <typename TPointSet>
void
CudaGeodesicShootingRegistration<TPointSet>::WarnOfFarTargets() const
{
  for (unsigned int target = 0; target < m_States.size(); ++target)
  {
    if (this->GetRemainsFar(target))
    {
      itkWarningMacro("The points remain far from target "
                      << target << ": the root mean square of their distances is "
                      << this->GetRootMeanSquareDistance(target) << " mm, "
                      << this->GetInitialRootMeanSquareDistance(target) << " mm before, with sigma "
                      << m_UsedParameters.shooting.sigma << " mm and a spread of the target of "
                      << m_TargetProperties[target].spread << " mm; "
                      << (m_UsedParameters.pointAlignment == PointAlignmentEnum::None
                            ? "where they are turned, shifted or scaled as a whole, PointAlignment takes that off first"
                            : "a larger sigma, more iterations or another order of the points may be needed"));
    }
  }
}

template <typename TPointSet>
void
CudaGeodesicShootingRegistration<TPointSet>::WriteOutput(cudaneuro::Context &          context,
                                                         cudaneuro::GeodesicShooting & shooting,
                                                         unsigned int                  target)
{
  const std::size_t numbers = m_TemplatePositions.size();
  const auto        times = static_cast<std::size_t>(m_UsedParameters.shooting.numberOfTimeSteps) + 1;
  RealVectorType    positions(numbers * times);
  RealVectorType    momenta(m_ComputeTrajectories ? positions.size() : 0);
  shooting.Shoot(
    m_States[target].momenta.data(), { positions.data() }, { m_ComputeTrajectories ? momenta.data() : nullptr });
  const RealVectorType       end(positions.end() - static_cast<std::ptrdiff_t>(numbers), positions.end());
  const RealVectorType       moved = cudaneuro::MapPoints(m_Alignments[target].map, Dimension, end);
  const PointSetType * const templatePoints = this->GetTemplatePointSet();
  CudaNeuroDetail::SetMovedPoints(context, templatePoints, templatePoints, moved, this->GetOutput(target));
  if (m_ComputeTrajectories)
  {
    m_Trajectories.push_back(std::move(positions));
    m_MomentaOverTime.push_back(std::move(momenta));
  }
}

} // namespace itk

#endif
