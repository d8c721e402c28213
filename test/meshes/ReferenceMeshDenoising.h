// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceMeshDenoising_h
#define ReferenceMeshDenoising_h

#include "meshes/MeshDenoisingScales.h"

#include <array>
#include <cstdint>
#include <vector>

/** DenoiseMesh in double precision: all pairs of triangles are looked at, each version of the mesh is filtered by
 * itself, and positions are smoothed instead of displacements. */
namespace reference
{

struct MeshInput
{
  /** In mean edge lengths. */
  std::vector<std::array<double, 3>>       points;
  std::vector<std::array<std::int32_t, 3>> triangles;
  double                                   noise = 0.0;
  /** Of each probe at each vertex, 1 or -1. */
  std::vector<std::array<double, cudaneuro::numberOfProbes>> signs;
};

struct MeshOutput
{
  std::vector<std::array<double, 3>>                             displacements;
  std::vector<std::array<double, cudaneuro::numberOfCandidates>> risks;
};

MeshOutput
DenoiseMesh(const MeshInput & input);

} // namespace reference

#endif
