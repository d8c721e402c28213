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

/** Whether the depth of voxels in the head is computed: the weights of the first channel's voxels are those of all. */
enum class ImageDepth
{
  None,
  Computed
};

/** An image of a registration and its mask, in memory of the context's device. */
class LinearImage
{
public:
  /** Uploads and converts what is not there yet.
   * \throws InvalidParameterError for an image that cannot be registered */
  LinearImage(Context &           context,
              const std::string & name,
              const Geometry &    geometry,
              const ConstVolume & image,
              const ConstVolume & mask,
              bool                repairOutliers,
              ImageDepth          depth = ImageDepth::Computed);

  /** Without outliers, if they are repaired. */
  ConstVolume
  GetImage() const
  {
    return { m_Valid.Image(), PixelType::Float, m_Space };
  }
  /** The mask without voxels that are infinite or NaN; absent where all voxels are valid. */
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
  /** The volume of space inside the mask, in mm^3; in 2D the area. */
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

/** The channels after the first one on the first one's grids. */
class ResampledChannels
{
public:
  /** \param shares of all channels; those without a share are left out */
  ResampledChannels(Context & context, const LinearMetricImages & images, const std::vector<double> & shares);

  /** The images with those channels; the volumes of what is left out are absent. */
  const LinearMetricImages &
  GetImages() const
  {
    return m_Images;
  }

private:
  LinearMetricImages           m_Images;
  std::vector<ResampledVolume> m_Volumes;
};

/** The images of a channel after the first one, on the grids of the first. */
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

/** The images of a registration. */
class LinearImages
{
public:
  /** \param images channels after the first one are on its grids, whatever their geometries are
   * \param shares of the channels; those after the first one that have none may be absent */
  LinearImages(Context &                   context,
               const LinearMetricImages &  images,
               bool                        repairOutliers,
               const std::vector<double> & shares = { 1.0 });

  /** The first channel, in memory of the context's device. */
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
  /** Of the channels, the first one's first. */
  const std::vector<double> &
  GetShares() const
  {
    return m_Shares;
  }
  /** A channel after the first one, which are counted from 1; null where it has no share. */
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
  /** Of the first channel, with the weights that voxels of all channels have. */
  LinearMetricImages        images;
  std::vector<DeviceMemory> memory;
  /** Side of a cube (in 2D, a square) as large as a voxel of the fixed image, in mm. */
  double                         voxel = 1.0;
  std::unique_ptr<ChannelMetric> metric;
};

/** What of the images a level has. */
enum class LevelPart
{
  Whole,
  /** The box around the head, for weights of depth, which are 0 outside of it. */
  Head
};

/** Shrinks the images: the fixed image by the factors, the moving image to about the same resolution, but no axis to
 * fewer than 16 voxels, or in 2D 32.
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
