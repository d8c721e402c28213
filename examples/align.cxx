// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Aligns two images of any contrasts: align FIXED MOVING ALIGNED TRANSFORM [Translation|Rigid|Similarity|Affine]
// The transform (.h5 or .tfm; Rigid unless named) maps points of the fixed image to points of the moving image, as
// ITK's filters take it.
#include "itkCudaLinearRegistrationFilter.h"
#include "itkImageFileReader.h"
#include "itkImageFileWriter.h"
#include "itkTransformFileWriter.h"

#include <cstdlib>
#include <iostream>

int
main(int argc, char * argv[])
{
  if (argc != 5 && argc != 6)
  {
    std::cerr << "Usage: align FIXED MOVING ALIGNED TRANSFORM [Translation|Rigid|Similarity|Affine]\n";
    return EXIT_FAILURE;
  }
  try
  {
    using ImageType = itk::Image<float, 3>;
    const auto registration = itk::CudaLinearRegistrationFilter<ImageType>::New();
    registration->SetFixedImage(itk::ReadImage<ImageType>(argv[1]));
    registration->SetMovingImage(itk::ReadImage<ImageType>(argv[2]));
    registration->SetTransformType(argc == 6 ? argv[5] : "Rigid");
    registration->Update();
    itk::WriteImage(registration->GetWarpedImage(), argv[3]);
    const auto writer = itk::TransformFileWriter::New();
    writer->SetInput(registration->GetTransform());
    writer->SetFileName(argv[4]);
    writer->Update();
    std::cout << "Metric " << registration->GetMetricValue() << ", overlap " << registration->GetOverlap()
              << ", quality " << registration->GetQuality() << '\n';
    return registration->GetIsSuccess() ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  catch (const itk::ExceptionObject & error)
  {
    std::cerr << error.GetDescription() << '\n';
    return EXIT_FAILURE;
  }
}
