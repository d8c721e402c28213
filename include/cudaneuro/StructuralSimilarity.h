// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_StructuralSimilarity_h
#define cudaneuro_StructuralSimilarity_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Parameters.h"

#include <vector>

namespace cudaneuro
{
/** Parameters of StructuralSimilarity; Describe lists their units, meanings and ranges. */
struct StructuralSimilarityParameters
{
  /** Intensities far outside this range slow a GPU down several times. */
  double dataRange = 1.0;
  double k1 = 0.01;
  double k2 = 0.03;
  double windowSigma = 1.5;
};

/** The ranges keep (k dataRange)^2 a normal float, and the weights of neighbors along an axis above 1e-6. */
constexpr auto
Describe(const StructuralSimilarityParameters &)
{
  using P = StructuralSimilarityParameters;
  return std::make_tuple(
    Parameter(&P::windowSigma, "WindowSigma", "voxels", "Standard deviation of the Gaussian window", Between(0.2, 1e3)),
    Parameter(&P::dataRange,
              "DataRange",
              "intensity units",
              "Largest minus smallest possible intensity, L of the constants C1 = (K1 L)^2 and C2 = (K2 L)^2",
              Between(1e-12, 1e15)),
    Parameter(&P::k1, "K1", "", "Factor of the constant C1", Between(1e-6, 1e3)),
    Parameter(&P::k2, "K2", "", "Factor of the constant C2", Between(1e-6, 1e3)));
}

/** The similarity of two images. */
struct StructuralSimilarityResult
{
  /** Mean of the map over the voxels inside the mask around which the window fits: 5 or more voxels from every face
   * along axes of 11 voxels or more, as in scikit-image. NaN if there is no such voxel. */
  double meanStructuralSimilarity = 0.0;
  /** Mean squared difference over all voxels inside the mask. */
  double meanSquaredError = 0.0;
};

/** Compares two images by SSIM with an 11-tap Gaussian window per axis (Wang et al. 2004; Howison eq. 11-16); images
 * are extended by reflection. \p map may be absent. \p mask may be absent; it is of type UnsignedChar and selects only
 * which voxels are averaged: windows reach across its border.
 *
 * A voxel that is not finite in either image is excluded: the map is NaN there, windows are normalized over the other
 * voxels, and the means omit it.
 *
 * The error of the map is below 1e-5, also far from 0 and with single huge values. An exception are blocks of random
 * sizes with one of two values each, flat within and unlike their neighbors: up to 3e-5 was found there.
 * \throws InvalidParameterError, Error, Aborted */
CudaNeuro_EXPORT StructuralSimilarityResult
StructuralSimilarity(Context &                              context,
                     const StructuralSimilarityParameters & parameters,
                     const Grid &                           grid,
                     const ConstVolume &                    reference,
                     const ConstVolume &                    image,
                     const ConstVolume &                    mask,
                     const Volume &                         map);

/** Compares several images with one reference, without maps. If they are in the memory of a CUDA device, their results
 * are awaited together, which saves most of the time of small volumes.
 * \returns a result for each image
 * \throws InvalidParameterError, Error, Aborted */
CudaNeuro_EXPORT std::vector<StructuralSimilarityResult>
                 StructuralSimilarities(Context &                              context,
                                        const StructuralSimilarityParameters & parameters,
                                        const Grid &                           grid,
                                        const ConstVolume &                    reference,
                                        const std::vector<ConstVolume> &       images,
                                        const ConstVolume &                    mask);

} // namespace cudaneuro

#endif
