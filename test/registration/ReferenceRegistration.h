// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceRegistration_h
#define ReferenceRegistration_h

#include <array>
#include <cstddef>
#include <vector>

/** The energies of Lee et al. (eq. 8-10), of the local correlation and of the mutual information, slowly, in double
 * precision. */
namespace reference
{

struct RegistrationProblem
{
  std::array<int, 3>  size{};
  std::vector<double> moving;
  std::vector<double> fixed;
  /** d in h(x) = x + d(x), in voxels; component a of voxel i is displacement[a][i]. */
  std::array<std::vector<double>, 3> displacement;
  /** Whether the moving image has no value, NaN, beyond the centers of its outermost voxels, instead of falling to
   * 0. It has none, either, where a voxel that counts is NaN. */
  bool hasEdge = false;

  std::size_t
  Index(int x, int y, int z) const
  {
    return (static_cast<std::size_t>(z) * size[1] + y) * size[0] + x;
  }
};

/** The deformed moving image. */
std::vector<double>
Deformed(const RegistrationProblem & problem);

/** Half the mean squared difference. */
double
MeanSquaresEnergy(const RegistrationProblem & problem);

/** Mean of (J - 1) log J. */
double
BiasEnergy(const RegistrationProblem & problem);

/** 1 minus the mean squared local correlation, over boxes of half-width \p radius cut at the border, with
 * \p varianceFloor added to both variances. A voxel without a value is in no box, but has one around it. */
double
LocalCorrelationEnergy(const RegistrationProblem & problem, int radius, double varianceFloor);

/** Minus the mutual information of Mattes et al., in nats, of the deformed image, times the fraction of the voxels of
 * which both images have a value, that is not NaN. Intensities are in bins, from 2 to \p bins - 2. */
double
MutualInformationEnergy(const RegistrationProblem & problem, const std::vector<double> & deformed, int bins);

} // namespace reference

#endif
