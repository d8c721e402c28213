// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearQuality.h"

#include "images/ImagePreparation.h"
#include "linear/head/BackgroundSides.h"
#include "linear/head/VoxelWeights.h"
#include "metrics/blocks/BlockAgreement.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

namespace
{

/** Lengths as fractions of the head's scale: 4 mm, 32 mm and 8 mm for an adult's head. */
constexpr double voxelPerScale = 0.1;
constexpr double blockPerScale = 0.8;
constexpr double shiftPerScale = 0.2;

/** An image in the form in which blocks are compared, with its memory. */
struct JudgedImage
{
  ShrunkImage    shrunk;
  DeviceMemory   weights;
  AgreementImage view;
};

JudgedImage
Judge(Context & context, const LinearImage & image, const Geometry & geometry, double scale)
{
  JudgedImage judged;
  judged.shrunk = ShrinkInsideMask(
    context, geometry, image.GetImage(), image.GetMask(), FactorsFor(geometry.grid, voxelPerScale * scale));
  const Geometry & shrunk = judged.shrunk.geometry;
  judged.weights = MakeLinearDepthWeights(context, image.GetDepth(), shrunk);
  AgreementImage & view = judged.view;
  view.extent = ExtentOf(shrunk.grid);
  view.image = static_cast<const float *>(judged.shrunk.image.data);
  view.mask = static_cast<const unsigned char *>(judged.shrunk.mask.data);
  view.weight = static_cast<const float *>(judged.weights.Data());
  view.indexToPoint = IndexToPoint(shrunk);
  if (!image.HasMask())
  {
    const double least = VolumeStatistics(context, NumberOfVoxels(view.extent), view.image, view.mask).minimum;
    view.extended = SidesInBackground(context, view.extent, view.image, view.mask, least);
  }
  return judged;
}

} // namespace

double
QualityOf(Context & context, const LinearImages & images, const AffineMap & map)
{
  const LinearMetricImages & volumes = images.GetVolumes();
  const double      scale = std::min(images.GetFixed().GetDepth().GetScale(), images.GetMoving().GetDepth().GetScale());
  const JudgedImage fixed = Judge(context, images.GetFixed(), volumes.fixedGeometry, scale);
  const JudgedImage moving = Judge(context, images.GetMoving(), volumes.movingGeometry, scale);
  BlockAgreement    agreement(context, fixed.view, moving.view, blockPerScale * scale, shiftPerScale * scale);
  const BlockAgreement::Result result = agreement.Evaluate(map);
  if (result.numberOfBlocks == 0)
  {
    return 0.0;
  }
  const double blocksOfDirection = 0.5 * result.numberOfBlocks;
  const double deviation = std::sqrt(result.agreement * (1.0 - result.agreement) / blocksOfDirection);
  return std::max(0.0, result.agreement - deviation);
}

} // namespace cudaneuro
