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
}

template <typename TInputImage, typename TOutputImage>
void
CudaStructuralSimilarityImageFilter<TInputImage, TOutputImage>::SetDataRange(double range)
{
  this->SetAutomaticDataRange(false);
  if (m_DataRange != range)
  {
    m_DataRange = range;
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
    m_DataRange = range[1] - range[0];
    if (!(m_DataRange > 0.0))
    {
      itkExceptionMacro("The finite voxels of the reference image are constant, or there are none, so that its data "
                        "range is 0; set DataRange");
    }
  }
  cudaneuro::StructuralSimilarityParameters parameters;
  parameters.dataRange = m_DataRange;
  parameters.k1 = m_K1;
  parameters.k2 = m_K2;
  const cudaneuro::Context::ProgressRange     progress(context, 0.1, 1.0);
  const cudaneuro::StructuralSimilarityResult result =
    cudaneuro::StructuralSimilarity(context,
                                    parameters,
                                    grid,
                                    reference,
                                    CudaNeuroDetail::VolumeOf(this->GetTestImage()),
                                    this->GetMaskVolume(),
                                    m_ComputeMap ? CudaNeuroDetail::VolumeOf(this->GetOutput()) : cudaneuro::Volume());
  m_MeanStructuralSimilarity = result.meanStructuralSimilarity;
  m_MeanSquaredError = result.meanSquaredError;
}

template <typename TInputImage, typename TOutputImage>
void
CudaStructuralSimilarityImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "AutomaticDataRange: " << (m_AutomaticDataRange ? "On" : "Off") << std::endl;
  os << indent << "DataRange: " << m_DataRange << std::endl;
  os << indent << "K1: " << m_K1 << std::endl;
  os << indent << "K2: " << m_K2 << std::endl;
  os << indent << "ComputeMap: " << (m_ComputeMap ? "On" : "Off") << std::endl;
  os << indent << "MeanStructuralSimilarity: " << m_MeanStructuralSimilarity << std::endl;
  os << indent << "MeanSquaredError: " << m_MeanSquaredError << std::endl;
}

} // namespace itk

#endif
