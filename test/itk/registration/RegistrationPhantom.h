// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef RegistrationPhantom_h
#define RegistrationPhantom_h

#include "itk/TestImages.h"
#include "itkAffineTransform.h"
#include "itkCompositeTransform.h"
#include "itkCudaFluidRegistrationTransforms.h"
#include "itkTranslationTransform.h"
#include "itkVector.h"

#include <cmath>
#include <functional>

/** A brain-like object as a function of space, and a deformation of it that is known. */
namespace registrationphantom
{

template <unsigned int VDimension>
using PointOf = itk::Point<double, VDimension>;
template <unsigned int VDimension>
using FieldOf = itk::Image<itk::Vector<float, VDimension>, VDimension>;
template <unsigned int VDimension>
using FunctionOf = std::function<double(const PointOf<VDimension> &)>;

/** Where the object is: a ball of this radius in mm around this center along each axis. */
constexpr double center = 20.0;
constexpr double radius = 14.0;

template <unsigned int VDimension>
double
DistanceFromCenter(const PointOf<VDimension> & p)
{
  double sum = 0.0;
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    sum += (p[axis] - center) * (p[axis] - center);
  }
  return std::sqrt(sum);
}

/** Up to 250: textured inside, 0 outside, with an edge two mm wide. */
template <unsigned int VDimension>
double
Intensity(const PointOf<VDimension> & p)
{
  double texture = 1.0;
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    const double other = p[(axis + 1) % VDimension];
    texture += 0.2 * std::sin((0.55 + 0.07 * axis) * p[axis] + 0.35 * other + axis);
    texture += 0.2 * std::sin((0.9 - 0.1 * axis) * p[axis] - 0.7 * other + 2.0 * axis);
  }
  return 100.0 * texture / (1.0 + std::exp(DistanceFromCenter<VDimension>(p) - radius));
}

/** Smooth, of up to 2 mm along each axis, fading toward the edge of the volume, and without folds. */
template <unsigned int VDimension>
itk::Vector<double, VDimension>
Displacement(const PointOf<VDimension> & p)
{
  const double                    r = DistanceFromCenter<VDimension>(p) / 12.0;
  const double                    weight = 2.0 * std::exp(-r * r * r * r);
  itk::Vector<double, VDimension> displacement;
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    displacement[axis] = weight * std::sin(0.16 * p[(axis + 1) % VDimension] + 0.9 * axis);
  }
  return displacement;
}

template <unsigned int VDimension>
PointOf<VDimension>
Deformed(const PointOf<VDimension> & p)
{
  return p + Displacement<VDimension>(p);
}

/** 40 voxels of 1 mm along each axis. */
template <typename TImage>
typename TImage::Pointer
CommonGrid()
{
  const auto                image = TImage::New();
  typename TImage::SizeType size;
  size.Fill(40);
  image->SetRegions(size);
  image->Allocate();
  return image;
}

/** Around the same center, in voxels of other sizes, oblique, and with indices that do not start at 0. */
template <typename TImage>
typename TImage::Pointer
ObliqueGrid()
{
  constexpr unsigned int         dimension = TImage::ImageDimension;
  const auto                     image = TImage::New();
  typename TImage::IndexType     index;
  typename TImage::SizeType      size;
  typename TImage::SpacingType   spacing;
  typename TImage::DirectionType direction;
  direction.SetIdentity();
  direction[0][0] = direction[1][1] = 0.96;
  direction[0][1] = -0.28;
  direction[1][0] = 0.28;
  PointOf<dimension> middle;
  for (unsigned int axis = 0; axis < dimension; ++axis)
  {
    index[axis] = 5 - 3 * static_cast<int>(axis);
    size[axis] = 46 - 7 * axis;
    spacing[axis] = 0.9 + 0.2 * axis;
    middle[axis] = center;
  }
  const itk::Vector<double, dimension> toMiddle = [&] {
    itk::Vector<double, dimension> v;
    for (unsigned int axis = 0; axis < dimension; ++axis)
    {
      v[axis] = (index[axis] + 0.5 * (static_cast<double>(size[axis]) - 1.0)) * spacing[axis];
    }
    return direction * v;
  }();
  image->SetRegions(typename TImage::RegionType(index, size));
  image->SetSpacing(spacing);
  image->SetDirection(direction);
  image->SetOrigin(middle - toMiddle);
  image->Allocate();
  return image;
}

/** Calls function(i, point) for the voxels of \p image. */
template <unsigned int VDimension, typename TFunction>
void
ForEachVoxel(const itk::ImageBase<VDimension> * image, const TFunction & function)
{
  const auto region = image->GetLargestPossibleRegion();
  const auto count = static_cast<itk::OffsetValueType>(region.GetNumberOfPixels());
  auto       index = region.GetIndex();
  for (itk::OffsetValueType i = 0; i < count; ++i)
  {
    PointOf<VDimension> point;
    image->TransformIndexToPhysicalPoint(index, point);
    function(i, point);
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      if (++index[axis] < region.GetIndex(axis) + static_cast<itk::IndexValueType>(region.GetSize(axis)))
      {
        break;
      }
      index[axis] = region.GetIndex(axis);
    }
  }
}

/** Gives \p image the values of \p function. */
template <typename TPixel, unsigned int VDimension>
void
Fill(itk::Image<TPixel, VDimension> * image, const FunctionOf<VDimension> & function)
{
  ForEachVoxel<VDimension>(image, [&](itk::OffsetValueType i, const PointOf<VDimension> & point) {
    const double value = function(point);
    image->GetBufferPointer()[i] = static_cast<TPixel>(std::is_integral_v<TPixel> ? std::round(value) : value);
  });
}

/** The object on the grid of \p image, which is returned. */
template <typename TImage>
typename TImage::Pointer
Moving(const typename TImage::Pointer & image = CommonGrid<TImage>())
{
  Fill<typename TImage::PixelType, TImage::ImageDimension>(image, Intensity<TImage::ImageDimension>);
  return image;
}

/** The object as it is seen through Deformed: registered to Moving, it has the displacements Displacement. */
template <typename TImage>
typename TImage::Pointer
Fixed(const typename TImage::Pointer & image = CommonGrid<TImage>())
{
  constexpr unsigned int dimension = TImage::ImageDimension;
  Fill<typename TImage::PixelType, dimension>(
    image, [](const PointOf<dimension> & p) { return Intensity<dimension>(Deformed<dimension>(p)); });
  return image;
}

/** The known displacements on the grid of \p image. */
template <unsigned int VDimension>
typename FieldOf<VDimension>::Pointer
KnownField(const itk::ImageBase<VDimension> * image)
{
  const auto field = FieldOf<VDimension>::New();
  field->CopyInformation(image);
  field->SetRegions(image->GetLargestPossibleRegion());
  field->Allocate();
  ForEachVoxel<VDimension>(image, [&](itk::OffsetValueType i, const PointOf<VDimension> & point) {
    const auto displacement = Displacement<VDimension>(point);
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      field->GetBufferPointer()[i][axis] = static_cast<float>(displacement[axis]);
    }
  });
  return field;
}

struct Difference
{
  double mean = 0.0;
  double maximum = 0.0;
};

/** How far two fields are apart inside the object, in mm. */
template <unsigned int VDimension>
Difference
DifferenceInside(const FieldOf<VDimension> * a, const FieldOf<VDimension> * b, double within = radius)
{
  Difference  difference;
  std::size_t count = 0;
  ForEachVoxel<VDimension>(a, [&](itk::OffsetValueType i, const PointOf<VDimension> & point) {
    if (DistanceFromCenter<VDimension>(point) < within)
    {
      const double distance = (a->GetBufferPointer()[i] - b->GetBufferPointer()[i]).GetNorm();
      difference.mean += distance;
      difference.maximum = std::max(difference.maximum, distance);
      ++count;
    }
  });
  difference.mean /= static_cast<double>(count);
  return difference;
}

/** The numbers of a field. */
template <unsigned int VDimension>
std::vector<double>
Numbers(const FieldOf<VDimension> * field)
{
  const float * const begin = field->GetBufferPointer()->GetDataPointer();
  return std::vector<double>(begin, begin + VDimension * field->GetBufferedRegion().GetNumberOfPixels());
}

/** A translation in a composite in a composite, to be changed in place. */
struct NestedTranslation
{
  itk::TranslationTransform<double, 3>::Pointer translation = itk::TranslationTransform<double, 3>::New();
  itk::CompositeTransform<double, 3>::Pointer   composite = itk::CompositeTransform<double, 3>::New();

  NestedTranslation()
  {
    const auto inner = itk::CompositeTransform<double, 3>::New();
    inner->AddTransform(translation);
    composite->AddTransform(inner);
  }

  void
  Move(double offset) const
  {
    auto parameters = translation->GetParameters();
    parameters.Fill(offset);
    translation->SetParameters(parameters);
  }
};

inline itk::AffineTransform<double, 3>::Pointer
SomeAffine()
{
  const auto                                  affine = itk::AffineTransform<double, 3>::New();
  itk::AffineTransform<double, 3>::MatrixType matrix;
  matrix.SetIdentity();
  matrix[0][0] = 1.08;
  matrix[0][1] = -0.2;
  matrix[1][0] = 0.25;
  matrix[2][2] = 0.93;
  affine->SetMatrix(matrix);
  itk::Vector<double, 3> translation;
  translation[0] = 5.0;
  translation[1] = -7.5;
  translation[2] = 30.0;
  affine->SetTranslation(translation);
  return affine;
}

/** The object of Moving, moved by an affine transform: at T(q) there is what was at q. */
inline itk::Image<float, 3>::Pointer
MovedBy(const itk::AffineTransform<double, 3> * affine)
{
  const auto image = ObliqueGrid<itk::Image<float, 3>>();
  // Its center goes where the object goes.
  PointOf<3> middle;
  middle.Fill(center);
  image->SetOrigin(image->GetOrigin() + (affine->TransformPoint(middle) - middle));
  const auto inverse = affine->GetInverseTransform();
  Fill<float, 3>(image, [&](const PointOf<3> & p) { return Intensity<3>(inverse->TransformPoint(p)); });
  return image;
}

/** Mean of |a - b|. */
inline double
MeanDifference(const itk::Image<float, 3> * a, const itk::Image<float, 3> * b)
{
  const std::vector<double> of = testimages::Pixels(a);
  const std::vector<double> from = testimages::Pixels(b);
  double                    sum = 0.0;
  for (std::size_t i = 0; i < of.size(); ++i)
  {
    sum += std::abs(of[i] - from[i]);
  }
  return sum / static_cast<double>(of.size());
}

/** The phantom's deformation is smoother than those between brains, for which the defaults are. */
template <typename TFilter>
auto
SmoothVelocity(TFilter & filter, int) -> decltype(filter.SetUpdateFieldStandardDeviations(4.0))
{
  filter.SetUnbiasedWeight(0.02);
  filter.SetUpdateFieldStandardDeviations(4.0);
}

/** For filters without a Gaussian. */
template <typename TFilter>
void
SmoothVelocity(TFilter &, long)
{}

/** Few iterations that suffice for the phantom. */
template <typename TFilter>
typename TFilter::Pointer
MakeFilter(const typename TFilter::FixedImageType *  fixed,
           const typename TFilter::MovingImageType * moving,
           const itk::ComputeDevice &                device)
{
  const auto filter = TFilter::New();
  filter->SetComputeDevice(device);
  filter->SetFixedImage(fixed);
  filter->SetMovingImage(moving);
  filter->SetNumberOfLevels(2);
  filter->SetNumberOfIterations(60);
  SmoothVelocity(*filter, 0);
  return filter;
}

} // namespace registrationphantom

#endif
