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
 * What a registration may compare besides two images: further channels, which are pairs of images of the same two
 * heads by other contrasts, pairs of points, and two maps of labels. */
namespace cudaneuro
{

/** The most channels of a registration, the first one included. */
constexpr int maximumNumberOfChannels = 8;

/** The largest code of a label: the two above it stand for no label and for several. */
constexpr int largestLabelCode = 65533;

/** How the images of a channel after the first one are compared; Describe says what each member is. */
struct ChannelParameters
{
  double             weight = 1.0;
  RegistrationMetric metric = RegistrationMetric::MeanSquares;
  int                correlationRadius = 3;
  int                numberOfHistogramBins = 32;
  bool               matchIntensities = false;
};

/** What the weights of all channels have in common: the energy of the images is the mean of the channels' energies
 * with these weights, so that it does not grow with the number of channels. */
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
                         Parameter(&P::metric, "Metric", "", "What makes the images of the channel alike"),
                         DescribeCorrelationRadius<P>(),
                         DescribeHistogramBins<P>(),
                         DescribeMatchIntensities<P>());
}

/** The images of a channel after the first one. They may have grids of their own, and are resampled once on those of
 * the registration. */
struct ChannelImages
{
  Geometry    fixedGeometry;
  ConstVolume fixedImage;
  /** Optional, UnsignedChar, on the grid of the channel's image: as the masks of RegistrationImages. */
  ConstVolume fixedMask;
  /** From points of the first channel's fixed image to points of this one's, as a linear registration of the former
   * with the latter finds it. */
  AffineMap   fixedTransform;
  Geometry    movingGeometry;
  ConstVolume movingImage;
  ConstVolume movingMask;
  /** From points of the first channel's moving image to points of this one's. */
  AffineMap movingTransform;
};

/** Pairs of points, such as landmarks: fixed[k] and moving[k] are the same place in the two heads. */
struct PointPairs
{
  /** In mm; the third coordinate is 0 in 2D. */
  std::vector<std::array<double, 3>> fixed;
  std::vector<std::array<double, 3>> moving;
  /** How far a pair may be off, in mm: one value for all, or one a pair. */
  std::vector<double> standardDeviations{ 1.0 };
  /** Whether there are none. */
  bool
  IsEmpty() const
  {
    return fixed.empty() && moving.empty();
  }
};

/** A map of labels of each head. A label is a code up to largestLabelCode: 0 for "no label", and the others as the
 * caller numbers them. */
struct LabelPair
{
  Geometry fixedGeometry;
  /** UnsignedChar or UnsignedShort. */
  ConstVolume fixed;
  /** From points of the fixed image to points of its map of labels. */
  AffineMap   fixedTransform;
  Geometry    movingGeometry;
  ConstVolume moving;
  /** From points of the moving image to points of its map of labels. */
  AffineMap movingTransform;
  /** The weight of each code, from 0 on; codes beyond its end have weight 0. Where it is empty, 0 has weight 0 and all
   * others have weight 1. */
  std::vector<double> weights;
  /** Whether there are none. */
  bool
  IsEmpty() const
  {
    return fixed.data == nullptr && moving.data == nullptr;
  }
};

} // namespace cudaneuro

#endif
