// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef AtlasPhantom_h
#define AtlasPhantom_h

#include "RegistrationPhantom.h"
#include "itk/ItkDeviceTest.h"
#include "itkCudaDiffeomorphicAtlasFilter.h"

/** Populations of the registrations' phantom, whose mean shape is known. */
namespace atlasphantom
{

using registrationphantom::PointOf;
using ImageType = itk::Image<float, 3>;
using FieldType = registrationphantom::FieldOf<3>;
using AtlasType = itk::CudaDiffeomorphicAtlasFilter<ImageType>;

/** The point that p + scale * Displacement(p) takes to \p p, by a fixed-point iteration: it converges because the
 * derivatives of the displacement are below 0.6. */
template <unsigned int VDimension>
PointOf<VDimension>
Undeformed(double scale, const PointOf<VDimension> & p)
{
  constexpr double    tolerance = 1e-4; // mm
  PointOf<VDimension> result = p;
  for (auto step = p - p + itk::Vector<double, VDimension>(1.0); step.GetNorm() > tolerance; result += step)
  {
    step = p - (result + registrationphantom::Displacement<VDimension>(result) * scale);
  }
  return result;
}

/** An image to which the object's displacement field is scale * Displacement: image(p + scale * Displacement(p)) is the
 * object at p. */
template <typename TImage>
typename TImage::Pointer
Deformed(double scale, const typename TImage::Pointer & image = registrationphantom::CommonGrid<TImage>())
{
  constexpr unsigned int dimension = TImage::ImageDimension;
  registrationphantom::Fill<typename TImage::PixelType, dimension>(image, [scale](const PointOf<dimension> & p) {
    return registrationphantom::Intensity<dimension>(Undeformed<dimension>(scale, p));
  });
  return image;
}

/** Of mean 0: the displacements from the object to these shapes have mean 0 at every point, so that it is their mean
 * shape. */
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

/** A test of what the atlas filter makes of them. */
class CudaDiffeomorphicAtlasFilter : public ItkDeviceTest
{};

} // namespace atlasphantom

#endif
