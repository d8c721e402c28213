// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ValidImage_h
#define cudaneuro_images_ValidImage_h

#include "images/ImagePreparation.h"
#include "images/ImageStatistics.h"
#include "jobs/DeviceVolumes.h"

#include <limits>
#include <string>

/** An image as a registration reads it: without voxels outside its mask, infinite or NaN, and without outliers. */
namespace cudaneuro
{

/** An image and a mask of its valid voxels, which are finite and inside the mask that the caller gave. */
class ValidImage
{
public:
  /** \param image in memory of the context's device; it must outlive the object
   * \param mask may be absent
   * \param repairOutliers whether outliers are repaired, in a copy of the image, as RepairOutliers() does it
   * \throws InvalidParameterError where no voxel is valid */
  ValidImage(Context &           context,
             const std::string & name,
             const Grid &        grid,
             const float *       image,
             const ConstVolume & mask,
             bool                repairOutliers);

  /** In memory of the context's device: 0 for voxels that are excluded. Null where there are none. */
  const unsigned char *
  Mask() const
  {
    return m_Finite.bytes > 0 ? static_cast<const unsigned char *>(m_Finite.Data()) : m_Mask.Data();
  }

  /** In memory of the context's device: the image, or its copy without outliers. */
  const float *
  Image() const
  {
    return m_Image;
  }

  /** Puts the copy without outliers, where there is one, in the place of the memory of the image. */
  void
  MoveTo(DeviceMemory & image)
  {
    if (m_Repaired.bytes > 0)
    {
      image = std::move(m_Repaired);
    }
  }

  /** Outliers that were repaired. */
  std::int64_t
  GetNumberOfOutliers() const
  {
    return m_NumberOfOutliers;
  }

  /** Whether the caller gave a mask. */
  bool
  HasMask() const
  {
    return m_Mask.Data() != nullptr;
  }

  /** Requires an image that is not constant at its valid voxels.
   * \throws InvalidParameterError naming the image and the intensity */
  void
  RequireContrast(const std::string & name) const;

  /** Requires, where voxels are excluded, an image that is not constant at the others: interpolation beside gaps makes
   * rounding errors of a constant, which would seem to be contrast.
   * \throws InvalidParameterError naming the image and the intensity */
  void
  RequireContrastBesideGaps(const std::string & name) const;

  /** Statistics of the valid voxels, outliers repaired; numberOfNotFinite counts those inside the mask that are not. */
  const ImageStatistics &
  GetStatistics() const
  {
    return m_Statistics;
  }

private:
  void
  Repair(Context & context, const Grid & grid);

  const float * m_Image;
  MaskInput     m_Mask;
  /** The mask without voxels that are infinite or NaN, where it has any. */
  DeviceMemory m_Finite;
  /** The copy without outliers, where there are any. */
  DeviceMemory    m_Repaired;
  std::int64_t    m_NumberOfOutliers = 0;
  ImageStatistics m_Statistics;
};

/** The least weight with which a value may be the mean of few others. */
constexpr float anyWeight = std::numeric_limits<float>::min();

/** Applies a linear operation, such as smoothing, to an image with gaps, which are NaN: operation(image with 0 in
 * gaps), divided by operation(1 outside of gaps, 0 in them), so that what is in a gap has no weight.
 * \param image overwritten
 * \param operation returns a new volume of \p outputVoxels
 * \param leastWeight a voxel whose weight is less has no value */
template <typename TOperation>
DeviceMemory
ApplyOutsideGaps(Context &          context,
                 std::int64_t       voxels,
                 float *            image,
                 std::int64_t       outputVoxels,
                 float              leastWeight,
                 const TOperation & operation)
{
  const DeviceMemory weight = context.Allocate(static_cast<std::size_t>(voxels) * sizeof(float));
  auto * const       weights = static_cast<float *>(weight.Data());
  SplitWeights(context, voxels, image, weights);
  DeviceMemory       output = operation(static_cast<const float *>(image));
  const DeviceMemory outputWeight = operation(static_cast<const float *>(weights));
  JoinWeights(context,
              outputVoxels,
              static_cast<const float *>(outputWeight.Data()),
              leastWeight,
              static_cast<float *>(output.Data()));
  return output;
}

} // namespace cudaneuro

#endif
