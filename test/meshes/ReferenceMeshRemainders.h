// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceMeshRemainders_h
#define ReferenceMeshRemainders_h

#include "meshes/ReferenceMeshDenoising.h"

#include <set>

/** What DenoiseMesh returns of what the mixture of its candidates has taken, in double precision: each version of the
 * mesh is filtered by itself. */
namespace reference
{

/** A number for each vertex. */
using Numbers = std::vector<double>;
/** Moves of all vertices along their normals: of the mesh, and of its probed versions. */
using Moves = std::array<Numbers, 1 + cudaneuro::numberOfProbes>;
/** Of each vertex. */
using Neighbors = std::vector<std::set<std::int32_t>>;

struct MixedMesh
{
  const MeshInput & input;
  const Neighbors & neighbors;
  /** Those that low-pass filters take. */
  const Neighbors & meanNeighbors;
  const Moves &     mixed;
  const Moves &     noisy;
  /** Of the probes. */
  double length;
};

/** Means over vertices and their neighbors, as often as risks are pooled. */
Numbers
Pooled(const Neighbors & neighbors, Numbers numbers);

/** How far vertices move back along their normals. */
Numbers
ReturnedMoves(const MixedMesh & of);

} // namespace reference

#endif
