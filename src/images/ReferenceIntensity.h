// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ReferenceIntensity_h
#define cudaneuro_images_ReferenceIntensity_h

#include "cudaneuro/Context.h"

#include <limits>
#include <vector>

namespace cudaneuro
{

/** What a sample of the voxels says about the intensities of an image. */
struct IntensitySample
{
  /** In the middle of the ordinary intensities; 0 where there are none. */
  float reference = 0.0f;
  /** From the lower to the upper of the two quantiles that the reference is between. */
  float spread = 0.0f;
  /** Voxels of a magnitude beyond this are codes or errors. It is 256 times the largest ordinary one, or less where
   * codes are found: half of the least, but no less than 16 times the largest ordinary one. */
  float limit = std::numeric_limits<float>::max();
};

/** Looks at the voxels on a lattice of 8 points an axis that are finite and inside the mask. Where they are fewer than
 * 32, as with a small mask, the lattice is refined, up to 128 points an axis. The result is the same on the CPU and on
 * CUDA devices.
 *
 * Codes such as 1e20 for "no data" do not count, though they may be the majority of the voxels. Let the sample be
 * sorted by magnitude. Values are codes or errors from where one is more than 16 times as large as the one before, if
 * from there on they are at most 4 different ones or at most a sixteenth of the sample. (Zeros, and the smallest
 * sixteenth of the others, are never codes.) A small bright object in a large dark field is no code: up to a gap of
 * 256, which hardly any object has above the noise around it, values are ordinary if they are those of an object, as
 * IsBrightObject() tells by their neighbors. The rest is ordinary, too. The reference is the mean of its quantiles 1/16
 * and 15/16.
 * \param mask may be absent
 * \throws Error */
IntensitySample
SampleIntensities(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask);

/** Negative voxels among those that were looked at, which are finite and inside the mask. */
struct NegativeVoxels
{
  std::int64_t count = 0;
  std::int64_t lookedAt = 0;
  /** Whether more than a twentieth of the voxels lie below 0 by more than a tenth of the quantile 15/16 of the
   * positive values. Interpolation and filters leave negative values in magnitude images, but these are smaller or
   * fewer. */
  bool areMany = false;
};

/** Looks at the voxels on a lattice of up to 32 points an axis, or of up to 128 where they are many. The result is the
 * same on the CPU and on CUDA devices.
 * \param mask may be absent
 * \throws Error */
NegativeVoxels
FindNegativeVoxels(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask);

/** Requires that few voxels of an image to be corrected for Rician noise are negative.
 * \throws InvalidParameterError with their number */
void
RequireMagnitude(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask);

/** SampleIntensities().reference, which filters subtract from the intensities before they compute: float keeps more
 * digits of differences from it than of intensities that are far from 0.
 * \throws Error */
float
ReferenceIntensity(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask);

/** The same for several images without a mask, read together.
 * \throws Error */
std::vector<float>
ReferenceIntensities(Context & context, const Grid & grid, const std::vector<ConstVolume> & inputs);

} // namespace cudaneuro

#endif
