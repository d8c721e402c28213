// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Whether ITK, which knows this module's transform, makes the same warped image of a moving image and a written
// transform, or image of displacements, at all but a share of the voxels: CheckTransformFile MOVING
// TRANSFORM[,TRANSFORM...] WARPED TOLERANCE SHARE Of several transforms the last one is applied first.

#include "itkCompositeTransform.h"
#include "itkDisplacementFieldTransform.h"
#include "itkGeodesicShootingTransform.h"
#include "itkImageFileReader.h"
#include "itkImageIOFactory.h"
#include "itkResampleImageFilter.h"
#include "itkTransformFileReader.h"

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

namespace
{

template <typename TImage>
typename TImage::Pointer
Read(const char * path)
{
  const auto reader = itk::ImageFileReader<TImage>::New();
  reader->SetFileName(path);
  reader->Update();
  return reader->GetOutput();
}

template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::Pointer
ReadTransform(const std::string & path)
{
  if (itk::ImageIOFactory::CreateImageIO(path.c_str(), itk::IOFileModeEnum::ReadMode).IsNotNull())
  {
    const auto transform = itk::DisplacementFieldTransform<double, VDimension>::New();
    transform->SetDisplacementField(Read<itk::Image<itk::Vector<double, VDimension>, VDimension>>(path.c_str()));
    return transform.GetPointer();
  }
  const auto reader = itk::TransformFileReaderTemplate<double>::New();
  reader->SetFileName(path);
  reader->Update();
  return dynamic_cast<itk::Transform<double, VDimension, VDimension> *>(
    reader->GetTransformList()->front().GetPointer());
}

template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::Pointer
ReadTransforms(const char * paths)
{
  const auto         composite = itk::CompositeTransform<double, VDimension>::New();
  std::istringstream list(paths);
  for (std::string path; std::getline(list, path, ',');)
  {
    composite->AddTransform(ReadTransform<VDimension>(path));
  }
  return composite.GetPointer();
}

/** The share of voxels that differ by more than a tolerance from those that ITK resamples. */
template <unsigned int VDimension>
double
Check(char ** paths, double tolerance)
{
  using ImageType = itk::Image<float, VDimension>;
  const auto warped = Read<ImageType>(paths[2]);
  const auto resample = itk::ResampleImageFilter<ImageType, ImageType>::New();
  resample->SetInput(Read<ImageType>(paths[0]));
  resample->SetTransform(ReadTransforms<VDimension>(paths[1]));
  resample->SetReferenceImage(warped);
  resample->UseReferenceImageOn();
  resample->Update();
  const float * const      expected = resample->GetOutput()->GetBufferPointer();
  const itk::SizeValueType count = warped->GetLargestPossibleRegion().GetNumberOfPixels();
  itk::SizeValueType       different = 0;
  for (itk::SizeValueType i = 0; i < count; ++i)
  {
    different += std::abs(expected[i] - warped->GetBufferPointer()[i]) <= tolerance ? 0 : 1;
  }
  return static_cast<double>(different) / static_cast<double>(count);
}

} // namespace

int
main(int argc, char ** argv)
{
  if (argc != 6)
  {
    std::cerr << "CheckTransformFile MOVING TRANSFORM[,TRANSFORM...] WARPED TOLERANCE SHARE" << std::endl;
    return EXIT_FAILURE;
  }
  try
  {
    const auto io = itk::ImageIOFactory::CreateImageIO(argv[3], itk::IOFileModeEnum::ReadMode);
    io->SetFileName(argv[3]);
    io->ReadImageInformation();
    const double tolerance = std::atof(argv[4]);
    const double share =
      io->GetNumberOfDimensions() == 2 ? Check<2>(argv + 1, tolerance) : Check<3>(argv + 1, tolerance);
    std::cout << share << " of the voxels differ by more than " << tolerance << std::endl;
    return share <= std::atof(argv[5]) ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  catch (const std::exception & error)
  {
    std::cerr << error.what() << std::endl;
    return EXIT_FAILURE;
  }
}
