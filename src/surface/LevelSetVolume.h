// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_LevelSetVolume_h
#define cudaneuro_surface_LevelSetVolume_h

#include "core/Dispatch.h"
#include "core/SoAField.h"

#include <functional>

namespace cudaneuro
{

/** Distances to which an offset is added where the mask, which may be null, is not 0. All arrays are in memory of the
 * context's device. */
struct OffsetDistances
{
  Extent                extent;
  const float *         distances = nullptr;
  const unsigned char * mask = nullptr;
  double                offset = 0.0;
};

/** The volume where linear interpolation of the distances is below 0, in voxels, inside the hull of the voxels'
 * centers. Each cell of eight voxels is divided into six tetrahedra around its diagonal, in which the interpolation is
 * linear, and the volume exact. The volume of a sphere of radius r voxels is too small by the fraction 1 / (2 r^2). The
 * sum has a fixed order. On a GPU it waits for the result. */
CUDANEURO_DISPATCHED(double EnclosedVolume(Context & context, const OffsetDistances & field));

/** Adds the offset to \p distances, which are those of \p field; on a GPU, enqueues this on the compute stream. */
CUDANEURO_DISPATCHED(void AddOffset(Context & context, const OffsetDistances & field, float * distances));

/** The offset that yields the wanted volume, to 1e-6 of it, or as near as offsets in double precision allow. The volume
 * decreases continuously as the offset grows, and reaches the wanted value for some offset.
 * \param unit a length that is a small fraction of a voxel */
double
FindOffset(const std::function<double(double)> & volumeOfOffset, double wanted, double unit);

} // namespace cudaneuro

#endif
