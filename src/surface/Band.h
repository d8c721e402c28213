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

/** The index of a voxel, aligned so that a device reads it in one transaction. */
struct alignas(16) BandVoxel
{
  std::int32_t x;
  std::int32_t y;
  std::int32_t z;
};

/** The condition for voxels of the narrow band: |distance| <= width, and the mask, which may be null, is not 0. All
 * arrays are in memory of the context's device. */
struct BandSearch
{
  Extent                extent;
  const float *         distances = nullptr;
  const unsigned char * mask = nullptr;
  float                 width = 0.0f;
};

/** Statistics over all voxels. */
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

/** Width of the bins in which norms of the gradient are counted. The last bin includes all larger norms. */
constexpr double gradientBinWidth = 1.0 / 1024.0;
constexpr int    numberOfGradientBins = 4096;

/** A band of distances. */
struct BandView
{
  Extent            extent;
  const float *     distances = nullptr;
  std::int64_t      count = 0;
  const BandVoxel * voxels = nullptr;
};

/** Finds the voxels of the band in their order, and statistics over all voxels. On a GPU it waits for the
 * result.
 * \param survey receives the statistics. If a value of the image is not a valid distance, the returned band is
 * empty. */
CUDANEURO_DISPATCHED(Band FindBand(Context & context, const BandSearch & search, BandSurvey & survey));

/** The histogram of the gradient's norm, by central differences (one-sided at the edge of the image). On a GPU it waits
 * for the result. */
CUDANEURO_DISPATCHED(std::vector<std::int64_t> CountGradientNorms(Context &                     context,
                                                                  const BandView &              band,
                                                                  const std::array<double, 3> & spacing));

} // namespace cudaneuro

#endif
