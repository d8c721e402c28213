// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaStructuralSimilarityImageFilter_hxx
#define itkCudaStructuralSimilarityImageFilter_hxx

#include "itkCudaStructuralSimilarityImageFilter.h"

namespace itk
{

template <typename TInputImage, typename TOutputImage>
CudaStructuralSimilarityImageFilter<TInputImage, TOutputImage>::CudaStructuralSimilarityImageFilter()
{
  this->SetPrimaryInputName("ReferenceImage");
  this->AddRequiredInputName("TestImage");
  m_Parameters.dataRange = 0.0; // until there is an image from which it is derived
}

template <typename TInputImage, typename TOutputImage>
void
CudaStructuralSimilarityImageFilter<TInputImage, TOutputImage>::SetDataRange(double range)
{
  this->SetAutomaticDataRange(false);
  if (CudaNeuroDetail::ChangesParameter(range, m_Parameters.dataRange, "DataRange"))
  {
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaStructuralSimilarityImageFilter<TInputImage, TOutputImage>::AllocateOutputs()
{
  if (m_ComputeMap)
  {
    Superclass::AllocateOutputs();
  }
  else
  {
    this->GetOutput()->SetBufferedRegion(typename TOutputImage::RegionType());
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaStructuralSimilarityImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  this->VerifyPixels(this->GetTestImage(), "the test image");
  const cudaneuro::Grid        grid = this->GetGrid();
  const cudaneuro::ConstVolume reference = CudaNeuroDetail::VolumeOf(this->GetReferenceImage());
  if (m_AutomaticDataRange)
  {
    const cudaneuro::Context::ProgressRange progress(context, 0.0, 0.1);
    const auto                              range = cudaneuro::ComputeFiniteRange(context, grid, reference);
    m_Parameters.dataRange = range[1] - range[0];
    if (!(m_Parameters.dataRange > 0.0))
    {
      itkExceptionMacro("The finite voxels of the reference image are constant, or there are none, so that its data "
                        "range is 0; set DataRange");
    }
  }
  const cudaneuro::Context::ProgressRange progress(context, 0.1, 1.0);
  m_Result =
    cudaneuro::StructuralSimilarity(context,
                                    m_Parameters,
                                    grid,
                                    reference,
                                    CudaNeuroDetail::VolumeOf(this->GetTestImage()),
                                    this->GetMaskVolume(),
                                    m_ComputeMap ? CudaNeuroDetail::VolumeOf(this->GetOutput()) : cudaneuro::Volume());
}

template <typename TInputImage, typename TOutputImage>
void
CudaStructuralSimilarityImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "AutomaticDataRange: " << (m_AutomaticDataRange ? "On" : "Off") << std::endl;
  CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, TInputImage::ImageDimension);
  os << indent << "ComputeMap: " << (m_ComputeMap ? "On" : "Off") << std::endl;
  os << indent << "MeanStructuralSimilarity: " << m_Result.meanStructuralSimilarity << std::endl;
  os << indent << "MeanSquaredError: " << m_Result.meanSquaredError << std::endl;
}

} // namespace itk

#endif
