// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaMultiResolutionPyramidImageFilter_hxx
#define itkCudaMultiResolutionPyramidImageFilter_hxx

#include "itkCudaMultiResolutionPyramidImageFilter.h"

#include <algorithm>

namespace itk
{

template <typename TInputImage, typename TOutputImage>
void
CudaMultiResolutionPyramidImageFilter<TInputImage, TOutputImage>::SetNumberOfLevels(unsigned int number)
{
  if (number < 1 || number > 31)
  {
    itkExceptionMacro("NumberOfLevels is " << number << "; it must be between 1 and 31");
  }
  if (number == m_NumberOfLevels)
  {
    return;
  }
  m_NumberOfLevels = number;
  m_Schedule.SetSize(number, ImageDimension);
  this->SetStartingShrinkFactors(1u << (number - 1));
  const auto numberOfOutputs = static_cast<unsigned int>(this->GetNumberOfIndexedOutputs());
  for (unsigned int level = numberOfOutputs; level < number; ++level)
  {
    this->SetNthOutput(level, this->MakeOutput(level));
  }
  this->SetNumberOfIndexedOutputs(number);
  this->SetNumberOfRequiredOutputs(number);
  this->Modified();
}

template <typename TInputImage, typename TOutputImage>
void
CudaMultiResolutionPyramidImageFilter<TInputImage, TOutputImage>::SetSchedule(const ScheduleType & schedule)
{
  if (schedule.rows() != m_NumberOfLevels || schedule.cols() != ImageDimension)
  {
    itkExceptionMacro("The schedule has " << schedule.rows() << " rows and " << schedule.cols()
                                          << " columns; it must have a row for each of the " << m_NumberOfLevels
                                          << " levels and a column for each of the " << ImageDimension << " axes");
  }
  for (unsigned int level = 0; level < m_NumberOfLevels; ++level)
  {
    for (unsigned int axis = 0; axis < ImageDimension; ++axis)
    {
      if (schedule(level, axis) < 1)
      {
        itkExceptionMacro("The schedule's factor of level " << level << " along axis " << axis
                                                            << " is 0; it must be 1 or more");
      }
    }
  }
  if (schedule != m_Schedule)
  {
    m_Schedule = schedule;
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaMultiResolutionPyramidImageFilter<TInputImage, TOutputImage>::SetStartingShrinkFactors(unsigned int factor)
{
  ScheduleType schedule(m_NumberOfLevels, ImageDimension);
  for (unsigned int level = 0; level < m_NumberOfLevels; ++level)
  {
    const unsigned int halved = level == 0 ? factor : std::max(1u, factor >> level);
    for (unsigned int axis = 0; axis < ImageDimension; ++axis)
    {
      schedule(level, axis) = halved;
    }
  }
  this->SetSchedule(schedule);
}

template <typename TInputImage, typename TOutputImage>
void
CudaMultiResolutionPyramidImageFilter<TInputImage, TOutputImage>::GenerateOutputInformation()
{
  Superclass::GenerateOutputInformation();
  const TInputImage * const input = this->GetInput();
  const auto &              inputRegion = input->GetLargestPossibleRegion();
  for (unsigned int level = 0; level < m_NumberOfLevels; ++level)
  {
    cudaneuro::Geometry      geometry;
    const std::array<int, 3> factors = this->GetFactors(level);
    CudaNeuroDetail::Call(
      [&] { geometry = cudaneuro::ShrunkGeometry(CudaNeuroDetail::GeometryOf<ImageDimension>(input), factors); });
    TOutputImage * const               output = this->GetOutput(level);
    typename TOutputImage::RegionType  region;
    typename TOutputImage::SpacingType spacing;
    // The input's continuous index at which the output's index 0, and so its origin, lies.
    ContinuousIndex<double, ImageDimension> origin;
    for (unsigned int axis = 0; axis < ImageDimension; ++axis)
    {
      const int             factor = inputRegion.GetSize(axis) > 1 ? factors[axis] : 1;
      const OffsetValueType first = inputRegion.GetIndex(axis);
      const OffsetValueType index = first >= 0 ? (first + factor - 1) / factor : -(-first / factor);
      spacing[axis] = geometry.grid.spacing[axis];
      region.SetSize(axis, static_cast<SizeValueType>(geometry.grid.size[axis]));
      region.SetIndex(axis, index);
      origin[axis] = static_cast<double>(first - factor * index) + 0.5 * (factor - 1);
    }
    typename TOutputImage::PointType point;
    input->TransformContinuousIndexToPhysicalPoint(origin, point);
    output->SetSpacing(spacing);
    output->SetOrigin(point);
    output->SetDirection(input->GetDirection());
    output->SetLargestPossibleRegion(region);
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaMultiResolutionPyramidImageFilter<TInputImage, TOutputImage>::GenerateOutputRequestedRegion(DataObject *)
{
  for (unsigned int level = 0; level < m_NumberOfLevels; ++level)
  {
    this->GetOutput(level)->SetRequestedRegionToLargestPossibleRegion();
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaMultiResolutionPyramidImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  const cudaneuro::Geometry geometry = CudaNeuroDetail::GeometryOf<ImageDimension>(this->GetInput());
  cudaneuro::ConstVolume    input = CudaNeuroDetail::VolumeOf(this->GetInput());
  cudaneuro::DeviceMemory   uploaded;
  if (context.GetDevice().IsCuda() && input.space == cudaneuro::MemorySpace::Host && m_NumberOfLevels > 1)
  {
    // The input is uploaded once for all levels.
    const cudaneuro::Context::ProgressRange progress(context, 0.0, 0.5);
    uploaded = context.Allocate(static_cast<std::size_t>(geometry.grid.NumberOfVoxels()) * sizeof(float));
    const cudaneuro::Volume onDevice{ uploaded.Data(), cudaneuro::PixelType::Float, cudaneuro::MemorySpace::Device };
    cudaneuro::CopyVolume(context, geometry.grid, input, onDevice);
    input = { onDevice.data, onDevice.type, onDevice.space };
  }
  const double begin = uploaded.Data() != nullptr ? 0.5 : 0.0;
  for (unsigned int level = 0; level < m_NumberOfLevels; ++level)
  {
    const cudaneuro::Context::ProgressRange progress(context,
                                                     begin + (1.0 - begin) * level / m_NumberOfLevels,
                                                     begin + (1.0 - begin) * (level + 1) / m_NumberOfLevels);
    cudaneuro::ShrinkImage(
      context, geometry, this->GetFactors(level), input, CudaNeuroDetail::VolumeOf(this->GetOutput(level)));
  }
}

} // namespace itk

#endif
