// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaStructuralSimilarityImageFilter_hxx
#define itkCudaStructuralSimilarityImageFilter_hxx

#include "itkCudaStructuralSimilarityImageFilter.h"

namespace itk
{

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

} // namespace itk

#endif
