// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_MapRepair_h
#define cudaneuro_registration_MapRepair_h

#include "core/SoAField.h"
#include "cudaneuro/DisplacementField.h"

#include <vector>

/** Rounds that repair maps whose Jacobian determinant is below the bound. They end for any map, because the last round
 * replaces it by the identity, which keeps every bound. */
namespace cudaneuro
{

/** Rounds before this one smooth around marks. Rounds from this one on also damp: they bring the map nearer to the
 * identity. */
constexpr int firstDampingRound = 60;

/** Arguments of one round. Fields are in voxels, on one grid; all are changed alike, in their order. */
struct RepairRound
{
  Extent extent;
  /** 1 where the fields are wrong. Overwritten. */
  float * marks = nullptr;
  /** Work memory. Overwritten. */
  SoAField              scratch;
  std::vector<SoAField> fields;
};

/** Runs one round: smooths the fields around the marks, in later rounds damps them there over more and more voxels,
 * then everywhere, and at last replaces them by the identity. */
void
RepairFolds(Context & context, int round, const RepairRound & repair);

/** Repairs maps on one grid until the determinant of each is at least \p minimumJacobian.
 * \returns the number of rounds, 0 for maps that keep the bound */
int
RepairMaps(Context & context, const Extent & extent, double minimumJacobian, const std::vector<SoAField> & maps);

/** The inverse of a map that does not fold, by InvertField. Where the map bends within a voxel, the numerical inverse
 * can fold although the map does not. It is repaired there until its determinant is positive, which moves it away from
 * the exact inverse.
 * \returns the remaining error in voxels */
InversionResult
InvertMap(Context &                   context,
          const InversionParameters & parameters,
          const Extent &              extent,
          const ConstSoAField &       map,
          const SoAField &            inverse);

} // namespace cudaneuro

#endif
