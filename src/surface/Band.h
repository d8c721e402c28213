// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_Band_h
#define cudaneuro_surface_Band_h

#include "core/Dispatch.h"
#include "core/SoAField.h"

#include <cstdint>
#include <vector>

namespace cudaneuro
{

/** The index of a voxel; aligned so that a device reads it at once. */
struct alignas(16) BandVoxel
{
  std::int32_t x;
  std::int32_t y;
  std::int32_t z;
};

/** What makes a voxel one of the narrow band: |distance| <= width, and the mask, which may be null, is not 0. All in
 * memory of the context's device. */
struct BandSearch
{
  Extent                extent;
  const float *         distances = nullptr;
  const unsigned char * mask = nullptr;
  float                 width = 0.0f;
};

/** What is seen on a look at all voxels. */
struct BandSurvey;

/** The voxels of a band, in their order in the image, in memory of the context's device. */
struct Band
{
  DeviceMemory memory;
  std::int64_t count = 0;

  const BandVoxel *
  Data() const
  {
    return static_cast<const BandVoxel *>(memory.Data());
  }
};

/** The norm of the gradient is counted in bins of this width; the last bin has what is larger, too. */
constexpr double gradientBinWidth = 1.0 / 1024.0;
constexpr int    numberOfGradientBins = 4096;

/** What there is to say of a band of distances. */
struct BandView
{
  Extent            extent;
  const float *     distances = nullptr;
  std::int64_t      count = 0;
  const BandVoxel * voxels = nullptr;
};

/** Finds the band.
 * On a GPU it waits for the result.
 * \param survey receives what was seen. Where a value of the image is not a distance, the band that is returned is
 * empty. */
CUDANEURO_DISPATCHED(Band FindBand(Context & context, const BandSearch & search, BandSurvey & survey));

/** How often the norm of the gradient, by central differences (one-sided at the edge of the image), is in each bin.
 * On a GPU it waits for the result. */
CUDANEURO_DISPATCHED(std::vector<std::int64_t> CountGradientNorms(Context &                     context,
                                                                  const BandView &              band,
                                                                  const std::array<double, 3> & spacing));

} // namespace cudaneuro

#endif
