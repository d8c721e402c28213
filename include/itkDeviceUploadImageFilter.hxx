// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkDeviceUploadImageFilter_hxx
#define itkDeviceUploadImageFilter_hxx

#include "itkDeviceUploadImageFilter.h"

namespace itk
{

template <typename TInputImage, typename TOutputImage>
void
DeviceUploadImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  this->CopyInputToOutput(context);
}

} // namespace itk

#endif
