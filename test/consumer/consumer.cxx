// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaBilateralImageFilter.h"

#include "itkImageRegionIterator.h"

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <random>

namespace
{

using ImageType = itk::Image<float, 3>;

constexpr float level = 100.0f;

ImageType::Pointer
MakeNoisyImage()
{
  auto image = ImageType::New();
  image->SetRegions(ImageType::SizeType{ { 24, 20, 16 } });
  image->Allocate();
  std::mt19937                    generator(1);
  std::normal_distribution<float> noise(0.0f, 10.0f);
  for (itk::ImageRegionIterator<ImageType> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(level + noise(generator));
  }
  return image;
}

double
RootMeanSquareError(const ImageType * image)
{
  double sum = 0.0;
  for (itk::ImageRegionConstIterator<ImageType> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    sum += (it.Get() - level) * (it.Get() - level);
  }
  return std::sqrt(sum / static_cast<double>(image->GetBufferedRegion().GetNumberOfPixels()));
}

} // namespace

/** Denoises a flat image on the CPU; fails unless the noise is less than half of what it was. */
int
main()
{
  try
  {
    const auto image = MakeNoisyImage();
    auto       filter = itk::CudaBilateralImageFilter<ImageType>::New();
    filter->SetInput(image);
    filter->SetComputeDevice(itk::ComputeDevice::FromName("cpu"));
    filter->SetDomainSigma(1.5);
    filter->SetRangeSigma(40.0);
    filter->Update();

    const double before = RootMeanSquareError(image);
    const double after = RootMeanSquareError(filter->GetOutput());
    std::cout << "Noise " << before << " before, " << after << " after\n";
    return after < 0.5 * before ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  catch (const std::exception & error)
  {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
