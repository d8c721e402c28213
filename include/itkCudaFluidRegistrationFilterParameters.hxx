// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFluidRegistrationFilterParameters_hxx
#define itkCudaFluidRegistrationFilterParameters_hxx

// The part of CudaFluidRegistrationFilter that takes and checks parameters.

#include "itkCudaFluidRegistrationFilter.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace itk
{

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::SetStandardDeviations(double value)
{
  StandardDeviationsType values;
  values.Fill(value);
  this->SetStandardDeviations(values);
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::SetNumberOfLevels(unsigned int levels)
{
  if (m_NumberOfLevels != levels)
  {
    m_NumberOfLevels = levels;
    m_ShrinkFactors.clear();
    this->Modified();
  }
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::SetShrinkFactorsPerLevel(
  const UnsignedVectorType & factors)
{
  std::vector<ShrinkFactorsType> shrinkFactors(factors.size());
  for (std::size_t level = 0; level < factors.size(); ++level)
  {
    shrinkFactors[level].Fill(factors[level]);
  }
  if (m_ShrinkFactors != shrinkFactors)
  {
    m_NumberOfLevels = static_cast<unsigned int>(factors.size());
    m_ShrinkFactors = shrinkFactors;
    this->Modified();
  }
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::SetShrinkFactorsPerDimension(
  unsigned int level, const ShrinkFactorsType & factors)
{
  if (level >= m_ShrinkFactors.size())
  {
    itkExceptionMacro("There are shrink factors of " << m_ShrinkFactors.size() << " levels and none of level " << level
                                                     << "; call SetShrinkFactorsPerLevel first");
  }
  if (m_ShrinkFactors[level] != factors)
  {
    m_ShrinkFactors[level] = factors;
    this->Modified();
  }
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
auto
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::GetShrinkFactorsPerDimension(
  unsigned int level) const -> ShrinkFactorsType
{
  if (level >= m_NumberOfLevels)
  {
    itkExceptionMacro("There are " << m_NumberOfLevels << " levels, from 0, and none of number " << level);
  }
  return m_ShrinkFactors.empty() ? this->AutomaticShrinkFactors(level) : m_ShrinkFactors[level];
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
auto
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::AutomaticShrinkFactors(
  unsigned int level) const -> ShrinkFactorsType
{
  constexpr double             leastSize = 16.0;
  const FixedImageType * const fixed = this->GetFixedImage();
  if (fixed == nullptr)
  {
    itkExceptionMacro("The shrink factors follow from the fixed image, and there is none");
  }
  const auto &      spacing = fixed->GetSpacing();
  const double      leastSpacing = *std::min_element(spacing.Begin(), spacing.End());
  const double      factor = std::pow(2.0, static_cast<double>(m_NumberOfLevels - 1 - level));
  ShrinkFactorsType factors;
  for (unsigned int axis = 0; axis < ImageDimension; ++axis)
  {
    const double wanted = std::round(factor * leastSpacing / spacing[axis]);
    const double most = std::floor(static_cast<double>(fixed->GetLargestPossibleRegion().GetSize(axis)) / leastSize);
    factors[axis] = static_cast<unsigned int>(std::max(1.0, std::min(wanted, most)));
  }
  return factors;
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::SetNumberOfIterations(
  unsigned int iterations)
{
  if (m_NumberOfIterations != iterations || !m_NumberOfIterationsPerLevel.empty())
  {
    m_NumberOfIterations = iterations;
    m_NumberOfIterationsPerLevel.clear();
    this->Modified();
  }
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::SetNumberOfIterationsPerLevel(
  const UnsignedVectorType & iterations)
{
  if (m_NumberOfIterationsPerLevel != iterations)
  {
    m_NumberOfIterationsPerLevel = iterations;
    this->Modified();
  }
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
cudaneuro::RegistrationParameters
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::MakeParameters() const
{
  using CudaNeuroDetail::ThreeAxes;
  const auto asInt = [](unsigned int value) { return ThreeAxes<int>(std::array<unsigned int, 1>{ value }, 1, 0)[0]; };
  cudaneuro::RegistrationParameters parameters;
  parameters.metric = m_Metric;
  parameters.correlationRadius = asInt(m_CorrelationRadius);
  parameters.matchIntensities = m_MatchIntensities;
  parameters.maximumStep = m_MaximumStep;
  parameters.convergenceThreshold = m_ConvergenceThreshold;
  parameters.fieldSigma = ThreeAxes<double>(m_StandardDeviations, ImageDimension, 0.0);
  parameters.inversion.tolerance = m_InverseTolerance;
  parameters.inversion.maximumIterations = asInt(m_MaximumNumberOfInverseIterations);

  if (m_NumberOfLevels == 0)
  {
    itkExceptionMacro("NumberOfLevels is 0; it must be at least 1");
  }
  if (!m_NumberOfIterationsPerLevel.empty() && m_NumberOfIterationsPerLevel.size() != m_NumberOfLevels)
  {
    itkExceptionMacro("NumberOfIterationsPerLevel has " << m_NumberOfIterationsPerLevel.size()
                                                        << " values; it must have one for each of the "
                                                        << m_NumberOfLevels << " levels");
  }
  parameters.levels.clear();
  for (unsigned int level = 0; level < m_NumberOfLevels; ++level)
  {
    const unsigned int iterations =
      m_NumberOfIterationsPerLevel.empty() ? m_NumberOfIterations : m_NumberOfIterationsPerLevel[level];
    parameters.levels.push_back(
      { ThreeAxes<int>(this->GetShrinkFactorsPerDimension(level), ImageDimension, 1), asInt(iterations) });
  }
  this->SetMethod(parameters);
  return parameters;
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::PrintSelf(std::ostream & os,
                                                                                      Indent         indent) const
{
  Superclass::PrintSelf(os, indent);
  const auto onOff = [](bool value) { return value ? "On" : "Off"; };
  const auto list = [](const auto & values) {
    std::string text;
    for (const auto & value : values)
    {
      text += (text.empty() ? "" : " ") + CudaNeuroDetail::NameOf(value);
    }
    return "[" + text + "]";
  };
  itkPrintSelfObjectMacro(InitialTransform);
  os << indent << "Metric: " << m_Metric << std::endl;
  os << indent << "CorrelationRadius: " << m_CorrelationRadius << std::endl;
  os << indent << "MatchIntensities: " << onOff(m_MatchIntensities) << std::endl;
  os << indent << "NumberOfLevels: " << m_NumberOfLevels << std::endl;
  os << indent << "ShrinkFactors: " << (m_ShrinkFactors.empty() ? "(automatic)" : list(m_ShrinkFactors)) << std::endl;
  os << indent << "NumberOfIterations: " << m_NumberOfIterations << std::endl;
  os << indent << "NumberOfIterationsPerLevel: " << list(m_NumberOfIterationsPerLevel) << std::endl;
  os << indent << "MaximumStep: " << m_MaximumStep << std::endl;
  os << indent << "ConvergenceThreshold: " << m_ConvergenceThreshold << std::endl;
  os << indent << "StandardDeviations: " << m_StandardDeviations << std::endl;
  os << indent << "InverseTolerance: " << m_InverseTolerance << std::endl;
  os << indent << "MaximumNumberOfInverseIterations: " << m_MaximumNumberOfInverseIterations << std::endl;
  os << indent << "ComputeInverse: " << onOff(m_ComputeInverse) << std::endl;
  os << indent << "ComputeWarped: " << onOff(m_ComputeWarped) << std::endl;
  os << indent << "ComputeJacobian: " << onOff(m_ComputeJacobian) << std::endl;
  os << indent << "ElapsedIterations: " << m_Iterations.size() << std::endl;
  os << indent << "Energy: " << m_Energy << std::endl;
  os << indent << "NumberOfFoldedVoxels: " << m_NumberOfFoldedVoxels << std::endl;
  os << indent << "Jacobian: " << m_MinimumJacobian << " to " << m_MaximumJacobian << std::endl;
  os << indent << "MeanInverseConsistency: " << m_MeanInverseConsistency << std::endl;
  os << indent << "NumberOfShortenedSteps: " << m_NumberOfShortenedSteps << std::endl;
}

} // namespace itk

#endif
