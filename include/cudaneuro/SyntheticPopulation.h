// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_SyntheticPopulation_h
#define cudaneuro_SyntheticPopulation_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Geometry.h"
#include "cudaneuro/Parameters.h"

#include <cstdint>
#include <vector>

namespace cudaneuro
{
/** Parameters of SyntheticPopulation; Describe lists their units, meanings and ranges. */
struct SyntheticPopulationParameters
{
  int numberOfImages = 10;
  /** Must not exceed smoothness. */
  double displacement = 5.0;
  /** Must be at least the largest spacing of voxels. */
  double        smoothness = 15.0;
  double        noise = 0.02;
  std::uint64_t seed = 1;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const SyntheticPopulationParameters &)
{
  using P = SyntheticPopulationParameters;
  return std::make_tuple(
    Parameter(&P::numberOfImages, "NumberOfImages", "", "Images", AtLeast(2)),
    Parameter(&P::displacement,
              "Displacement",
              "mm",
              "Root mean square of the displacements, at most the smoothness",
              FromZero(lengthRange)),
    Parameter(&P::smoothness,
              "Smoothness",
              "mm",
              "Standard deviation of the bumps of displacements, at least the spacing",
              Between(1e-9, 1e6)),
    Parameter(&P::noise, "Noise", "", "Standard deviation of the noise of images from 0 to 1", Between(0.0, 1e6)),
    Parameter(&P::seed, "Seed", "", "Seed of the random maps and noise"));
}

/** A population with a known template, to test atlases: a head-like phantom of intensities from 0 to 1, and images of
 * it under random maps that do not fold, with noise.
 *
 * Image k at p is template(h_k(p)) + noise. h_k is the flow of a velocity v_k over unit time, computed by Euler steps
 * each of which has an inverse, since the derivatives of v_k are bounded by its coefficients. v_k is a sum of quadratic
 * B-splines on a lattice with random coefficients, minus their mean over the images: the velocities have mean 0, so
 * that the template is the population's center. Velocities vanish at the border of the grid. The template is a formula,
 * which is evaluated at h_k(p): nothing is interpolated.
 *
 * Everything depends on the geometry and the parameters alone: on every machine the same bits.
 *
 * \ingroup CudaNeuro */
class CudaNeuro_EXPORT SyntheticPopulation
{
public:
  /** \param geometry of the template and of all images; the head fills most of the grid.
   * \throws InvalidParameterError */
  SyntheticPopulation(const Geometry & geometry, const SyntheticPopulationParameters & parameters);

  /** Writes the template without noise, one float for each voxel in host memory, on the context's threads.
   * \throws Aborted */
  void
  WriteTemplate(Context & context, float * image) const;

  /** Writes an image, and h_k(p) - p in mm in the layout of Field, unless it is null: 2 components where the grid's
   * third size is 1, else 3; both in host memory.
   * \throws InvalidParameterError for an image that is not from 0 to numberOfImages - 1, Aborted */
  void
  WriteImage(Context & context, int index, float * image, float * displacement) const;

private:
  Geometry                      m_Geometry;
  SyntheticPopulationParameters m_Parameters;
  std::vector<double>           m_MeanCoefficients;
};

} // namespace cudaneuro

#endif
