// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_LinearLevel_h
#define cudaneuro_linear_LinearLevel_h

#include "cudaneuro/LinearMetric.h"
#include "cudaneuro/LinearRegistration.h"
#include "images/ChannelResampling.h"
#include "images/ValidImage.h"
#include "linear/ChannelMetric.h"
#include "linear/head/HeadDepth.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudaneuro
{

/** Whether voxels' depths in the head are computed: the weights of the first channel's voxels apply to all channels. */
enum class ImageDepth
{
  None,
  Computed
};

/** An image of a registration and its mask, in memory of the context's device. */
class LinearImage
{
public:
  /** Uploads and converts volumes unless they are in memory of the device as required.
   * \throws InvalidParameterError for an image that cannot be registered */
  LinearImage(Context &           context,
              const std::string & name,
              const Geometry &    geometry,
              const ConstVolume & image,
              const ConstVolume & mask,
              bool                repairOutliers,
              ImageDepth          depth = ImageDepth::Computed);

  /** The image, with outliers repaired if that is requested. */
  ConstVolume
  GetImage() const
  {
    return { m_Valid.Image(), PixelType::Float, m_Space };
  }
  /** The mask, without voxels that are infinite or NaN; absent where all voxels are valid. */
  ConstVolume
  GetMask() const
  {
    return { m_Valid.Mask(), PixelType::UnsignedChar, m_Space };
  }
  /** Whether the caller gave a mask. */
  bool
  HasMask() const
  {
    return m_Valid.HasMask();
  }
  std::int64_t
  GetNumberOfOutliers() const
  {
    return m_Valid.GetNumberOfOutliers();
  }
  /** The volume inside the mask, in mm^3; in 2D the area, in mm^2. */
  double
  GetSize() const
  {
    return m_Size;
  }

  const HeadDepth &
  GetDepth() const
  {
    return *m_Depth;
  }

private:
  FloatInput               m_Image;
  ValidImage               m_Valid;
  MemorySpace              m_Space;
  std::optional<HeadDepth> m_Depth;
  double                   m_Size = 0.0;
};

/** The channels after the first one, resampled on the grids of the first one. */
class ResampledChannels
{
public:
  /** \param shares of all channels; channels without a share are omitted */
  ResampledChannels(Context & context, const LinearMetricImages & images, const std::vector<double> & shares);

  /** The images with these channels; the volumes of omitted ones are absent. */
  const LinearMetricImages &
  GetImages() const
  {
    return m_Images;
  }

private:
  LinearMetricImages           m_Images;
  std::vector<ResampledVolume> m_Volumes;
};

/** The images of a channel after the first one, on the grids of the first one. */
class LinearChannel
{
public:
  LinearChannel(Context &                  context,
                const LinearMetricImages & first,
                const ChannelImages &      channel,
                bool                       repairOutliers);

  const LinearImage &
  GetFixed() const
  {
    return m_Fixed;
  }
  const LinearImage &
  GetMoving() const
  {
    return m_Moving;
  }

private:
  LinearImage m_Fixed;
  LinearImage m_Moving;
};

/** The images of all channels of a registration. */
class LinearImages
{
public:
  /** \param images channels after the first one are on its grids, and their geometries are ignored
   * \param shares of the channels; channels after the first one without a share may be absent */
  LinearImages(Context &                   context,
               const LinearMetricImages &  images,
               bool                        repairOutliers,
               const std::vector<double> & shares = { 1.0 });

  /** The volumes of the first channel, in memory of the context's device. */
  const LinearMetricImages &
  GetVolumes() const
  {
    return m_Volumes;
  }
  const LinearImage &
  GetFixed() const
  {
    return m_Fixed;
  }
  const LinearImage &
  GetMoving() const
  {
    return m_Moving;
  }
  /** The shares of the channels, beginning with the first one. */
  const std::vector<double> &
  GetShares() const
  {
    return m_Shares;
  }
  /** A channel after the first one, numbered from 1; null if it has no share. */
  const LinearChannel *
  GetFurther(std::size_t channel) const
  {
    return m_Further[channel - 1].get();
  }

private:
  LinearImage                                 m_Fixed;
  LinearImage                                 m_Moving;
  LinearMetricImages                          m_Volumes;
  std::vector<double>                         m_Shares;
  std::vector<std::unique_ptr<LinearChannel>> m_Further;
};

/** The images at one resolution, and the metric of maps there. */
struct LinearLevel
{
  /** The first channel, with the weights of voxels, which apply to all channels. */
  LinearMetricImages        images;
  std::vector<DeviceMemory> memory;
  /** Side, in mm, of a cube (in 2D, a square) with the volume of a voxel of the fixed image. */
  double                         voxel = 1.0;
  std::unique_ptr<ChannelMetric> metric;
};

/** The part of the images that a level has. */
enum class LevelPart
{
  Whole,
  /** The box around the head, for weights of depth, which are 0 outside of it. */
  Head
};

/** Shrinks the images: the fixed image by the factors, the moving image to about the same resolution. No axis becomes
 * shorter than 16 voxels, or 32 in 2D.
 * \param parameters of each channel
 * \param weighting not Automatic */
LinearLevel
MakeLinearLevel(Context &                                   context,
                const std::vector<LinearMetricParameters> & parameters,
                const LinearImages &                        images,
                const std::array<int, 3> &                  factors,
                VoxelWeighting                              weighting,
                LevelPart                                   part = LevelPart::Whole);

} // namespace cudaneuro

#endif
