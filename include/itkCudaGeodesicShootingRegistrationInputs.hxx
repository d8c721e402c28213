// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGeodesicShootingRegistrationInputs_hxx
#define itkCudaGeodesicShootingRegistrationInputs_hxx

// The part of CudaGeodesicShootingRegistration that takes inputs and passes parameters to the engine.

#include "itkCudaGeodesicShootingRegistration.h"

#include <algorithm>

namespace itk
{

template <typename TPointSet>
void
CudaGeodesicShootingRegistration<TPointSet>::SetTargetPointSet(unsigned int target, const PointSetType * points)
{
  this->ProcessObject::SetNthInput(target + 1, const_cast<PointSetType *>(points));
  for (auto inputs = this->GetNumberOfIndexedInputs();
       inputs > 1 && this->ProcessObject::GetInput(inputs - 1) == nullptr;)
  {
    this->SetNumberOfIndexedInputs(--inputs);
  }
  const unsigned int outputs = std::max(1U, this->GetNumberOfTargets());
  for (unsigned int output = this->GetNumberOfIndexedOutputs(); output < outputs; ++output)
  {
    this->SetNthOutput(output, this->MakeOutput(DataObjectPointerArraySizeType{ output }));
  }
  for (unsigned int output = outputs; output < this->GetNumberOfIndexedOutputs(); ++output)
  {
    this->ProcessObject::GetOutput(output)->Initialize();
  }
  this->SetNumberOfIndexedOutputs(outputs);
}

template <typename TPointSet>
void
CudaGeodesicShootingRegistration<TPointSet>::SetWeights(const RealVectorType & weights)
{
  if (m_WeightsOfAll != weights)
  {
    m_WeightsOfAll = weights;
    this->Modified();
  }
}

template <typename TPointSet>
void
CudaGeodesicShootingRegistration<TPointSet>::SetNumbersOf(NumbersOfTargetsType & numbersOfTargets,
                                                          unsigned int           target,
                                                          const RealVectorType & numbers)
{
  if (numbers.empty())
  {
    numbersOfTargets.erase(target);
  }
  else
  {
    numbersOfTargets[target] = numbers;
  }
  this->Modified();
}

template <typename TPointSet>
void
CudaGeodesicShootingRegistration<TPointSet>::VerifyPreconditions() const
{
  Superclass::VerifyPreconditions();
  if (this->GetNumberOfTargets() == 0)
  {
    itkExceptionMacro("There is no target: call SetTargetPointSet");
  }
  for (unsigned int target = 0; target < this->GetNumberOfTargets(); ++target)
  {
    if (this->GetTargetPointSet(target) == nullptr)
    {
      itkExceptionMacro("Target " << target << " was not set, and there are " << this->GetNumberOfTargets()
                                  << " targets, from 0");
    }
  }
  for (const auto * const numbersOfTargets : { &m_Weights, &m_InitialMomenta })
  {
    const unsigned int last = numbersOfTargets->empty() ? 0 : numbersOfTargets->rbegin()->first;
    if (last >= this->GetNumberOfTargets())
    {
      itkExceptionMacro("There are weights or initial momenta of target "
                        << last << ", and there are " << this->GetNumberOfTargets() << " targets, from 0");
    }
  }
}

/** Does nothing, because the superclass would copy information from input to output, and fail on missing outputs. */
template <typename TPointSet>
void
CudaGeodesicShootingRegistration<TPointSet>::GenerateOutputInformation()
{}

template <typename TPointSet>
void
CudaGeodesicShootingRegistration<TPointSet>::VerifySizes() const
{
  const SizeValueType count = this->GetTemplatePointSet()->GetNumberOfPoints();
  if (count == 0)
  {
    itkExceptionMacro("The template has no points");
  }
  for (unsigned int target = 0; target < this->GetNumberOfTargets(); ++target)
  {
    const SizeValueType points = this->GetTargetPointSet(target)->GetNumberOfPoints();
    const SizeValueType weights = this->GetWeights(target).size();
    if (points != count)
    {
      itkExceptionMacro("Target " << target << " has " << points << " points and the template " << count);
    }
    if (weights != 0 && weights != count)
    {
      itkExceptionMacro("There are " << weights << " weights of target " << target << " and " << count << " points");
    }
  }
}

template <typename TPointSet>
void
CudaGeodesicShootingRegistration<TPointSet>::VerifyDevices() const
{
  const auto verify = [this](const PointSetType * points, const std::string & name) {
    const ComputeDevice * const device = CudaNeuroDetail::DeviceOf(points);
    if (device != nullptr && *device != this->GetComputeDevice())
    {
      itkExceptionMacro("The points of " << name << " are on device " << *device << " and the registration computes on "
                                         << this->GetComputeDevice());
    }
  };
  verify(this->GetTemplatePointSet(), "the template");
  for (unsigned int target = 0; target < this->GetNumberOfTargets(); ++target)
  {
    verify(this->GetTargetPointSet(target), "target " + std::to_string(target));
  }
}

} // namespace itk

#endif
