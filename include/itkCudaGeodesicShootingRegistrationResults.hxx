// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGeodesicShootingRegistrationResults_hxx
#define itkCudaGeodesicShootingRegistrationResults_hxx

// The part of CudaGeodesicShootingRegistration that returns results.

#include "itkCudaGeodesicShootingRegistration.h"
#include "itkCudaLinearRegistrationTransforms.h"

#include <cmath>

namespace itk
{

template <typename TPointSet>
auto
CudaGeodesicShootingRegistration<TPointSet>::MakeOutput(DataObjectPointerArraySizeType) -> DataObjectPointer
{
  return PointSetType::New().GetPointer();
}

template <typename TPointSet>
auto
CudaGeodesicShootingRegistration<TPointSet>::GetOutput(unsigned int target) -> PointSetType *
{
  if (target >= this->GetNumberOfIndexedOutputs())
  {
    itkExceptionMacro("There is no output of target " << target << ": there are " << this->GetNumberOfTargets()
                                                      << " targets, from 0");
  }
  return dynamic_cast<PointSetType *>(this->ProcessObject::GetOutput(target));
}

/** Returns the element of a target from a list of results. */
template <typename TPointSet>
template <typename TResult>
const TResult &
CudaGeodesicShootingRegistration<TPointSet>::ResultOf(const std::vector<TResult> & results, unsigned int target) const
{
  if (target >= results.size())
  {
    itkExceptionMacro("There is no such result of target " << target << ": there are results of " << results.size()
                                                           << " targets");
  }
  return results[target];
}

template <typename TPointSet>
auto
CudaGeodesicShootingRegistration<TPointSet>::GetState(unsigned int target) const -> const StateType &
{
  const StateType & state = this->ResultOf(m_States, target);
  if (state.losses.empty())
  {
    itkExceptionMacro("There is no result of target " << target << ": its loss was not evaluated");
  }
  return state;
}

template <typename TPointSet>
double
CudaGeodesicShootingRegistration<TPointSet>::GetRootMeanSquareDistance(unsigned int target) const
{
  const double weightOfSquares =
    m_UsedParameters.shooting.lambda * this->ResultOf(m_TargetProperties, target).sumOfWeights;
  return m_Alignments[target].scale * std::sqrt(this->GetState(target).losses.back().mismatch / weightOfSquares);
}

template <typename TPointSet>
bool
CudaGeodesicShootingRegistration<TPointSet>::GetRemainsFar(unsigned int target) const
{
  const double distance = this->GetRootMeanSquareDistance(target);
  const double spread = m_TargetProperties[target].spread;
  return distance > 0.5 * m_UsedParameters.shooting.sigma * m_Alignments[target].scale ||
         (spread > 0.0 && distance > 0.1 * spread);
}

template <typename TPointSet>
auto
CudaGeodesicShootingRegistration<TPointSet>::GetTransform(unsigned int target) const -> typename TransformType::Pointer
{
  auto transform = this->MakeGeodesicTransform(target);
  if (m_UsedParameters.pointAlignment != PointAlignmentEnum::None)
  {
    itkExceptionMacro("The map of target " << target << " has an alignment in it, PointAlignment is "
                                           << m_UsedParameters.pointAlignment << ": GetCompositeTransform gives both");
  }
  return transform;
}

template <typename TPointSet>
auto
CudaGeodesicShootingRegistration<TPointSet>::GetCompositeTransform(unsigned int target) const ->
  typename CompositeTransformType::Pointer
{
  auto geodesic = this->MakeGeodesicTransform(target);
  auto composite = CompositeTransformType::New();
  if (m_UsedParameters.pointAlignment != PointAlignmentEnum::None)
  {
    // The last transform that is added is the first that moves a point. The affine class is the only linear one whose
    // inverse has a class that files can have.
    const cudaneuro::AlignedPoints & alignment = m_Alignments[target];
    composite->AddTransform(CudaNeuroDetail::MakeLinearTransform<Dimension>(
      cudaneuro::LinearTransformType::Affine, alignment.map, alignment.center));
  }
  composite->AddTransform(geodesic);
  return composite;
}

template <typename TPointSet>
auto
CudaGeodesicShootingRegistration<TPointSet>::MakeGeodesicTransform(unsigned int target) const ->
  typename TransformType::Pointer
{
  const RealVectorType & momenta = this->GetMomenta(target);
  auto                   transform = TransformType::New();
  transform->SetSigma(m_UsedParameters.shooting.sigma);
  transform->SetNumberOfTimeSteps(static_cast<unsigned int>(m_UsedParameters.shooting.numberOfTimeSteps));
  transform->SetIntegrator(m_UsedParameters.shooting.integrator);
  transform->SetTemplatePositions(m_TemplatePositions);
  transform->SetInitialMomenta(momenta);
  return transform;
}

template <typename TPointSet>
void
CudaGeodesicShootingRegistration<TPointSet>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  CudaNeuroDetail::PrintParameters(os, indent, m_Parameters.shooting, Dimension);
  CudaNeuroDetail::PrintParameters(os, indent, m_Parameters.matching, Dimension);
  CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, Dimension);
  os << indent << "ComputeTrajectories: " << (m_ComputeTrajectories ? "On" : "Off") << std::endl;
  os << indent << "NumberOfTargets: " << this->GetNumberOfTargets() << std::endl;
  os << indent << "CurrentTarget: " << m_CurrentTarget << std::endl;
}

} // namespace itk

#endif
