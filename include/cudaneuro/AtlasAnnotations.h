// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_AtlasAnnotations_h
#define cudaneuro_AtlasAnnotations_h

#include "cudaneuro/DisplacementField.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

/** \file
 * Labels and points of the images of an atlas, which do not move the maps, and which the maps carry to the template. */
namespace cudaneuro
{

/** A map of labels of one image of an atlas. */
struct AtlasLabels
{
  /** For messages; for example the file's name. */
  std::string name;
  /** May be another than the image's. */
  Geometry geometry;
  /** UnsignedChar or UnsignedShort: codes up to 65533, which mean the same in all images. */
  ConstVolume labels;
  /** As AtlasImage has them, to points of the map of labels. */
  AffineMap  transform;
  ConstField transformField;
};

/** What the labels of the images say of the template; each is optional, on the grid of the template. */
struct AtlasLabelOutputs
{
  /** UnsignedShort: the label that most images have at the voxel, and of equally frequent ones the smallest; 0 where no
   * image has any. */
  Volume labels;
  /** The share of that label, 0 to 1: the weight of the images that have it, by the weight of all that have a label at
   * the voxel; 0 where none has. */
  Volume probability;
};

/** Points of one image of an atlas, such as landmarks. Points of the same number are the same place in all images. */
struct AtlasPoints
{
  /** For messages; for example the file's name. */
  std::string name;
  /** That of the image: points outside it are left out. */
  Geometry geometry;
  /** In mm; the third coordinate is 0 in 2D. */
  std::vector<std::array<double, 3>> positions;
  /** The number of each, from 0 to largestPointNumber; where it is empty they are 0, 1, 2 and so on. */
  std::vector<int> numbers;
  /** As AtlasImage has them. */
  AffineMap  transform;
  ConstField transformField;
};

/** The largest number of a point. */
constexpr int largestPointNumber = (1 << 24) - 1;

/** The numbers of the points of an image that are left out, increasing. */
struct AtlasPointsResult
{
  /** Those outside the grid of the image. */
  std::vector<int> outsideImage;
  /** Those to which the map leads from no point of the template's grid. */
  std::vector<int> outsideTemplate;
};

/** Where the images of an atlas have a point on its template. */
struct AtlasPoint
{
  /** The images that have it, and whose weight is not 0. The rest is NaN where there is none. */
  int numberOfImages = 0;
  /** The weighted mean, in mm. */
  std::array<double, 3> position{};
  /** The weighted mean of the products of deviations from it, in mm^2: a matrix by rows. */
  std::array<double, 9> covariance{};

  /** The root of the weighted mean of squared distances from the position, in mm. */
  double
  GetSpread() const
  {
    return std::sqrt(covariance[0] + covariance[4] + covariance[8]);
  }
};

} // namespace cudaneuro

#endif
