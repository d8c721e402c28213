// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_RegistrationTerms_h
#define cudaneuro_RegistrationTerms_h

#include "cudaneuro/Geometry.h"
#include "cudaneuro/Parameters.h"
#include "cudaneuro/RegistrationMetric.h"
#include "cudaneuro/Volume.h"

#include <array>
#include <vector>

/** \file
 * Terms of a registration besides two images: further channels, which are pairs of images of the same two heads in
 * other contrasts, pairs of points, and two maps of labels. */
namespace cudaneuro
{

/** The maximum number of channels of a registration, the first one included. */
constexpr int maximumNumberOfChannels = 8;

/** The largest code of a label: of the two larger ones, one stands for no label and one for several. */
constexpr int largestLabelCode = 65533;

/** How the images of a channel after the first one are compared; Describe lists units, meanings and ranges. */
struct ChannelParameters
{
  double             weight = 1.0;
  RegistrationMetric metric = RegistrationMetric::MeanSquares;
  int                correlationRadius = 3;
  int                numberOfHistogramBins = 32;
  bool               matchIntensities = false;
};

/** The row of a channel's weight: the energy of the images is the mean of the channels' energies with these weights, so
 * that it does not grow with the number of channels. */
template <typename P>
constexpr auto
DescribeChannelWeight(double P::*weight, const char * name)
{
  return Parameter(weight, name, "", "Weight of the channel in the mean of all channels' energies", Between(0.0, 1e6));
}

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const ChannelParameters &)
{
  using P = ChannelParameters;
  return std::make_tuple(DescribeChannelWeight(&P::weight, "Weight"),
                         Parameter(&P::metric, "Metric", "", "Similarity metric of the channel's images"),
                         DescribeCorrelationRadius<P>(),
                         DescribeHistogramBins<P>(),
                         DescribeMatchIntensities<P>());
}

/** The images of a channel after the first one. Their grids may differ from the first channel's; they are resampled
 * once to the grids of the registration. */
struct ChannelImages
{
  Geometry    fixedGeometry;
  ConstVolume fixedImage;
  /** Optional, UnsignedChar, on the grid of the channel's image, as RegistrationImages::fixedMask. */
  ConstVolume fixedMask;
  /** Maps points of the first channel's fixed image to points of this one's, as found by a linear registration with the
   * former as the fixed image. */
  AffineMap   fixedTransform;
  Geometry    movingGeometry;
  ConstVolume movingImage;
  ConstVolume movingMask;
  /** Maps points of the first channel's moving image to points of this one's. */
  AffineMap movingTransform;
};

/** Pairs of points, such as landmarks: fixed[k] and moving[k] are the same place in the two heads. */
struct PointPairs
{
  /** Positions in mm; the third coordinate is 0 in 2D. */
  std::vector<std::array<double, 3>> fixed;
  std::vector<std::array<double, 3>> moving;
  /** Standard deviation of the distance of a pair, in mm: one value for all, or one for each pair. */
  std::vector<double> standardDeviations{ 1.0 };
  /** Whether there are no pairs. */
  bool
  IsEmpty() const
  {
    return fixed.empty() && moving.empty();
  }
};

/** A map of labels of each head. A label is a code up to largestLabelCode: 0 means "no label", and the caller assigns
 * the others. */
struct LabelPair
{
  Geometry fixedGeometry;
  /** Codes of type UnsignedChar or UnsignedShort. */
  ConstVolume fixed;
  /** Maps points of the fixed image to points of its map of labels. */
  AffineMap   fixedTransform;
  Geometry    movingGeometry;
  ConstVolume moving;
  /** Maps points of the moving image to points of its map of labels. */
  AffineMap movingTransform;
  /** The weight of each code, from 0 on; codes beyond its end have weight 0. Where it is empty, 0 has weight 0 and all
   * others have weight 1. */
  std::vector<double> weights;
  /** Whether there are no labels. */
  bool
  IsEmpty() const
  {
    return fixed.data == nullptr && moving.data == nullptr;
  }
};

} // namespace cudaneuro

#endif
