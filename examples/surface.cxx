// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Denoises the surface of a label by non-local means: surface LABELS LABEL DISTANCE
// What is written is the signed distance to the surface, in mm and negative inside, in the part of the image around the
// label; its zero level is the surface.
#include "itkCudaLabelToSignedDistanceImageFilter.h"
#include "itkCudaNonLocalMeansLevelSetImageFilter.h"
#include "itkImageFileReader.h"
#include "itkImageFileWriter.h"

#include <cstdlib>
#include <iostream>

int
main(int argc, char * argv[])
{
  if (argc != 4)
  {
    std::cerr << "Usage: surface LABELS LABEL DISTANCE\n";
    return EXIT_FAILURE;
  }
  try
  {
    using LabelImageType = itk::Image<unsigned short, 3>;
    using DeviceImageType = itk::DeviceImage<float, 3>; // stays on the GPU, if there is one
    const auto distance = itk::CudaLabelToSignedDistanceImageFilter<LabelImageType, DeviceImageType>::New();
    distance->SetInput(itk::ReadImage<LabelImageType>(argv[1]));
    distance->SetLabels({ std::atoi(argv[2]) });
    const auto denoise = itk::CudaNonLocalMeansLevelSetImageFilter<DeviceImageType, itk::Image<float, 3>>::New();
    denoise->SetInput(distance->GetOutput());
    denoise->SetSimilarityScale(40.0); // for labels of voxels of 1 mm, whose steps are noise, too
    denoise->Update();
    itk::WriteImage(denoise->GetOutput(), argv[3]);
    std::cout << "Enclosed volume from " << denoise->GetVolumeBefore() << " to " << denoise->GetVolumeAfter()
              << " mm^3, computed on " << denoise->GetComputeDevice() << '\n';
  }
  catch (const itk::ExceptionObject & error)
  {
    std::cerr << error.GetDescription() << '\n';
    return EXIT_FAILURE;
  }
}
