// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_LinearLevel_h
#define cudaneuro_linear_LinearLevel_h

#include "cudaneuro/LinearMetric.h"
#include "cudaneuro/LinearRegistration.h"
#include "images/ValidImage.h"
#include "linear/HeadDepth.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudaneuro
{

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
              bool                repairOutliers);

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

/** The images of a registration. */
class LinearImages
{
public:
  LinearImages(Context & context, const LinearMetricImages & images, bool repairOutliers);

  /** In memory of the context's device. */
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

private:
  LinearImage        m_Fixed;
  LinearImage        m_Moving;
  LinearMetricImages m_Volumes;
};

/** The images at one resolution, and the metric of maps there. */
struct LinearLevel
{
  LinearMetricImages        images;
  std::vector<DeviceMemory> memory;
  /** Side of a cube (in 2D, a square) as large as a voxel of the fixed image, in mm. */
  double                        voxel = 1.0;
  std::unique_ptr<LinearMetric> metric;
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
 * \param weighting not Automatic */
LinearLevel
MakeLinearLevel(Context &                      context,
                const LinearMetricParameters & parameters,
                const LinearImages &           images,
                const std::array<int, 3> &     factors,
                VoxelWeighting                 weighting,
                LevelPart                      part = LevelPart::Whole);

} // namespace cudaneuro

#endif
