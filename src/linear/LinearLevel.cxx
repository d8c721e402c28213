// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearLevel.h"

#include "linear/LinearMetricChecks.h"
#include "linear/VoxelWeights.h"

#include <iterator>

namespace cudaneuro
{

namespace
{

/** Takes away a mask that the caller did not give, and makes the voxels outside of it NaN, in a copy that is
 * returned: a metric ends an image's background where it gets a mask. */
DeviceMemory
TakeMaskAway(Context & context, const LinearImage & whole, const Grid & grid, ConstVolume & image, ConstVolume & mask)
{
  if (whole.HasMask() || mask.data == nullptr)
  {
    return {};
  }
  DeviceMemory inside = CopyInsideMask(context, grid, image, mask);
  image.data = inside.Data();
  mask = {};
  return inside;
}

std::unique_ptr<LinearMetric>
MakeMetric(Context &                      context,
           const LinearMetricParameters & parameters,
           const LinearImages &           whole,
           LinearMetricImages             images)
{
  const DeviceMemory fixed =
    TakeMaskAway(context, whole.GetFixed(), images.fixedGeometry.grid, images.fixedImage, images.fixedMask);
  const DeviceMemory moving =
    TakeMaskAway(context, whole.GetMoving(), images.movingGeometry.grid, images.movingImage, images.movingMask);
  return std::make_unique<LinearMetric>(context, parameters, images);
}

} // namespace

LinearImage::LinearImage(Context &           context,
                         const std::string & name,
                         const Geometry &    geometry,
                         const ConstVolume & image,
                         const ConstVolume & mask,
                         bool                repairOutliers)
  : m_Image(context, geometry.grid, image)
  , m_Valid(context, name, geometry.grid, m_Image.Data(), mask, repairOutliers)
  , m_Space(MemorySpaceOf(context))
{
  RequireContrast(name, m_Valid);
  m_Depth.emplace(context, geometry, this->GetImage(), this->GetMask());
  m_Size = VoxelSize(geometry.grid) * static_cast<double>(m_Valid.GetStatistics().count);
}

LinearImages::LinearImages(Context & context, const LinearMetricImages & images, bool repairOutliers)
  : m_Fixed(context, "fixed image", images.fixedGeometry, images.fixedImage, images.fixedMask, repairOutliers)
  , m_Moving(context, "moving image", images.movingGeometry, images.movingImage, images.movingMask, repairOutliers)
  , m_Volumes{ images.fixedGeometry,
               m_Fixed.GetImage(),
               m_Fixed.GetMask(),
               images.movingGeometry,
               m_Moving.GetImage(),
               m_Moving.GetMask(),
               {},
               {} }
{}

LinearLevel
MakeLinearLevel(Context &                      context,
                const LinearMetricParameters & parameters,
                const LinearImages &           images,
                const std::array<int, 3> &     factors,
                VoxelWeighting                 weighting,
                LevelPart                      part)
{
  const LinearMetricImages & whole = images.GetVolumes();
  const Grid &               fixedGrid = whole.fixedGeometry.grid;
  ShrunkImage                fixed = ShrinkInsideMask(
    context, whole.fixedGeometry, whole.fixedImage, whole.fixedMask, LimitedFactors(fixedGrid, factors));
  LinearLevel level;
  level.voxel = VoxelSide(fixed.geometry.grid);
  ShrunkImage moving = ShrinkInsideMask(context,
                                        whole.movingGeometry,
                                        whole.movingImage,
                                        whole.movingMask,
                                        FactorsFor(whole.movingGeometry.grid, level.voxel));
  if (part == LevelPart::Head)
  {
    fixed = TakePart(context, fixed, images.GetFixed().GetDepth().PartWithHead(fixed.geometry));
    moving = TakePart(context, moving, images.GetMoving().GetDepth().PartWithHead(moving.geometry));
  }
  level.images = { fixed.geometry, fixed.image, fixed.mask, moving.geometry, moving.image, moving.mask, {}, {} };
  std::move(fixed.memory.begin(), fixed.memory.end(), std::back_inserter(level.memory));
  std::move(moving.memory.begin(), moving.memory.end(), std::back_inserter(level.memory));
  if (weighting != VoxelWeighting::Uniform)
  {
    const auto weigh = [&](const LinearImage & image, const Geometry & geometry) {
      level.memory.push_back(MakeVoxelWeights(context, image.GetDepth(), weighting, geometry));
      return ConstVolume{ level.memory.back().Data(), PixelType::UnsignedChar, MemorySpaceOf(context) };
    };
    level.images.fixedWeights = weigh(images.GetFixed(), fixed.geometry);
    level.images.movingWeights = weigh(images.GetMoving(), moving.geometry);
  }
  // Outliers of the whole images are repaired already.
  LinearMetricParameters ofLevel = parameters;
  ofLevel.repairOutliers = false;
  level.metric = MakeMetric(context, ofLevel, images, level.images);
  return level;
}

} // namespace cudaneuro
