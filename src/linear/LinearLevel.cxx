// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearLevel.h"

#include "cudaneuro/ImageOperations.h"
#include "images/ChannelChecks.h"
#include "images/VoxelSize.h"
#include "linear/LinearMetricChecks.h"
#include "linear/head/VoxelWeights.h"

#include <iterator>
#include <tuple>
#include <utility>

namespace cudaneuro
{

namespace
{

/** Removes a mask that the caller did not give, and returns a copy of the image that is NaN outside of it: a metric
 * does not extend the background of an image that has a mask. */
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

/** The metric of a channel on its images at a level.
 * \param ofLevel the volumes; weights are used only if the metric accepts them */
std::unique_ptr<LinearMetric>
MakeMetric(Context &              context,
           LinearMetricParameters parameters,
           const LinearImage &    wholeFixed,
           const LinearImage &    wholeMoving,
           LinearMetricImages     ofLevel)
{
  // Outliers have been repaired in the whole images.
  parameters.repairOutliers = false;
  if (!TakesWeights(parameters.metric))
  {
    ofLevel.fixedWeights = ofLevel.movingWeights = {};
  }
  const DeviceMemory fixed =
    TakeMaskAway(context, wholeFixed, ofLevel.fixedGeometry.grid, ofLevel.fixedImage, ofLevel.fixedMask);
  const DeviceMemory moving =
    TakeMaskAway(context, wholeMoving, ofLevel.movingGeometry.grid, ofLevel.movingImage, ofLevel.movingMask);
  return std::make_unique<LinearMetric>(context, parameters, ofLevel);
}

/** Which voxels of the registration's grids a level has. */
struct LevelShape
{
  std::array<int, 3> fixedFactors;
  std::array<int, 3> movingFactors;
  LevelPart          part;
};

/** Shrinks the images of a channel to a level, which owns their memory. The result has no weights.
 * \param images those of the registration, whose first channel has the grids and the head */
LinearMetricImages
ShrinkChannel(Context &            context,
              const LinearImages & images,
              const LinearImage &  fixed,
              const LinearImage &  moving,
              const LevelShape &   shape,
              LinearLevel &        level)
{
  const auto shrink =
    [&](const LinearImage & image, const LinearImage & first, const Geometry & geometry, const auto & factors) {
      ShrunkImage shrunk = ShrinkInsideMask(context, geometry, image.GetImage(), image.GetMask(), factors);
      if (shape.part == LevelPart::Head)
      {
        shrunk = TakePart(context, shrunk, first.GetDepth().PartWithHead(shrunk.geometry));
      }
      std::move(shrunk.memory.begin(), shrunk.memory.end(), std::back_inserter(level.memory));
      return shrunk;
    };
  const LinearMetricImages & whole = images.GetVolumes();
  const ShrunkImage          ofFixed = shrink(fixed, images.GetFixed(), whole.fixedGeometry, shape.fixedFactors);
  const ShrunkImage          ofMoving = shrink(moving, images.GetMoving(), whole.movingGeometry, shape.movingFactors);
  LinearMetricImages         shrunk;
  shrunk.fixedGeometry = ofFixed.geometry;
  shrunk.fixedImage = ofFixed.image;
  shrunk.fixedMask = ofFixed.mask;
  shrunk.movingGeometry = ofMoving.geometry;
  shrunk.movingImage = ofMoving.image;
  shrunk.movingMask = ofMoving.mask;
  return shrunk;
}

/** Adds the metrics of the channels after the first one. */
void
AddFurtherMetrics(Context &                                   context,
                  const std::vector<LinearMetricParameters> & parameters,
                  const LinearImages &                        images,
                  const LevelShape &                          shape,
                  LinearLevel &                               level)
{
  for (std::size_t c = 1; c < images.GetShares().size(); ++c)
  {
    std::unique_ptr<LinearMetric> metric;
    if (const LinearChannel * const channel = images.GetFurther(c))
    {
      InChannel(c, [&] {
        LinearMetricImages ofLevel =
          ShrinkChannel(context, images, channel->GetFixed(), channel->GetMoving(), shape, level);
        ofLevel.fixedWeights = level.images.fixedWeights;
        ofLevel.movingWeights = level.images.movingWeights;
        metric = MakeMetric(context, parameters[c], channel->GetFixed(), channel->GetMoving(), ofLevel);
      });
    }
    level.metric->Add(images.GetShares()[c], std::move(metric));
  }
}

} // namespace

LinearImage::LinearImage(Context &           context,
                         const std::string & name,
                         const Geometry &    geometry,
                         const ConstVolume & image,
                         const ConstVolume & mask,
                         bool                repairOutliers,
                         ImageDepth          depth)
  : m_Image(context, geometry.grid, image)
  , m_Valid(context, name, geometry.grid, m_Image.Data(), mask, repairOutliers)
  , m_Space(MemorySpaceOf(context))
{
  RequireContrast(name, m_Valid);
  if (depth == ImageDepth::Computed)
  {
    m_Depth.emplace(context, geometry, this->GetImage(), this->GetMask());
  }
  m_Size = VoxelSize(geometry.grid) * static_cast<double>(m_Valid.GetStatistics().count);
}

ResampledChannels::ResampledChannels(Context &                   context,
                                     const LinearMetricImages &  images,
                                     const std::vector<double> & shares)
  : m_Images(images)
{
  for (std::size_t i = 0; i < images.furtherChannels.size(); ++i)
  {
    const ChannelImages & given = images.furtherChannels[i];
    ChannelImages &       channel = m_Images.furtherChannels[i];
    channel = ChannelImages();
    channel.fixedGeometry = images.fixedGeometry;
    channel.movingGeometry = images.movingGeometry;
    if (!(shares[i + 1] > 0.0))
    {
      continue;
    }
    InChannel(i + 1, [&] {
      const auto resample =
        [&](const char * name, const ChannelVolume & volume, const AffineMap & transform, const Geometry & grid) {
          m_Volumes.push_back(ResampleChannel(context, name, volume, transform, grid));
          return std::pair{ m_Volumes.back().image, m_Volumes.back().mask };
        };
      std::tie(channel.fixedImage, channel.fixedMask) =
        resample("fixed image",
                 { given.fixedGeometry, given.fixedImage, given.fixedMask },
                 given.fixedTransform,
                 images.fixedGeometry);
      std::tie(channel.movingImage, channel.movingMask) =
        resample("moving image",
                 { given.movingGeometry, given.movingImage, given.movingMask },
                 given.movingTransform,
                 images.movingGeometry);
    });
  }
}

LinearChannel::LinearChannel(Context &                  context,
                             const LinearMetricImages & first,
                             const ChannelImages &      channel,
                             bool                       repairOutliers)
  : m_Fixed(context,
            "fixed image",
            first.fixedGeometry,
            channel.fixedImage,
            channel.fixedMask,
            repairOutliers,
            ImageDepth::None)
  , m_Moving(context,
             "moving image",
             first.movingGeometry,
             channel.movingImage,
             channel.movingMask,
             repairOutliers,
             ImageDepth::None)
{}

LinearImages::LinearImages(Context &                   context,
                           const LinearMetricImages &  images,
                           bool                        repairOutliers,
                           const std::vector<double> & shares)
  : m_Fixed(context, "fixed image", images.fixedGeometry, images.fixedImage, images.fixedMask, repairOutliers)
  , m_Moving(context, "moving image", images.movingGeometry, images.movingImage, images.movingMask, repairOutliers)
  , m_Shares(shares)
  , m_Further(images.furtherChannels.size())
{
  m_Volumes.fixedGeometry = images.fixedGeometry;
  m_Volumes.fixedImage = m_Fixed.GetImage();
  m_Volumes.fixedMask = m_Fixed.GetMask();
  m_Volumes.movingGeometry = images.movingGeometry;
  m_Volumes.movingImage = m_Moving.GetImage();
  m_Volumes.movingMask = m_Moving.GetMask();
  for (std::size_t i = 0; i < m_Further.size(); ++i)
  {
    if (shares[i + 1] > 0.0)
    {
      InChannel(i + 1, [&] {
        m_Further[i] = std::make_unique<LinearChannel>(context, images, images.furtherChannels[i], repairOutliers);
      });
    }
  }
}

LinearLevel
MakeLinearLevel(Context &                                   context,
                const std::vector<LinearMetricParameters> & parameters,
                const LinearImages &                        images,
                const std::array<int, 3> &                  factors,
                VoxelWeighting                              weighting,
                LevelPart                                   part)
{
  const LinearMetricImages & whole = images.GetVolumes();
  LevelShape                 shape;
  shape.fixedFactors = LimitedFactors(whole.fixedGeometry.grid, factors);
  LinearLevel level;
  level.voxel = VoxelSide(ShrunkGeometry(whole.fixedGeometry, shape.fixedFactors).grid);
  shape.movingFactors = FactorsFor(whole.movingGeometry.grid, level.voxel);
  shape.part = part;
  level.images = ShrinkChannel(context, images, images.GetFixed(), images.GetMoving(), shape, level);
  if (weighting != VoxelWeighting::Uniform)
  {
    const auto weigh = [&](const LinearImage & image, const Geometry & geometry) {
      level.memory.push_back(MakeVoxelWeights(context, image.GetDepth(), weighting, geometry));
      return ConstVolume{ level.memory.back().Data(), PixelType::UnsignedChar, MemorySpaceOf(context) };
    };
    level.images.fixedWeights = weigh(images.GetFixed(), level.images.fixedGeometry);
    level.images.movingWeights = weigh(images.GetMoving(), level.images.movingGeometry);
  }
  level.metric = std::make_unique<ChannelMetric>();
  level.metric->Add(images.GetShares()[0],
                    MakeMetric(context, parameters[0], images.GetFixed(), images.GetMoving(), level.images));
  AddFurtherMetrics(context, parameters, images, shape, level);
  return level;
}

} // namespace cudaneuro
