// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Keeps pixels on the GPU between filters: pipeline INPUT OUTPUT
// The first filter uploads, the last one downloads; between them, images are itk::DeviceImage.
#include "itkCudaAnisotropicDiffusionImageFilter.h"
#include "itkCudaBilateralImageFilter.h"
#include "itkCudaStatisticsImageFilter.h"
#include "itkImageFileReader.h"
#include "itkImageFileWriter.h"

#include <cstdlib>
#include <iostream>

int
main(int argc, char * argv[])
{
  if (argc != 3)
  {
    std::cerr << "Usage: pipeline INPUT OUTPUT\n";
    return EXIT_FAILURE;
  }
  try
  {
    using ImageType = itk::Image<float, 3>;
    using DeviceImageType = itk::DeviceImage<float, 3>;
    const auto bilateral = itk::CudaBilateralImageFilter<ImageType, DeviceImageType>::New();
    bilateral->SetInput(itk::ReadImage<ImageType>(argv[1]));
    const auto statistics = itk::CudaStatisticsImageFilter<DeviceImageType>::New();
    statistics->SetInput(bilateral->GetOutput());
    const auto diffusion = itk::CudaAnisotropicDiffusionImageFilter<DeviceImageType, ImageType>::New();
    diffusion->SetInput(statistics->GetOutput());
    itk::WriteImage(diffusion->GetOutput(), argv[2]);
    std::cout << "Mean " << statistics->GetMean() << " after the bilateral filter\n";
  }
  catch (const itk::ExceptionObject & error)
  {
    std::cerr << error.GetDescription() << '\n';
    return EXIT_FAILURE;
  }
}
