// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef LinearPhantom_h
#define LinearPhantom_h

#include "RegistrationPhantom.h"
#include "itkCudaLinearRegistrationFilter.h"
#include "itkEuler2DTransform.h"
#include "itkSimilarity2DTransform.h"
#include "itkSimilarity3DTransform.h"
#include "itkTranslationTransform.h"
#include "itkVersorRigid3DTransform.h"

#include <string>

/** The object of RegistrationPhantom.h, seen through linear transforms that are known. */
namespace linearphantom
{

using registrationphantom::CommonGrid;
using registrationphantom::ForEachVoxel;
using registrationphantom::PointOf;

template <unsigned int VDimension>
using TransformOf = itk::Transform<double, VDimension, VDimension>;
template <unsigned int VDimension>
using VectorOf = itk::Vector<double, VDimension>;

/** Of all transforms below: some mm, and more than the texture of the object is long along no axis. */
template <unsigned int VDimension>
VectorOf<VDimension>
KnownTranslation()
{
  VectorOf<VDimension> translation;
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    translation[axis] = 2.3 - 1.7 * axis;
  }
  return translation;
}

/** The center of the object. */
template <unsigned int VDimension>
PointOf<VDimension>
Middle()
{
  PointOf<VDimension> middle;
  middle.Fill(registrationphantom::center);
  return middle;
}

/** 6 degrees. */
constexpr double knownAngle = 0.105;
constexpr double knownScale = 1.06;

inline VectorOf<3>
KnownAxis()
{
  VectorOf<3> axis;
  axis[0] = 0.3;
  axis[1] = -0.5;
  axis[2] = 0.8;
  return axis;
}

template <typename TTransform>
typename TTransform::Pointer
AroundMiddle()
{
  const auto transform = TTransform::New();
  transform->SetCenter(Middle<TTransform::SpaceDimension>());
  return transform;
}

inline TransformOf<3>::Pointer
KnownRigid(std::integral_constant<unsigned int, 3>)
{
  const auto transform = AroundMiddle<itk::VersorRigid3DTransform<double>>();
  transform->SetRotation(KnownAxis(), knownAngle);
  transform->SetTranslation(KnownTranslation<3>());
  return transform.GetPointer();
}

inline TransformOf<2>::Pointer
KnownRigid(std::integral_constant<unsigned int, 2>)
{
  const auto transform = AroundMiddle<itk::Euler2DTransform<double>>();
  transform->SetAngle(knownAngle);
  transform->SetTranslation(KnownTranslation<2>());
  return transform.GetPointer();
}

inline TransformOf<3>::Pointer
KnownSimilarity(std::integral_constant<unsigned int, 3>)
{
  const auto transform = AroundMiddle<itk::Similarity3DTransform<double>>();
  transform->SetRotation(KnownAxis(), knownAngle);
  transform->SetScale(knownScale);
  transform->SetTranslation(KnownTranslation<3>());
  return transform.GetPointer();
}

inline TransformOf<2>::Pointer
KnownSimilarity(std::integral_constant<unsigned int, 2>)
{
  const auto transform = AroundMiddle<itk::Similarity2DTransform<double>>();
  transform->SetAngle(knownAngle);
  transform->SetScale(knownScale);
  transform->SetTranslation(KnownTranslation<2>());
  return transform.GetPointer();
}

template <unsigned int VDimension>
typename TransformOf<VDimension>::Pointer
KnownAffine()
{
  using AffineType = itk::AffineTransform<double, VDimension>;
  typename AffineType::MatrixType matrix;
  matrix.SetIdentity();
  matrix(0, 0) = 1.05;
  matrix(0, 1) = -0.06;
  matrix(1, 0) = 0.09;
  matrix(VDimension - 1, VDimension - 1) = 0.95;
  const auto transform = AroundMiddle<AffineType>();
  transform->SetMatrix(matrix);
  transform->SetTranslation(KnownTranslation<VDimension>());
  return transform.GetPointer();
}

/** A transform of the type, of the class that a registration gives. */
template <unsigned int VDimension>
typename TransformOf<VDimension>::Pointer
KnownTransform(const std::string & type)
{
  using Dimension = std::integral_constant<unsigned int, VDimension>;
  if (type == "Translation")
  {
    const auto transform = itk::TranslationTransform<double, VDimension>::New();
    transform->SetOffset(KnownTranslation<VDimension>());
    return transform.GetPointer();
  }
  if (type == "Rigid")
  {
    return KnownRigid(Dimension());
  }
  return type == "Similarity" ? KnownSimilarity(Dimension()) : KnownAffine<VDimension>();
}

/** The object as it is seen through a transform: registered to registrationphantom::Moving, that is what is found. */
template <typename TImage>
typename TImage::Pointer
SeenThrough(const TransformOf<TImage::ImageDimension> * transform,
            const typename TImage::Pointer &            image = CommonGrid<TImage>())
{
  constexpr unsigned int dimension = TImage::ImageDimension;
  registrationphantom::Fill<typename TImage::PixelType, dimension>(image, [&](const PointOf<dimension> & p) {
    return registrationphantom::Intensity<dimension>(transform->TransformPoint(p));
  });
  return image;
}

/** How far two transforms take a point of the object apart at most, in mm. */
template <unsigned int VDimension>
double
LargestDistance(const TransformOf<VDimension> * a, const TransformOf<VDimension> * b)
{
  double     largest = 0.0;
  const auto grid = CommonGrid<itk::Image<float, VDimension>>();
  ForEachVoxel<VDimension>(grid.GetPointer(), [&](itk::OffsetValueType, const PointOf<VDimension> & p) {
    if (registrationphantom::DistanceFromCenter<VDimension>(p) < registrationphantom::radius)
    {
      largest = std::max(largest, (a->TransformPoint(p) - b->TransformPoint(p)).GetNorm());
    }
  });
  return largest;
}

} // namespace linearphantom

#endif
