// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageDescription.h"

#include <algorithm>
#include <functional>
#include <numeric>

std::size_t
ImageDescription::GetNumberOfVoxels() const
{
  return std::accumulate(size.begin(), size.end(), std::size_t{ 1 }, std::multiplies<>());
}

ImageGeometry
GeometryOf(const ImageDescription & image)
{
  ImageGeometry geometry;
  for (unsigned int axis = 0; axis < image.dimension; ++axis)
  {
    geometry.spacing[axis] = image.spacing[axis];
    geometry.origin[axis] = image.origin[axis];
    for (unsigned int column = 0; column < image.dimension; ++column)
    {
      geometry.direction[axis][column] = image.direction[axis * image.dimension + column];
    }
  }
  return geometry;
}

void
SetGeometry(ImageDescription & image, const ImageGeometry & geometry)
{
  const unsigned int axes = image.dimension;
  image.spacing.assign(axes, 1.0);
  image.origin.assign(axes, 0.0);
  image.direction.assign(axes * axes, 0.0);
  for (unsigned int axis = 0; axis < axes; ++axis)
  {
    image.direction[axis * axes + axis] = 1.0;
  }
  for (unsigned int axis = 0; axis < std::min(axes, 3u); ++axis)
  {
    image.spacing[axis] = geometry.spacing[axis];
    image.origin[axis] = geometry.origin[axis];
    for (unsigned int column = 0; column < std::min(axes, 3u); ++column)
    {
      image.direction[axis * axes + column] = geometry.direction[axis][column];
    }
  }
}
