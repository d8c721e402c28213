// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "HeadImage.h"

#include "itkBSplineInterpolateImageFunction.h"
#include "itkBinShrinkImageFilter.h"
#include "itkEuler3DTransform.h"
#include "itkImageFileReader.h"
#include "itkImageRegionIteratorWithIndex.h"
#include "itkNearestNeighborExtrapolateImageFunction.h"
#include "itkRegionOfInterestImageFilter.h"
#include "itkResampleImageFilter.h"
#include "itkSmoothingRecursiveGaussianImageFilter.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace
{

double
Quantile(std::vector<float> values, double fraction)
{
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

double
HeadThreshold(const HeadImage * image)
{
  return 0.2 * BrightTissue(image);
}

} // namespace

double
Random::Uniform(double least, double most)
{
  constexpr double unit = 1.0 / 9007199254740992.0; // 2^-53
  return least + (most - least) * static_cast<double>(m_Bits() >> 11) * unit;
}

double
Random::Normal()
{
  constexpr double twoPi = 6.28318530717958647692;
  const double     radius = std::sqrt(-2.0 * std::log(1.0 - this->Uniform(0.0, 1.0)));
  return radius * std::cos(twoPi * this->Uniform(0.0, 1.0));
}

HeadImage::Pointer
ReadHead(const std::string & path)
{
  return itk::ReadImage<HeadImage>(path);
}

cudaneuro::Geometry
GeometryOf(const HeadImage * image)
{
  cudaneuro::Geometry geometry;
  for (unsigned int row = 0; row < 3; ++row)
  {
    geometry.grid.size[row] = static_cast<std::int64_t>(image->GetBufferedRegion().GetSize(row));
    geometry.grid.spacing[row] = image->GetSpacing()[row];
    geometry.origin[row] = image->GetOrigin()[row];
    for (unsigned int column = 0; column < 3; ++column)
    {
      geometry.direction[3 * row + column] = image->GetDirection()(row, column);
    }
  }
  return geometry;
}

double
BrightTissue(const HeadImage * image)
{
  const std::vector<float> voxels(image->GetBufferPointer(),
                                  image->GetBufferPointer() + image->GetBufferedRegion().GetNumberOfPixels());
  // The head fills less than all, and more than a sixth, of an image of it.
  const double       guess = 0.2 * Quantile(voxels, 0.97);
  std::vector<float> head;
  std::copy_if(voxels.begin(), voxels.end(), std::back_inserter(head), [guess](float voxel) { return voxel > guess; });
  if (head.empty())
  {
    throw std::runtime_error("There is no head in the image: 97 % of its voxels are 0");
  }
  return Quantile(std::move(head), 0.9);
}

itk::ImageRegion<3>
HeadBox(const HeadImage * image)
{
  const itk::Size<3>                      size = image->GetBufferedRegion().GetSize();
  const double                            threshold = HeadThreshold(image);
  std::array<std::vector<std::size_t>, 3> counts;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    counts[axis].resize(size[axis]);
  }
  for (itk::ImageRegionConstIteratorWithIndex<HeadImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    for (unsigned int axis = 0; axis < 3 && it.Get() > threshold; ++axis)
    {
      ++counts[axis][static_cast<std::size_t>(it.GetIndex()[axis])];
    }
  }
  itk::ImageRegion<3> box;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    const std::size_t least = image->GetBufferedRegion().GetNumberOfPixels() / size[axis] / 100;
    const auto        isHead = [least](std::size_t count) { return count > least; };
    const auto &      of = counts[axis];
    const auto        first = std::find_if(of.begin(), of.end(), isHead);
    const auto        end = std::find_if(of.rbegin(), of.rend(), isHead).base();
    box.SetIndex(axis, first - of.begin());
    box.SetSize(axis, static_cast<itk::SizeValueType>(std::max<std::ptrdiff_t>(end - first, 0)));
  }
  return box;
}

Corners
CornersOf(const HeadImage * image, const itk::ImageRegion<3> & box)
{
  Corners corners;
  for (unsigned int corner = 0; corner < 8; ++corner)
  {
    itk::Index<3> index = box.GetIndex();
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      index[axis] += (corner >> axis & 1U) != 0 ? static_cast<itk::IndexValueType>(box.GetSize(axis)) - 1 : 0;
    }
    itk::Point<double, 3> point;
    image->TransformIndexToPhysicalPoint(index, point);
    std::copy(point.Begin(), point.End(), corners[corner].begin());
  }
  return corners;
}

HeadImage::Pointer
Shrink(const HeadImage * image, unsigned int factor)
{
  const auto filter = itk::BinShrinkImageFilter<HeadImage, HeadImage>::New();
  filter->SetInput(image);
  filter->SetShrinkFactors(factor);
  filter->Update();
  return filter->GetOutput();
}

HeadImage::Pointer
Smooth(const HeadImage * image, double deviation)
{
  const auto filter = itk::SmoothingRecursiveGaussianImageFilter<HeadImage, HeadImage>::New();
  filter->SetInput(image);
  filter->SetSigma(deviation);
  filter->Update();
  return filter->GetOutput();
}

HeadImage::Pointer
Cut(const HeadImage * image, double fraction, bool isAbove)
{
  const itk::ImageRegion<3> box = HeadBox(image);
  const auto                cut = static_cast<itk::IndexValueType>(fraction * static_cast<double>(box.GetSize(2)));
  const itk::IndexValueType size = static_cast<itk::IndexValueType>(image->GetBufferedRegion().GetSize(2));
  const itk::IndexValueType first = isAbove ? 0 : box.GetIndex(2) + cut;
  const itk::IndexValueType end = isAbove ? box.GetUpperIndex()[2] + 1 - cut : size;
  itk::ImageRegion<3>       kept = image->GetBufferedRegion();
  kept.SetIndex(2, first);
  kept.SetSize(2, static_cast<itk::SizeValueType>(end - first));
  const auto filter = itk::RegionOfInterestImageFilter<HeadImage, HeadImage>::New();
  filter->SetInput(image);
  filter->SetRegionOfInterest(kept);
  filter->Update();
  return filter->GetOutput();
}

HeadImage::Pointer
OnRotatedGrid(const HeadImage * image, Random & random)
{
  constexpr double degree = 3.14159265358979323846 / 180.0;
  constexpr double angle = 3.0 * degree;
  constexpr double margin = 12.0; // mm; 3 degrees are 11 mm at 150 mm from the center, with a voxel's shift
  const auto       pose = itk::Euler3DTransform<double>::New();
  const double     x = random.Uniform(-angle, angle);
  const double     y = random.Uniform(-angle, angle);
  pose->SetRotation(x, y, random.Uniform(-angle, angle));

  itk::Size<3>                    size = image->GetBufferedRegion().GetSize();
  itk::ContinuousIndex<double, 3> center;
  itk::ContinuousIndex<double, 3> shifted;
  const auto                      planes = static_cast<itk::SizeValueType>(std::ceil(margin / image->GetSpacing()[2]));
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    center[axis] = 0.5 * (static_cast<double>(size[axis]) - 1.0);
    shifted[axis] = center[axis] + random.Uniform(-1.0, 1.0);
  }
  size[2] -= std::min(size[2], 2 * planes);
  const HeadImage::DirectionType direction = pose->GetMatrix() * image->GetDirection();
  itk::Point<double, 3>          origin;
  image->TransformContinuousIndexToPhysicalPoint(shifted, origin);
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    const double half = 0.5 * (static_cast<double>(size[axis]) - 1.0) * image->GetSpacing()[axis];
    for (unsigned int row = 0; row < 3; ++row)
    {
      origin[row] -= direction(row, axis) * half;
    }
  }

  const auto interpolator = itk::BSplineInterpolateImageFunction<HeadImage>::New();
  interpolator->SetSplineOrder(5);
  const auto extrapolator = itk::NearestNeighborExtrapolateImageFunction<HeadImage, double>::New();
  const auto filter = itk::ResampleImageFilter<HeadImage, HeadImage>::New();
  filter->SetInput(image);
  filter->SetInterpolator(interpolator);
  filter->SetExtrapolator(extrapolator);
  filter->SetSize(size);
  filter->SetOutputSpacing(image->GetSpacing());
  filter->SetOutputOrigin(origin);
  filter->SetOutputDirection(direction);
  filter->Update();
  return filter->GetOutput();
}

void
AddBias(HeadImage * image, double range, Random & random)
{
  // A sum of cosines of up to a wave over the image, along three directions.
  constexpr double pi = 3.14159265358979323846;
  struct Wave
  {
    Point  turns;
    double phase;
  };
  std::array<Wave, 3> waves;
  for (Wave & wave : waves)
  {
    for (double & turn : wave.turns)
    {
      turn = random.Uniform(-2.0 * pi, 2.0 * pi);
    }
    wave.phase = random.Uniform(0.0, 2.0 * pi);
  }
  const itk::Size<3> size = image->GetBufferedRegion().GetSize();
  std::vector<float> field;
  for (itk::ImageRegionConstIteratorWithIndex<HeadImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    double sum = 0.0;
    for (const Wave & wave : waves)
    {
      double angle = wave.phase;
      for (unsigned int axis = 0; axis < 3; ++axis)
      {
        angle += wave.turns[axis] * static_cast<double>(it.GetIndex()[axis]) / static_cast<double>(size[axis]);
      }
      sum += std::cos(angle);
    }
    field.push_back(static_cast<float>(sum));
  }
  const auto [least, most] = std::minmax_element(field.begin(), field.end());
  for (std::size_t voxel = 0; voxel < field.size(); ++voxel)
  {
    const double place = (field[voxel] - *least) / (*most - *least); // 0 to 1
    image->GetBufferPointer()[voxel] *= static_cast<float>(1.0 + range * (place - 0.5));
  }
}

void
AddNoise(HeadImage * image, double deviation, Random & random)
{
  if (deviation == 0.0)
  {
    return;
  }
  for (itk::ImageRegionIterator<HeadImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    const double real = it.Get() + deviation * random.Normal();
    it.Set(static_cast<float>(std::hypot(real, deviation * random.Normal())));
  }
}
