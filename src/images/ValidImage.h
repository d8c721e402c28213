// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ValidImage_h
#define cudaneuro_images_ValidImage_h

#include "images/ImagePreparation.h"
#include "images/ImageStatistics.h"
#include "jobs/DeviceVolumes.h"

#include <limits>
#include <string>

/** An image in the form that a registration reads: without voxels outside its mask, infinite or NaN, or outliers. */
namespace cudaneuro
{

/** An image and a mask of its valid voxels, which are finite and inside the mask that the caller gave. */
class ValidImage
{
public:
  /** \param image in memory of the context's device; it must outlive the object
   * \param mask may be absent
   * \param repairOutliers whether outliers are repaired, in a copy of the image, by RepairOutliers()
   * \throws InvalidParameterError if no voxel is valid */
  ValidImage(Context &           context,
             const std::string & name,
             const Grid &        grid,
             const float *       image,
             const ConstVolume & mask,
             bool                repairOutliers);

  /** Returns a mask in memory of the context's device: 0 for excluded voxels. Null if no voxel is excluded. */
  const unsigned char *
  Mask() const
  {
    return m_Finite.bytes > 0 ? static_cast<const unsigned char *>(m_Finite.Data()) : m_Mask.Data();
  }

  /** Returns, in memory of the context's device, the image, or its copy without outliers. */
  const float *
  Image() const
  {
    return m_Image;
  }

  /** Replaces the memory of the image by the copy without outliers, if there is one. */
  void
  MoveTo(DeviceMemory & image)
  {
    if (m_Repaired.bytes > 0)
    {
      image = std::move(m_Repaired);
    }
  }

  /** Returns the number of outliers that were repaired. */
  std::int64_t
  GetNumberOfOutliers() const
  {
    return m_NumberOfOutliers;
  }

  /** Returns whether the caller gave a mask. */
  bool
  HasMask() const
  {
    return m_Mask.Data() != nullptr;
  }

  /** Requires an image that is not constant at its valid voxels.
   * \throws InvalidParameterError naming the image and the intensity */
  void
  RequireContrast(const std::string & name) const;

  /** If voxels are excluded, requires an image that is not constant at the others: interpolation beside gaps turns a
   * constant into rounding errors, which would look like contrast.
   * \throws InvalidParameterError naming the image and the intensity */
  void
  RequireContrastBesideGaps(const std::string & name) const;

  /** Returns statistics of the valid voxels, outliers repaired; numberOfNotFinite counts others in the mask. */
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
  /** The mask without voxels that are infinite or NaN, if there are any. */
  DeviceMemory m_Finite;
  /** The copy without outliers, if there are any. */
  DeviceMemory    m_Repaired;
  std::int64_t    m_NumberOfOutliers = 0;
  ImageStatistics m_Statistics;
};

/** The minimum weight for images in which the mean of even a few voxels is a value. */
constexpr float anyWeight = std::numeric_limits<float>::min();

/** Applies a linear operation, such as smoothing, to an image with gaps, which are NaN: operation(image with 0 in
 * gaps) / operation(1 outside gaps, 0 in them), so that gaps have no weight.
 * \param image input, which is overwritten
 * \param operation returns a new volume of \p outputVoxels
 * \param leastWeight a voxel with a smaller weight gets no value */
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
