// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef AtlasPhantom_h
#define AtlasPhantom_h

#include "RegistrationPhantom.h"
#include "itkCudaDiffeomorphicAtlasFilter.h"

/** Populations of the registrations' phantom, whose mean shape is known. */
namespace atlasphantom
{

using registrationphantom::PointOf;
using ImageType = itk::Image<float, 3>;
using FieldType = registrationphantom::FieldOf<3>;
using AtlasType = itk::CudaDiffeomorphicAtlasFilter<ImageType>;

/** The object as it is seen through p + scale * Displacement(p). */
template <typename TImage>
typename TImage::Pointer
Deformed(double scale, const typename TImage::Pointer & image = registrationphantom::CommonGrid<TImage>())
{
  constexpr unsigned int dimension = TImage::ImageDimension;
  registrationphantom::Fill<typename TImage::PixelType, dimension>(image, [scale](const PointOf<dimension> & p) {
    return registrationphantom::Intensity<dimension>(p + registrationphantom::Displacement<dimension>(p) * scale);
  });
  return image;
}

const std::vector<double> populationScales{ -1.3, 0.2, 1.1 };

/** Three shapes. */
template <typename TImage>
std::vector<typename TImage::Pointer>
Population()
{
  std::vector<typename TImage::Pointer> images;
  for (const double scale : populationScales)
  {
    images.push_back(Deformed<TImage>(scale));
  }
  return images;
}

/** The point that \p function takes to \p p: by the fixed-point iteration, which the phantom's deformations let converge
 * since the derivatives of their displacements are below 0.75. */
template <unsigned int VDimension, typename TFunction>
PointOf<VDimension>
InverseAt(const TFunction & function, const PointOf<VDimension> & p)
{
  PointOf<VDimension> result = p;
  for (int i = 0; i < 60; ++i)
  {
    result += p - function(result);
  }
  return result;
}

/** The template whose displacements to the shapes of Deformed have mean 0: the object seen through psi, where psi is the
 * inverse of the mean of the maps (id + scale * Displacement)^-1. */
inline ImageType::Pointer
MeanShape(const std::vector<double> & scales, const ImageType::Pointer & image)
{
  const auto mean = [&](const PointOf<3> & p) {
    PointOf<3> sum = p;
    for (const double scale : scales)
    {
      const auto map = [scale](const PointOf<3> & q) { return q + registrationphantom::Displacement<3>(q) * scale; };
      sum += (InverseAt<3>(map, p) - p) / static_cast<double>(scales.size());
    }
    return sum;
  };
  registrationphantom::Fill<float, 3>(
    image, [&](const PointOf<3> & p) { return registrationphantom::Intensity<3>(InverseAt<3>(mean, p)); });
  return image;
}

/** Few iterations that suffice for the phantom. */
template <typename TAtlas = AtlasType, typename TImages>
typename TAtlas::Pointer
MakeAtlas(const TImages & images, const itk::ComputeDevice & device)
{
  const auto atlas = TAtlas::New();
  atlas->SetComputeDevice(device);
  for (const auto & image : images)
  {
    atlas->PushBackInput(image);
  }
  atlas->SetNumberOfLevels(2);
  atlas->SetNumberOfIterationsPerLevel({ 12, 8 });
  return atlas;
}

inline AtlasType::Pointer
MakeAtlas(const itk::ComputeDevice & device)
{
  return MakeAtlas(Population<ImageType>(), device);
}

/** The longest weighted mean displacement of all voxels, in mm. */
template <typename TAtlas>
double
LongestMeanDisplacement(TAtlas * atlas, const std::vector<double> & weights)
{
  std::vector<double> mean;
  double              sumOfWeights = 0.0;
  for (unsigned int image = 0; image < weights.size(); ++image)
  {
    const std::vector<double> numbers =
      registrationphantom::Numbers<TAtlas::ImageDimension>(atlas->GetDisplacementField(image));
    mean.resize(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
      mean[i] += weights[image] * numbers[i];
    }
    sumOfWeights += weights[image];
  }
  double longest = 0.0;
  for (std::size_t i = 0; i < mean.size(); i += TAtlas::ImageDimension)
  {
    double square = 0.0;
    for (unsigned int axis = 0; axis < TAtlas::ImageDimension; ++axis)
    {
      square += mean[i + axis] * mean[i + axis];
    }
    longest = std::max(longest, std::sqrt(square) / sumOfWeights);
  }
  return longest;
}

} // namespace atlasphantom

#endif
