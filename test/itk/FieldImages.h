// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef FieldImages_h
#define FieldImages_h

#include "TestImages.h"
#include "itkVector.h"

/** Displacement fields for tests of the ITK layer, and what looks at images of vectors. */
namespace testimages
{

template <unsigned int VDimension>
using FieldImageOf = itk::Image<itk::Vector<float, VDimension>, VDimension>;

/** A field of the geometry of \p grid whose vectors are function(point). */
template <unsigned int VDimension, typename TFunction>
typename FieldImageOf<VDimension>::Pointer
FieldFrom(const itk::ImageBase<VDimension> * grid, const TFunction & function)
{
  const auto field = FieldImageOf<VDimension>::New();
  field->CopyInformation(grid);
  field->SetRegions(grid->GetLargestPossibleRegion());
  field->Allocate();
  const auto count = static_cast<itk::OffsetValueType>(field->GetLargestPossibleRegion().GetNumberOfPixels());
  for (itk::OffsetValueType i = 0; i < count; ++i)
  {
    itk::Point<double, VDimension> point;
    field->TransformIndexToPhysicalPoint(field->ComputeIndex(i), point);
    const itk::Vector<double, VDimension> displacement = function(point);
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      field->GetBufferPointer()[i][axis] = static_cast<float>(displacement[axis]);
    }
  }
  return field;
}

/** Waves of up to \p amplitude mm along each axis, so long that the field does not fold. */
template <unsigned int VDimension>
typename FieldImageOf<VDimension>::Pointer
WavyField(const itk::ImageBase<VDimension> * grid, double amplitude = 1.3, double phase = 0.0)
{
  return FieldFrom<VDimension>(grid, [=](const itk::Point<double, VDimension> & point) {
    itk::Vector<double, VDimension> displacement;
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      displacement[axis] =
        amplitude * std::sin(0.31 * point[axis] + 0.22 * point[(axis + 1) % VDimension] + axis + phase);
    }
    return displacement;
  });
}

/** An empty image near Phantom()'s, turned and stretched otherwise, with another size and first index. */
template <typename TImage>
typename TImage::Pointer
OtherGrid()
{
  const auto image = TImage::New();
  auto       size = DefaultSize<TImage::ImageDimension>();
  size[0] -= 4;
  size[1] += 3;
  SetObliqueGeometry(image.GetPointer(), size);
  auto region = image->GetLargestPossibleRegion();
  region.SetIndex(0, -2);
  image->SetRegions(region);
  auto spacing = image->GetSpacing();
  spacing[0] = 1.1;
  image->SetSpacing(spacing);
  auto origin = image->GetOrigin();
  origin[1] += 2.25;
  image->SetOrigin(origin);
  typename TImage::DirectionType direction = image->GetDirection();
  direction[0][0] = direction[1][1] = 0.6;
  direction[0][1] = -0.8;
  direction[1][0] = 0.8;
  image->SetDirection(direction);
  return image;
}

/** The components of all pixels in memory order. */
template <typename TImage>
std::vector<double>
Components(const TImage * image)
{
  const auto *             pixels = image->GetBufferPointer();
  const itk::SizeValueType count = image->GetBufferedRegion().GetNumberOfPixels();
  constexpr unsigned int   length = TImage::PixelType::Dimension;
  std::vector<double>      components;
  components.reserve(count * length);
  for (itk::SizeValueType i = 0; i < count; ++i)
  {
    for (unsigned int component = 0; component < length; ++component)
    {
      components.push_back(static_cast<double>(pixels[i][component]));
    }
  }
  return components;
}

template <typename TPixel, unsigned int VDimension>
std::vector<double>
Components(const itk::DeviceImage<TPixel, VDimension> * image)
{
  const auto download = itk::DeviceDownloadImageFilter<itk::DeviceImage<TPixel, VDimension>>::New();
  download->SetInput(image);
  download->Update();
  const itk::Image<TPixel, VDimension> * const result = download->GetOutput();
  return Components(result);
}

} // namespace testimages

#endif
