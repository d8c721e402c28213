// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Makes the atlas of images that are aligned with each other: atlas FOLDER IMAGE IMAGE...
// The folder, which must be there, gets template.mha and for each image, counted from 0, field_0.mha: the displacements
// from points of the template to points of the image.
#include "itkCudaDiffeomorphicAtlasFilter.h"
#include "itkImageFileReader.h"
#include "itkImageFileWriter.h"

#include <cstdlib>
#include <iostream>

int
main(int argc, char * argv[])
{
  if (argc < 4)
  {
    std::cerr << "Usage: atlas FOLDER IMAGE IMAGE...\n";
    return EXIT_FAILURE;
  }
  try
  {
    using ImageType = itk::Image<float, 3>;
    const auto atlas = itk::CudaDiffeomorphicAtlasFilter<ImageType>::New();
    for (int i = 2; i < argc; ++i)
    {
      atlas->PushBackInput(itk::ReadImage<ImageType>(argv[i]));
    }
    atlas->Update();
    const std::string folder = argv[1];
    itk::WriteImage(atlas->GetOutput(), folder + "/template.mha");
    for (int i = 2; i < argc; ++i)
    {
      const auto image = static_cast<unsigned int>(i - 2);
      itk::WriteImage(atlas->GetDisplacementField(image), folder + "/field_" + std::to_string(image) + ".mha");
    }
    std::cout << "Energy from " << atlas->GetEnergies().front() << " to " << atlas->GetFinalEnergy() << '\n';
  }
  catch (const itk::ExceptionObject & error)
  {
    std::cerr << error.GetDescription() << '\n';
    return EXIT_FAILURE;
  }
}
