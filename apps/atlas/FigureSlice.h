// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_FigureSlice_h
#define apps_atlas_FigureSlice_h

#include "cudaneuro/Geometry.h"

#include <utility>
#include <vector>

/** A slice of a volume for a figure. */
struct FigureSlice
{
  int    width = 0;
  int    height = 0;
  double widthInMillimeters = 0.0;
  double heightInMillimeters = 0.0;
  /** Column after column, each from the bottom to the top. */
  std::vector<float> values;
};

/** The middle slices across each axis, or the one of a 2D image. Along every axis the direction of space that it is
 * nearest to increases towards the right or the top: the left of the body is right, and its head up. */
std::vector<FigureSlice>
GetMiddleSlices(const cudaneuro::Geometry & geometry, const float * voxels);

/** The range of intensities to show: from the least value to the 99.5 % quantile. */
std::pair<double, double>
GetWindow(const float * voxels, std::int64_t count);

#endif
