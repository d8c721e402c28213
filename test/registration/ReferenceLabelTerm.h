// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceLabelTerm_h
#define ReferenceLabelTerm_h

#include <array>
#include <cstdint>
#include <vector>

/** The label term in double precision, written for clarity. */
namespace reference
{

constexpr int unlabeled = 0xffff;

/** Two maps of labels on one grid, and where their voxels are taken to. */
struct LabelProblem
{
  std::array<int, 3>         size{ 1, 1, 1 };
  std::vector<std::uint16_t> moving;
  std::vector<std::uint16_t> fixed;
  /** Of the map to the moving labels, and of that to the fixed ones, which is empty where these stay. In voxels. */
  std::array<std::vector<double>, 3> toMoving;
  std::array<std::vector<double>, 3> toFixed;
  /** Of the codes from 0 on; others have weight \p beyond. */
  std::vector<double> weights;
  double              beyond = 0.0;

  bool
  IsSymmetric() const
  {
    return !toFixed[0].empty();
  }
};

/** Derivatives by the displacement of one map at each voxel. */
using LabelForces = std::array<std::vector<double>, 3>;

/** The number of voxels times the energy. */
double
LabelEnergy(const LabelProblem & problem);

/** The derivatives of LabelEnergy by the displacements to the moving and to the fixed map: the sum over the corners c
 * of a cell of grad(omega_c) w (own - other) of the corner's label. */
std::array<LabelForces, 2>
LabelDerivatives(const LabelProblem & problem);

} // namespace reference

#endif
