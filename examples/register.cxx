// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Registers two images that an affine transform has aligned: register FIXED MOVING WARPED TRANSFORM
// The transform (.h5 or .tfm) maps points of the fixed image to points of the moving image, as ITK's filters take it.
#include "itkCudaUnbiasedFluidRegistrationFilter.h"
#include "itkImageFileReader.h"
#include "itkImageFileWriter.h"
#include "itkTransformFileWriter.h"

#include <cstdlib>
#include <iostream>

int
main(int argc, char * argv[])
{
  if (argc != 5)
  {
    std::cerr << "Usage: register FIXED MOVING WARPED TRANSFORM\n";
    return EXIT_FAILURE;
  }
  try
  {
    using ImageType = itk::Image<float, 3>;
    const auto registration = itk::CudaUnbiasedFluidRegistrationFilter<ImageType>::New();
    registration->SetFixedImage(itk::ReadImage<ImageType>(argv[1]));
    registration->SetMovingImage(itk::ReadImage<ImageType>(argv[2]));
    registration->ComputeWarpedOn();
    registration->Update();
    itk::WriteImage(registration->GetWarpedImage(), argv[3]);
    const auto writer = itk::TransformFileWriter::New();
    writer->SetInput(registration->GetTransform());
    writer->SetFileName(argv[4]);
    writer->Update();
    std::cout << "Smallest Jacobian determinant " << registration->GetMinimumJacobian() << '\n';
  }
  catch (const itk::ExceptionObject & error)
  {
    std::cerr << error.GetDescription() << '\n';
    return EXIT_FAILURE;
  }
}
