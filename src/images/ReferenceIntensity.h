// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ReferenceIntensity_h
#define cudaneuro_images_ReferenceIntensity_h

#include "cudaneuro/Context.h"

#include <limits>
#include <vector>

namespace cudaneuro
{

/** Properties of the intensities of an image, estimated from a sample of its voxels. */
struct IntensitySample
{
  /** An intensity in the middle of the ordinary ones; 0 if there are none. */
  float reference = 0.0f;
  /** The distance between the two quantiles whose mean is the reference. */
  float spread = 0.0f;
  /** Voxels of a larger magnitude are codes or errors. It is 256 times the largest ordinary magnitude, or less if codes
   * are found: half of the smallest code, but at least 16 times the largest ordinary magnitude. */
  float limit = std::numeric_limits<float>::max();
  /** The largest ordinary value, if an eighth of the ordinary ones have it: that of a constant bright background, or of
   * saturation. Infinite otherwise. */
  float plateau = std::numeric_limits<float>::infinity();
};

/** Samples the voxels on a lattice of 8 points per axis that are finite and inside the mask. If these are fewer than
 * 32, as with a small mask, the lattice is refined, up to 128 points per axis. The result is the same on the CPU and on
 * CUDA devices.
 *
 * Codes such as 1e20 for "no data" do not count, even if they are the majority of the voxels. Let the sample be
 * sorted by magnitude. Values are codes or errors from where one is more than 16 times as large as its predecessor, if
 * from there on they have at most 4 different values or are at most a sixteenth of the sample. (Zeros, and the smallest
 * sixteenth of the others, are never codes.) A small bright object in a large dark field is not a code: up to a gap of
 * 256, which hardly any object has above the noise around it, values are ordinary if they belong to an object, which
 * IsBrightObject() decides by their neighbors. All other values are ordinary, too. The reference is the mean of the
 * quantiles 1/16 and 15/16 of the ordinary values.
 * \param mask may be absent
 * \throws Error */
IntensitySample
SampleIntensities(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask);

/** The number of negative voxels in a sample of those that are finite and inside the mask. */
struct NegativeVoxels
{
  std::int64_t count = 0;
  std::int64_t lookedAt = 0;
  /** Whether more than a twentieth of the voxels lie below 0 by more than a tenth of the quantile 15/16 of the
   * positive values. Interpolation and filters leave negative values in magnitude images, but these are smaller or
   * fewer. */
  bool areMany = false;
};

/** Samples the voxels on a lattice of up to 32 points per axis, or of up to 128 if they are many. The result is the
 * same on the CPU and on CUDA devices.
 * \param mask may be absent
 * \throws Error */
NegativeVoxels
FindNegativeVoxels(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask);

/** Requires that few voxels of an image to be corrected for Rician noise are negative.
 * \throws InvalidParameterError with their number */
void
RequireMagnitude(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask);

/** Returns SampleIntensities().reference, which filters subtract from intensities: float keeps more digits of
 * differences from it than of intensities that are far from 0.
 * \throws Error */
float
ReferenceIntensity(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask);

/** Returns the references of several images without a mask, which are read together.
 * \throws Error */
std::vector<float>
ReferenceIntensities(Context & context, const Grid & grid, const std::vector<ConstVolume> & inputs);

} // namespace cudaneuro

#endif
