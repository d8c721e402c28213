// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkGeodesicShootingTransform_hxx
#define itkGeodesicShootingTransform_hxx

#include "itkGeodesicShootingTransform.h"

namespace itk
{

template <typename TParametersValueType, unsigned int VDimension>
GeodesicShootingTransform<TParametersValueType, VDimension>::GeodesicShootingTransform()
  : Superclass(0)
{
  this->m_FixedParameters.SetSize(FirstCoordinate);
  this->m_FixedParameters[LayoutVersion] = m_CurrentLayoutVersion;
  this->m_FixedParameters[SpaceDimension] = VDimension;
  this->m_FixedParameters[NumberOfPoints] = 0.0;
  this->m_FixedParameters[Sigma] = 1.0;
  this->m_FixedParameters[NumberOfTimeSteps] = 40.0;
  this->m_FixedParameters[IntegratorOrder] = CudaNeuroDetail::OrderOf(IntegratorEnum::Euler);
  this->m_FixedParameters[Direction] = 0.0;
}

template <typename TParametersValueType, unsigned int VDimension>
void
GeodesicShootingTransform<TParametersValueType, VDimension>::SetParameters(const ParametersType & parameters)
{
  const SizeValueType count = this->GetNumberOfPoints() * VDimension;
  if (parameters.Size() != count)
  {
    itkExceptionMacro("There are " << parameters.Size() << " parameters, which are the momenta; " << VDimension
                                   << " components for each of " << this->GetNumberOfPoints() << " points would be "
                                   << count << ". Fixed parameters are to be set first");
  }
  const RealVectorType momenta(parameters.begin(), parameters.end());
  CudaNeuroDetail::RequireFinite("momentum", VDimension, momenta.data(), momenta.size());
  if (&parameters != &this->m_Parameters)
  {
    this->m_Parameters = parameters;
  }
  this->ForgetFlow();
}

template <typename TParametersValueType, unsigned int VDimension>
void
GeodesicShootingTransform<TParametersValueType, VDimension>::SetFixedParameters(const FixedParametersType & parameters)
{
  CudaNeuroDetail::RequireTransformLayout(VDimension, RealVectorType(parameters.begin(), parameters.end()));
  if (&parameters != &this->m_FixedParameters)
  {
    this->m_FixedParameters = parameters;
  }
  const SizeValueType count = this->GetNumberOfPoints() * VDimension;
  if (this->m_Parameters.Size() != count)
  {
    this->m_Parameters.SetSize(count);
    this->m_Parameters.Fill(0);
  }
  this->ForgetFlow();
}

template <typename TParametersValueType, unsigned int VDimension>
auto
GeodesicShootingTransform<TParametersValueType, VDimension>::TransformPoint(const InputPointType & point) const
  -> OutputPointType
{
  const std::shared_ptr<const FlowType> flow = this->GetFlow();
  if (!flow)
  {
    return point;
  }
  Point<double, VDimension> input;
  Point<double, VDimension> moved;
  input.CastFrom(point);
  CudaNeuroDetail::Call([&] { flow->TransformPoint(this->GetDirection(), &input[0], &moved[0]); });
  OutputPointType output;
  output.CastFrom(moved);
  return output;
}

template <typename TParametersValueType, unsigned int VDimension>
void
GeodesicShootingTransform<TParametersValueType, VDimension>::ComputeJacobianWithRespectToPosition(
  const InputPointType & point, JacobianPositionType & jacobian) const
{
  const std::shared_ptr<const FlowType> flow = this->GetFlow();
  if (!flow)
  {
    jacobian.set_identity();
    return;
  }
  Point<double, VDimension> input;
  Point<double, VDimension> output;
  double                    derivatives[VDimension * VDimension];
  input.CastFrom(point);
  CudaNeuroDetail::Call([&] { flow->TransformPoint(this->GetDirection(), &input[0], &output[0], derivatives); });
  for (unsigned int row = 0; row < VDimension; ++row)
  {
    for (unsigned int column = 0; column < VDimension; ++column)
    {
      jacobian(row, column) = static_cast<TParametersValueType>(derivatives[row * VDimension + column]);
    }
  }
}

template <typename TParametersValueType, unsigned int VDimension>
void
GeodesicShootingTransform<TParametersValueType, VDimension>::ComputeJacobianWithRespectToParameters(
  const InputPointType &, JacobianType &) const
{
  itkExceptionMacro("ComputeJacobianWithRespectToParameters is not offered: the momenta of a GeodesicShootingTransform "
                    "are found by CudaGeodesicShootingRegistration");
}

template <typename TParametersValueType, unsigned int VDimension>
void
GeodesicShootingTransform<TParametersValueType, VDimension>::CopyTo(Self * other, DirectionEnum direction) const
{
  std::shared_ptr<const FlowType> flow;
  {
    const std::lock_guard<std::mutex> lock(m_FlowMutex);
    flow = m_Flow;
  }
  other->SetFixedParameters(this->m_FixedParameters);
  other->SetParameters(this->m_Parameters);
  other->SetDirection(direction);
  const std::lock_guard<std::mutex> lock(other->m_FlowMutex);
  other->m_Flow = flow;
}

template <typename TParametersValueType, unsigned int VDimension>
bool
GeodesicShootingTransform<TParametersValueType, VDimension>::GetInverse(Self * inverse) const
{
  if (inverse == nullptr)
  {
    return false;
  }
  this->CopyTo(inverse,
               this->GetDirection() == DirectionEnum::Forward ? DirectionEnum::Backward : DirectionEnum::Forward);
  return true;
}

} // namespace itk

#endif
