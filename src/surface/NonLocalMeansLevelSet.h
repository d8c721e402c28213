// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_NonLocalMeansLevelSet_h
#define cudaneuro_surface_NonLocalMeansLevelSet_h

#include "cudaneuro/NonLocalMeansLevelSet.h"
#include "core/Dispatch.h"
#include "surface/Band.h"

/** The steps of a pass, on arrays in memory of the context's device. On a GPU, functions that return nothing are
 * enqueued on the compute stream; the others wait for their result. */
namespace cudaneuro
{

/** The voxels that each voxel of the band is averaged with: arrays of shape (voxels, neighbors). */
struct SimilarVoxels
{
  std::int64_t         voxels = 0;
  int                  neighbors = 0;
  const std::int32_t * indices = nullptr;
  /** Squared distances of patches; from ComputeWeights on, weights. */
  float * weights = nullptr;
};

/** What makes a weight of a distance in space and one of patches: 2^-(spatialRates (x - y)^2 + similarityRate D). */
struct WeightRates
{
  /** For differences of indices along each axis. */
  float spatial[3];
  float similarity;
};

/** \param spatialScale and \p similarityScale are c1 and c2 in mm^2; infinite ones leave their factor out. */
WeightRates
MakeWeightRates(double spatialScale, double similarityScale, const Grid & grid);

/** Components from one patch to the next. */
int
PatchStride(int patchSize);

/** Writes the patch around each voxel of the band, x fastest, as vectors of PatchStride components, of which those
 * beyond the patch are 0. Values beyond the edge of the image are those at the edge. */
CUDANEURO_DISPATCHED(void GatherPatches(Context & context, const BandView & band, int patchSize, float * patches));

/** Squared distance of each voxel's patch to that of neighbor number \p neighbor. */
CUDANEURO_DISPATCHED(std::vector<float> DistancesOfNeighbor(Context &             context,
                                                            const SimilarVoxels & similar,
                                                            int                   neighbor));

/** Replaces squared distances by weights.
 * \returns the largest sum of a voxel's weights. */
CUDANEURO_DISPATCHED(float ComputeWeights(
  Context & context, const WeightRates & rates, const BandVoxel * voxels, const SimilarVoxels & similar));

/** Values of the band, which take part in the iterations; \c next is room for the next ones. */
struct BandValues
{
  float * now = nullptr;
  float * next = nullptr;
};

CUDANEURO_DISPATCHED(void ReadBand(Context & context, const BandView & band, float * values));

/** Makes so many steps. Afterwards, values.now has the result. */
CUDANEURO_DISPATCHED(
  void Diffuse(Context & context, const SimilarVoxels & similar, float timeStep, int iterations, BandValues & values));

/** \param distances those of \p band, to be written. */
CUDANEURO_DISPATCHED(void WriteBand(Context & context, const BandView & band, const float * values, float * distances));

/** Distances that are exact up to \c reach, and what stands beyond it. */
struct JoinedDistances
{
  const float * exact = nullptr;
  /** Where it is 0, distances stay; may be null. */
  const unsigned char * mask = nullptr;
  float                 reach = 0.0f;
  float *               distances = nullptr;
};

/** Replaces distances by those that are exact. Beyond their reach, distances keep their magnitude, but get the sign
 * of the others, and at least the reach. */
CUDANEURO_DISPATCHED(void JoinDistances(Context & context, std::int64_t numberOfVoxels, const JoinedDistances & join));

CUDANEURO_DISPATCHED(
  void CopyDistances(Context & context, std::int64_t numberOfVoxels, const float * from, float * to));

} // namespace cudaneuro

#endif
