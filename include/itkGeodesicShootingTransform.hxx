// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkGeodesicShootingTransform_hxx
#define itkGeodesicShootingTransform_hxx

#include "itkGeodesicShootingTransform.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
GeodesicShootingTransform<TParametersValueType, VDimension>::SetTemplatePositions(const RealVectorType & positions)
{
  FixedParametersType parameters(FirstCoordinate + positions.size());
  std::copy_n(this->m_FixedParameters.begin(), static_cast<unsigned int>(FirstCoordinate), parameters.begin());
  parameters[NumberOfPoints] = static_cast<double>(positions.size()) / VDimension;
  std::copy(positions.begin(), positions.end(), parameters.begin() + FirstCoordinate);
  this->SetFixedParameters(parameters);
}

template <typename TParametersValueType, unsigned int VDimension>
auto
GeodesicShootingTransform<TParametersValueType, VDimension>::GetTemplatePositions() const -> RealVectorType
{
  return { this->m_FixedParameters.begin() + FirstCoordinate, this->m_FixedParameters.end() };
}

template <typename TParametersValueType, unsigned int VDimension>
SizeValueType
GeodesicShootingTransform<TParametersValueType, VDimension>::GetNumberOfPoints() const
{
  return static_cast<SizeValueType>(this->m_FixedParameters[NumberOfPoints]);
}

template <typename TParametersValueType, unsigned int VDimension>
void
GeodesicShootingTransform<TParametersValueType, VDimension>::SetInitialMomenta(const RealVectorType & momenta)
{
  ParametersType parameters(momenta.size());
  std::transform(momenta.begin(), momenta.end(), parameters.begin(), [](double value) {
    return static_cast<TParametersValueType>(value);
  });
  this->SetParameters(parameters);
}

template <typename TParametersValueType, unsigned int VDimension>
auto
GeodesicShootingTransform<TParametersValueType, VDimension>::GetInitialMomenta() const -> RealVectorType
{
  return { this->m_Parameters.begin(), this->m_Parameters.end() };
}

template <typename TParametersValueType, unsigned int VDimension>
void
GeodesicShootingTransform<TParametersValueType, VDimension>::SetFixedParameter(FixedParameter parameter, double value)
{
  FixedParametersType parameters = this->m_FixedParameters;
  parameters[parameter] = value;
  this->SetFixedParameters(parameters);
}

template <typename TParametersValueType, unsigned int VDimension>
void
GeodesicShootingTransform<TParametersValueType, VDimension>::SetSigma(double sigma)
{
  this->SetFixedParameter(Sigma, sigma);
}

template <typename TParametersValueType, unsigned int VDimension>
double
GeodesicShootingTransform<TParametersValueType, VDimension>::GetSigma() const
{
  return this->m_FixedParameters[Sigma];
}

template <typename TParametersValueType, unsigned int VDimension>
void
GeodesicShootingTransform<TParametersValueType, VDimension>::SetNumberOfTimeSteps(unsigned int steps)
{
  this->SetFixedParameter(NumberOfTimeSteps, steps);
}

template <typename TParametersValueType, unsigned int VDimension>
unsigned int
GeodesicShootingTransform<TParametersValueType, VDimension>::GetNumberOfTimeSteps() const
{
  return static_cast<unsigned int>(this->m_FixedParameters[NumberOfTimeSteps]);
}

#if !defined(ITK_WRAPPING_PARSER)
template <typename TParametersValueType, unsigned int VDimension>
void
GeodesicShootingTransform<TParametersValueType, VDimension>::SetIntegrator(IntegratorEnum integrator)
{
  this->SetFixedParameter(IntegratorOrder, CudaNeuroDetail::OrderOf(integrator));
}

template <typename TParametersValueType, unsigned int VDimension>
auto
GeodesicShootingTransform<TParametersValueType, VDimension>::GetIntegrator() const -> IntegratorEnum
{
  return CudaNeuroDetail::IntegratorOfOrder(this->m_FixedParameters[IntegratorOrder]);
}

template <typename TParametersValueType, unsigned int VDimension>
void
GeodesicShootingTransform<TParametersValueType, VDimension>::SetDirection(DirectionEnum direction)
{
  if (direction != this->GetDirection())
  {
    this->m_FixedParameters[Direction] = direction == DirectionEnum::Backward ? 1.0 : 0.0;
    this->Modified(); // The flow has both directions.
  }
}

template <typename TParametersValueType, unsigned int VDimension>
auto
GeodesicShootingTransform<TParametersValueType, VDimension>::GetDirection() const -> DirectionEnum
{
  return this->m_FixedParameters[Direction] == 0.0 ? DirectionEnum::Forward : DirectionEnum::Backward;
}
#endif

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
void
GeodesicShootingTransform<TParametersValueType, VDimension>::ForgetFlow()
{
  {
    const std::lock_guard<std::mutex> lock(m_FlowMutex);
    m_Flow.reset();
  }
  this->Modified();
}

template <typename TParametersValueType, unsigned int VDimension>
auto
GeodesicShootingTransform<TParametersValueType, VDimension>::MakeFlow(PrecisionEnum precision) const
  -> std::shared_ptr<const FlowType>
{
  cudaneuro::GeodesicShootingParameters parameters;
  parameters.sigma = this->GetSigma();
  parameters.numberOfTimeSteps = static_cast<int>(this->GetNumberOfTimeSteps());
  parameters.integrator = this->GetIntegrator();
  parameters.precision = precision;
  return CudaNeuroDetail::MakeFlow(parameters, VDimension, this->GetTemplatePositions(), this->GetInitialMomenta());
}

template <typename TParametersValueType, unsigned int VDimension>
auto
GeodesicShootingTransform<TParametersValueType, VDimension>::GetFlow() const -> std::shared_ptr<const FlowType>
{
  const std::lock_guard<std::mutex> lock(m_FlowMutex);
  if (!m_Flow && this->GetNumberOfPoints() > 0)
  {
    m_Flow = this->MakeFlow(PrecisionEnum::Single);
  }
  return m_Flow;
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

template <typename TParametersValueType, unsigned int VDimension>
auto
GeodesicShootingTransform<TParametersValueType, VDimension>::GetInverseTransform() const -> InverseTransformBasePointer
{
  const Pointer inverse = New();
  this->GetInverse(inverse);
  return inverse.GetPointer();
}

template <typename TParametersValueType, unsigned int VDimension>
typename LightObject::Pointer
GeodesicShootingTransform<TParametersValueType, VDimension>::InternalClone() const
{
  const Pointer clone = New();
  this->CopyTo(clone, this->GetDirection());
  return clone.GetPointer();
}

template <typename TParametersValueType, unsigned int VDimension>
void
GeodesicShootingTransform<TParametersValueType, VDimension>::RegisterWithObjectFactory()
{
  CudaNeuroDetail::RegisterTransforms();
}

template <typename TParametersValueType, unsigned int VDimension>
void
GeodesicShootingTransform<TParametersValueType, VDimension>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "NumberOfPoints: " << this->GetNumberOfPoints() << std::endl;
  os << indent << "Sigma: " << this->GetSigma() << std::endl;
  os << indent << "NumberOfTimeSteps: " << this->GetNumberOfTimeSteps() << std::endl;
  os << indent << "Integrator: " << this->GetIntegrator() << std::endl;
  os << indent << "Direction: " << this->GetDirection() << std::endl;
}

} // namespace itk

#endif
