// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaStructuralSimilarityImageFilter_hxx
#define itkCudaStructuralSimilarityImageFilter_hxx

#include "itkCudaStructuralSimilarityImageFilter.h"

#include <string>
#include <vector>

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
  std::vector<cudaneuro::ConstVolume> images{ CudaNeuroDetail::VolumeOf(this->GetTestImage()) };
  for (unsigned int number = 1; number <= m_NumberOfAddedTestImages; ++number)
  {
    const std::string name = this->NameOfAdded(number);
    const auto * image = CudaNeuroDetail::InputAs<InputImageType>(this->ProcessObject::GetInput(name), name.c_str());
    this->VerifyPixels(image, name.c_str());
    images.push_back(CudaNeuroDetail::VolumeOf(image));
  }
  const cudaneuro::Context::ProgressRange            progress(context, 0.1, 1.0);
  std::vector<cudaneuro::StructuralSimilarityResult> results;
  cudaneuro::Context::ProgressSteps                  steps(context);
  if (m_ComputeMap)
  {
    steps.UpTo(1.0 / static_cast<double>(images.size()));
    results.push_back(cudaneuro::StructuralSimilarity(context,
                                                      m_Parameters,
                                                      grid,
                                                      reference,
                                                      images.front(),
                                                      this->GetMaskVolume(),
                                                      CudaNeuroDetail::VolumeOf(this->GetOutput())));
    images.erase(images.begin());
  }
  if (!images.empty())
  {
    steps.UpTo(1.0);
    const auto others =
      cudaneuro::StructuralSimilarities(context, m_Parameters, grid, reference, images, this->GetMaskVolume());
    results.insert(results.end(), others.begin(), others.end());
  }
  m_Results = std::move(results);
}

} // namespace itk

#endif
