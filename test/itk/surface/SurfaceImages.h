// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef SurfaceImages_h
#define SurfaceImages_h

#include "itk/TestImages.h"
#include "itkImageRegionIteratorWithIndex.h"

#include <algorithm>
#include <cmath>

/** Surfaces whose distances are known, as images. */
namespace surfaceimages
{

using namespace testimages;

using IndexType = itk::Index<3>;
using SizeType = itk::Size<3>;
using PointType = itk::Point<double, 3>;

constexpr double ballRadius = 6.0;

/** Big enough for a ball, and patches around it. */
inline SizeType
BallSize()
{
  return { { 27, 23, 19 } };
}

/** An image of oblique geometry whose voxels are what a function of the point in mm from the image's center gives. */
template <typename TImage, typename TFunction>
typename TImage::Pointer
ImageOfPoints(const SizeType & size, const TFunction & function)
{
  const auto image = TImage::New();
  SetObliqueGeometry(image.GetPointer(), size);
  image->Allocate();
  const auto                      region = image->GetLargestPossibleRegion();
  itk::ContinuousIndex<double, 3> middle;
  PointType                       center;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    middle[axis] = region.GetIndex(axis) + 0.5 * (static_cast<double>(size[axis]) - 1.0);
  }
  image->TransformContinuousIndexToPhysicalPoint(middle, center);
  for (itk::ImageRegionIteratorWithIndex<TImage> it(image, region); !it.IsAtEnd(); ++it)
  {
    PointType point;
    image->TransformIndexToPhysicalPoint(it.GetIndex(), point);
    it.Set(static_cast<typename TImage::PixelType>(function(point - center)));
  }
  return image;
}

/** The signed distance to a ball around the center, times \p scale. */
template <typename TImage>
typename TImage::Pointer
BallDistance(double scale = 1.0)
{
  return ImageOfPoints<TImage>(BallSize(), [scale](const auto & p) { return scale * (p.GetNorm() - ballRadius); });
}

/** The signed distance to a ball with waves on it, so that there is something to denoise; a distance but for a few
 * percent. */
template <typename TImage>
typename TImage::Pointer
WavyBallDistance()
{
  return ImageOfPoints<TImage>(BallSize(), [](const auto & p) {
    return p.GetNorm() - ballRadius - 0.1 * std::sin(2.0 * p[0]) * std::cos(1.5 * p[1] + p[2]);
  });
}

/** Labels: \p first at a corner of the image, \p second in a box inside, one voxel of \p third; else 0. */
template <typename TImage>
typename TImage::Pointer
ThreeLabels(int first, int second, int third)
{
  const auto image = TImage::New();
  SetObliqueGeometry(image.GetPointer(), { { 15, 13, 11 } });
  image->Allocate();
  image->FillBuffer(0);
  const IndexType begin = image->GetLargestPossibleRegion().GetIndex();
  for (itk::ImageRegionIteratorWithIndex<TImage> it(image, image->GetLargestPossibleRegion()); !it.IsAtEnd(); ++it)
  {
    const auto at = it.GetIndex() - begin;
    if (at[0] < 4 && at[1] < 3 && at[2] < 2)
    {
      it.Set(static_cast<typename TImage::PixelType>(first));
    }
    else if (at[0] >= 6 && at[0] < 10 && at[1] >= 5 && at[1] < 11 && at[2] >= 4 && at[2] < 7)
    {
      it.Set(static_cast<typename TImage::PixelType>(second));
    }
  }
  image->SetPixel(begin + itk::Offset<3>{ { 12, 2, 8 } }, static_cast<typename TImage::PixelType>(third));
  return image;
}

/** The signed distance of a point to an axis-aligned box. */
inline double
BoxDistance(const PointType & point, const PointType & low, const PointType & high)
{
  double outside = 0.0;
  double inside = -1e30;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    const double beyond = std::max(low[axis] - point[axis], point[axis] - high[axis]);
    outside += std::max(beyond, 0.0) * std::max(beyond, 0.0);
    inside = std::max(inside, beyond);
  }
  return inside > 0.0 ? std::sqrt(outside) : inside;
}

} // namespace surfaceimages

#endif
