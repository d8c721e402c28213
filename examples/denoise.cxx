// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Denoises a magnitude MR image by non-local means: denoise INPUT OUTPUT
// The filter estimates the noise, and runs on a GPU if there is one, else on the CPU.
#include "itkCudaNonLocalMeansImageFilter.h"
#include "itkImageFileReader.h"
#include "itkImageFileWriter.h"

#include <cstdlib>
#include <iostream>

int
main(int argc, char * argv[])
{
  if (argc != 3)
  {
    std::cerr << "Usage: denoise INPUT OUTPUT\n";
    return EXIT_FAILURE;
  }
  try
  {
    using ImageType = itk::Image<float, 3>;
    const auto filter = itk::CudaNonLocalMeansImageFilter<ImageType>::New();
    filter->SetInput(itk::ReadImage<ImageType>(argv[1]));
    filter->RicianCorrectionOn();
    filter->Update();
    itk::WriteImage(filter->GetOutput(), argv[2]);
    std::cout << "Noise " << filter->GetNoiseStandardDeviation() << ", removed on " << filter->GetComputeDevice()
              << '\n';
  }
  catch (const itk::ExceptionObject & error)
  {
    std::cerr << error.GetDescription() << '\n';
    return EXIT_FAILURE;
  }
}
