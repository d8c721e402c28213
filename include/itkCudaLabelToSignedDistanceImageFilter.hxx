// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaLabelToSignedDistanceImageFilter_hxx
#define itkCudaLabelToSignedDistanceImageFilter_hxx

#include "itkCudaLabelToSignedDistanceImageFilter.h"

#include <algorithm>
#include <cmath>

namespace itk
{

template <typename TInputImage, typename TOutputImage>
void
CudaLabelToSignedDistanceImageFilter<TInputImage, TOutputImage>::SetLabels(const LabelVectorType & labels)
{
  LabelVectorType sorted = labels;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (sorted != m_ChosenLabels)
  {
    m_ChosenLabels = sorted;
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage>
TOutputImage *
CudaLabelToSignedDistanceImageFilter<TInputImage, TOutputImage>::GetOutputOfLabel(int label)
{
  const auto at = std::lower_bound(m_Labels.begin(), m_Labels.end(), label);
  if (at == m_Labels.end() || *at != label)
  {
    itkExceptionMacro("There is no output of label " << label << "; there are " << m_Labels.size()
                                                     << " outputs of other labels");
  }
  return this->GetOutput(static_cast<unsigned int>(at - m_Labels.begin()));
}

template <typename TInputImage, typename TOutputImage>
cudaneuro::ConstVolume
CudaLabelToSignedDistanceImageFilter<TInputImage, TOutputImage>::GetHostLabels(
  cudaneuro::Context & context, std::vector<unsigned char> & memory) const
{
  const cudaneuro::ConstVolume labels = CudaNeuroDetail::VolumeOf(this->GetInput());
  if (labels.space == cudaneuro::MemorySpace::Host)
  {
    return labels;
  }
  const cudaneuro::Grid grid = this->GetGrid();
  memory.resize(static_cast<std::size_t>(grid.NumberOfVoxels()) * cudaneuro::PixelSize(labels.type));
  const cudaneuro::Volume copy{ memory.data(), labels.type, cudaneuro::MemorySpace::Host };
  cudaneuro::CopyVolume(context, grid, labels, copy);
  return { copy.data, copy.type, copy.space };
}

template <typename TInputImage, typename TOutputImage>
void
CudaLabelToSignedDistanceImageFilter<TInputImage, TOutputImage>::FindBoxes()
{
  std::vector<CudaNeuroDetail::LabelBox> boxes;
  CudaNeuroDetail::Call([&] {
    // Labels are searched on the CPU; the device is needed only where they are in its memory.
    const ComputeDevice device =
      CudaNeuroDetail::IsDeviceImage<TInputImage> ? this->GetComputeDevice() : ComputeDevice();
    CudaNeuroDetail::PrepareContext(m_LabelContext, device, CudaNeuroDetail::NumberOfThreadsOf(this));
    std::vector<unsigned char>   memory;
    const cudaneuro::ConstVolume labels = this->GetHostLabels(*m_LabelContext, memory);
    boxes = CudaNeuroDetail::FindLabelBoxes(*m_LabelContext, this->GetGrid(), labels, m_BackgroundValue);
  });
  if (boxes.empty())
  {
    itkExceptionMacro("There are no labels: all voxels have the background value " << int{ m_BackgroundValue });
  }
  if (m_ChosenLabels.empty())
  {
    m_Boxes = boxes;
    return;
  }
  m_Boxes.clear();
  for (const int label : m_ChosenLabels)
  {
    const auto at = std::find_if(boxes.begin(), boxes.end(), [&](const auto & box) { return box.label == label; });
    if (at == boxes.end())
    {
      itkExceptionMacro("Label " << label << " is not in the image, whose " << boxes.size() << " labels are from "
                                 << boxes.front().label << " to " << boxes.back().label
                                 << ", beside the background value " << int{ m_BackgroundValue });
    }
    m_Boxes.push_back(*at);
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaLabelToSignedDistanceImageFilter<TInputImage, TOutputImage>::SetNumberOfOutputs(std::size_t number)
{
  for (auto output = static_cast<std::size_t>(this->GetNumberOfIndexedOutputs()); output < number; ++output)
  {
    this->SetNthOutput(output, this->MakeOutput(output));
  }
  for (auto output = number; output < static_cast<std::size_t>(this->GetNumberOfIndexedOutputs()); ++output)
  {
    // Filters that read it then fail, instead of computing with an outdated distance.
    this->GetOutput(static_cast<unsigned int>(output))->SetRegions(typename TOutputImage::RegionType());
    this->GetOutput(static_cast<unsigned int>(output))->Initialize();
  }
  this->SetNumberOfIndexedOutputs(number);
}

template <typename TInputImage, typename TOutputImage>
auto
CudaLabelToSignedDistanceImageFilter<TInputImage, TOutputImage>::GetRegionOfOutput(std::size_t output) const ->
  typename TOutputImage::RegionType
{
  const TInputImage * const         input = this->GetInput();
  const CudaNeuroDetail::LabelBox & box = m_Boxes[output];
  typename TOutputImage::RegionType region;
  for (unsigned int axis = 0; axis < ImageDimension; ++axis)
  {
    // The surface may be half a voxel beyond the centers of the label's voxels. At the edge all voxels have the value
    // Reach.
    const double margin = std::ceil(m_UsedReach / input->GetSpacing()[axis] + 0.5);
    if (margin > 10000.0)
    {
      itkExceptionMacro("Reach is " << m_UsedReach << ", which is " << margin << " voxels along axis " << axis
                                    << "; it must be 10000 voxels or less");
    }
    const auto            added = static_cast<OffsetValueType>(margin);
    const OffsetValueType first = input->GetLargestPossibleRegion().GetIndex(axis) + box.first[axis] - added;
    region.SetIndex(axis, first);
    region.SetSize(axis, static_cast<SizeValueType>(box.last[axis] - box.first[axis] + 1 + 2 * added));
  }
  return region;
}

template <typename TInputImage, typename TOutputImage>
void
CudaLabelToSignedDistanceImageFilter<TInputImage, TOutputImage>::GenerateOutputInformation()
{
  // The pixels are needed now, to find the labels.
  auto * const input = const_cast<TInputImage *>(this->GetInput());
  input->SetRequestedRegionToLargestPossibleRegion();
  input->Update();
  this->VerifyPixels(input, "the input image");
  m_UsedReach = CudaNeuroDetail::UsedReach(m_Parameters.reach, this->GetGrid());
  m_Labels.clear();
  this->FindBoxes();
  this->SetNumberOfOutputs(m_Boxes.size());
  for (unsigned int i = 0; i < m_Boxes.size(); ++i)
  {
    m_Labels.push_back(m_Boxes[i].label);
    TOutputImage * const output = this->GetOutput(i);
    output->CopyInformation(input);
    output->SetLargestPossibleRegion(this->GetRegionOfOutput(i));
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaLabelToSignedDistanceImageFilter<TInputImage, TOutputImage>::GenerateOutputRequestedRegion(DataObject *)
{
  for (unsigned int i = 0; i < m_Labels.size(); ++i)
  {
    this->GetOutput(i)->SetRequestedRegionToLargestPossibleRegion();
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaLabelToSignedDistanceImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  cudaneuro::Context::ProgressSteps         steps(context);
  std::vector<unsigned char>                memory;
  const cudaneuro::SignedDistanceParameters parameters{ m_UsedReach };
  steps.UpTo(0.02);
  const cudaneuro::ConstVolume labels = this->GetHostLabels(context, memory);
  const auto                   firstOfInput = this->GetInput()->GetLargestPossibleRegion().GetIndex();
  const auto                   number = static_cast<double>(m_Labels.size());
  for (unsigned int i = 0; i < m_Labels.size(); ++i)
  {
    TOutputImage * const        output = this->GetOutput(i);
    const cudaneuro::Grid       grid = CudaNeuroDetail::GridOf<ImageDimension>(output);
    std::array<std::int64_t, 3> first{ 0, 0, 0 };
    for (unsigned int axis = 0; axis < ImageDimension; ++axis)
    {
      first[axis] = output->GetLargestPossibleRegion().GetIndex(axis) - firstOfInput[axis];
    }
    steps.UpTo(0.02 + 0.98 * (i + 0.1) / number);
    const std::vector<unsigned char> part =
      CudaNeuroDetail::CutOutLabel(context, this->GetGrid(), labels, m_Labels[i], first, grid.size);
    steps.UpTo(0.02 + 0.98 * (i + 1.0) / number);
    cudaneuro::SignedDistanceOfLabel(context,
                                     parameters,
                                     1.0,
                                     grid,
                                     { part.data(), cudaneuro::PixelType::UnsignedChar, cudaneuro::MemorySpace::Host },
                                     CudaNeuroDetail::VolumeOf(output));
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaLabelToSignedDistanceImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  const auto print = [&](const char * name, const LabelVectorType & labels) {
    os << indent << name << ":";
    for (const int label : labels)
    {
      os << ' ' << label;
    }
    os << std::endl;
  };
  CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, 3);
  os << indent << "UsedReach: " << m_UsedReach << std::endl;
  os << indent << "BackgroundValue: " << int{ m_BackgroundValue } << std::endl;
  print("ChosenLabels", m_ChosenLabels);
  print("Labels", m_Labels);
}

} // namespace itk

#endif
