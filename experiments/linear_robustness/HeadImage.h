// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef HeadImage_h
#define HeadImage_h

#include "cudaneuro/Geometry.h"
#include "itkImage.h"

#include <array>
#include <cstdint>
#include <random>
#include <string>

/** Images of heads, and what makes them worse. */

using HeadImage = itk::Image<float, 3>;

/** A point in mm. */
using Point = std::array<double, 3>;

/** The corners of the box around a head, in mm. */
using Corners = std::array<Point, 8>;

/** The same numbers on every machine, as those of the standard library's distributions are not. */
class Random
{
public:
  explicit Random(std::uint64_t seed)
    : m_Bits(seed)
  {}
  double
  Uniform(double least, double most);
  /** Of standard deviation 1. */
  double
  Normal();

private:
  std::mt19937_64 m_Bits;
};

HeadImage::Pointer
ReadHead(const std::string & path);

cudaneuro::Geometry
GeometryOf(const HeadImage * image);

/** The mean intensity of bright tissue: the 90 % quantile of the voxels of the head. */
double
BrightTissue(const HeadImage * image);

/** The box of the planes of which at least 1 % is head: brighter than a fifth of bright tissue. */
itk::ImageRegion<3>
HeadBox(const HeadImage * image);
Corners
CornersOf(const HeadImage * image, const itk::ImageRegion<3> & box);

/** Means of blocks of voxels. */
HeadImage::Pointer
Shrink(const HeadImage * image, unsigned int factor);

HeadImage::Pointer
Smooth(const HeadImage * image, double deviation);

/** Leaves out the planes of the third axis that hold a fraction of the head's height, at its lower or its upper end,
 * and those beyond. */
HeadImage::Pointer
Cut(const HeadImage * image, double fraction, bool isAbove);

/** Sees the image on a grid that is rotated by up to 3 degrees about each axis and shifted by up to a voxel, by
 * B-splines of order 5. Of its third axis, 12 mm are left out at both ends, so that no voxel of a head that reaches the
 * last plane is outside the image. */
HeadImage::Pointer
OnRotatedGrid(const HeadImage * image, Random & random);

/** Multiplies by a smooth field whose values go from 1 - range / 2 to 1 + range / 2. */
void
AddBias(HeadImage * image, double range, Random & random);

/** Makes magnitudes of complex values whose parts have Gaussian noise of a standard deviation, which is Rician
 * noise. */
void
AddNoise(HeadImage * image, double deviation, Random & random);

#endif
