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
 * Labels and points of the images of an atlas. They do not influence the maps; the maps carry them to the template. */
namespace cudaneuro
{

/** A map of labels of one image of an atlas. */
struct AtlasLabels
{
  /** The name in messages; for example the file's name. */
  std::string name;
  /** The grid of the labels, which may differ from that of the image. */
  Geometry geometry;
  /** UnsignedChar or UnsignedShort: codes up to 65533, which mean the same in all images. */
  ConstVolume labels;
  /** As in AtlasImage; they map points of the template to points of the map of labels. */
  AffineMap  transform;
  ConstField transformField;
};

/** The labels that the images give the template; each output is optional, on the grid of the template. */
struct AtlasLabelOutputs
{
  /** UnsignedShort: the label with the largest weight of images at the voxel, and of equally frequent ones the
   * smallest; 0 where no image has any. */
  Volume labels;
  /** The fraction of that label, 0 to 1: the weight of the images that have it, divided by the weight of all images
   * that have a label at the voxel; 0 where none has. */
  Volume probability;
};

/** Points of one image of an atlas, such as landmarks. Points of the same number are the same place in all images. */
struct AtlasPoints
{
  /** The name in messages; for example the file's name. */
  std::string name;
  /** The grid of the image; points outside it are left out. */
  Geometry geometry;
  /** In mm; the third coordinate is 0 in 2D. */
  std::vector<std::array<double, 3>> positions;
  /** The number of each point, from 0 to largestPointNumber; an empty list stands for 0, 1, 2 and so on. */
  std::vector<int> numbers;
  /** As in AtlasImage, from the template to the image. */
  AffineMap  transform;
  ConstField transformField;
};

/** The largest number of a point. */
constexpr int largestPointNumber = (1 << 24) - 1;

/** The numbers of the points of an image that are left out, in increasing order. */
struct AtlasPointsResult
{
  /** Points outside the grid of the image. */
  std::vector<int> outsideImage;
  /** Points to which the map leads from no point of the template's grid. */
  std::vector<int> outsideTemplate;
};

/** Position and spread, on the template of an atlas, of a point of its images. */
struct AtlasPoint
{
  /** Number of images of positive weight that have the point. The other members are NaN where it is 0. */
  int numberOfImages = 0;
  /** The weighted mean, in mm. */
  std::array<double, 3> position{};
  /** Weighted covariance of the positions, in mm^2, by rows: the mean products of deviations from the mean. */
  std::array<double, 9> covariance{};

  /** Returns the root of the weighted mean squared distance from the mean position, in mm. */
  double
  GetSpread() const
  {
    return std::sqrt(covariance[0] + covariance[4] + covariance[8]);
  }
};

} // namespace cudaneuro

#endif
