// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_MapRepair_h
#define cudaneuro_registration_MapRepair_h

#include "core/SoAField.h"
#include "cudaneuro/DisplacementField.h"

#include <vector>

/** Rounds that repair maps where their Jacobian determinant is below the bound, and that end for any map: the last
 * one makes the identity of it, which keeps every bound. */
namespace cudaneuro
{

/** Rounds before this one smooth around marks. Those from here on also damp: they bring the map nearer to the
 * identity. */
constexpr int firstDampingRound = 60;

/** One round. All fields are in voxels, on one grid, and the same is done to each, in their order. */
struct RepairRound
{
  Extent extent;
  /** 1 where the fields are wrong; overwritten. */
  float * marks = nullptr;
  /** Overwritten. */
  SoAField              scratch;
  std::vector<SoAField> fields;
};

/** Smooths the fields around the marks, then damps them there over more and more voxels, then everywhere, and at
 * last makes them the identity. */
void
RepairFolds(Context & context, int round, const RepairRound & repair);

/** Repairs maps on one grid until the determinant of each is \p minimumJacobian or more.
 * \returns the number of rounds, 0 for maps that keep the bound */
int
RepairMaps(Context & context, const Extent & extent, double minimumJacobian, const std::vector<SoAField> & maps);

/** The inverse of a map that does not fold, by InvertField. Where the map bends within a voxel, the inverse can fold
 * although the map does not; it is repaired there until its determinant is above 0, and is farther from the inverse
 * then.
 * \returns how far, in voxels */
InversionResult
InvertMap(Context &                   context,
          const InversionParameters & parameters,
          const Extent &              extent,
          const ConstSoAField &       map,
          const SoAField &            inverse);

} // namespace cudaneuro

#endif
