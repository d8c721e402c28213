// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_NonLocalMeansLevelSet_h
#define cudaneuro_surface_NonLocalMeansLevelSet_h

#include "cudaneuro/NonLocalMeansLevelSet.h"
#include "core/Dispatch.h"
#include "surface/Band.h"

/** The steps of a pass, on arrays in memory of the context's device. On a GPU, functions that return nothing are
 * enqueued on the compute stream; the other ones wait for their result. */
namespace cudaneuro
{

/** The voxels with which each voxel of the band is averaged: arrays of shape (voxels, neighbors). */
struct SimilarVoxels
{
  std::int64_t         voxels = 0;
  int                  neighbors = 0;
  const std::int32_t * indices = nullptr;
  /** Squared distances of patches; after ComputeWeights, weights. */
  float * weights = nullptr;
};

/** Rates of a weight 2^-(spatialRates (x - y)^2 + similarityRate D), where D is the squared distance of patches. */
struct WeightRates
{
  /** Rates for differences of indices along each axis. */
  float spatial[3];
  float similarity;
};

/** \param spatialScale and \p similarityScale are c1 and c2 in mm^2; an infinite one removes its factor */
WeightRates
MakeWeightRates(double spatialScale, double similarityScale, const Grid & grid);

/** Number of components from one patch to the next. */
int
PatchStride(int patchSize);

/** Writes the patch around each voxel of the band, x fastest, as a vector of PatchStride components, padded with 0.
 * Values beyond the edge of the image are those at the edge. */
CUDANEURO_DISPATCHED(void GatherPatches(Context & context, const BandView & band, int patchSize, float * patches));

/** Squared distance of each voxel's patch to that of neighbor number \p neighbor. */
CUDANEURO_DISPATCHED(std::vector<float> DistancesOfNeighbor(Context &             context,
                                                            const SimilarVoxels & similar,
                                                            int                   neighbor));

/** Replaces squared distances by weights.
 * \returns the largest sum of a voxel's weights */
CUDANEURO_DISPATCHED(float ComputeWeights(
  Context & context, const WeightRates & rates, const BandVoxel * voxels, const SimilarVoxels & similar));

/** Values of the band during iterations; \c next is memory for the next ones. */
struct BandValues
{
  float * now = nullptr;
  float * next = nullptr;
};

CUDANEURO_DISPATCHED(void ReadBand(Context & context, const BandView & band, float * values));

/** Runs \p iterations steps. Afterwards, values.now has the result. */
CUDANEURO_DISPATCHED(
  void Diffuse(Context & context, const SimilarVoxels & similar, float timeStep, int iterations, BandValues & values));

/** \param distances those of \p band, which are overwritten */
CUDANEURO_DISPATCHED(void WriteBand(Context & context, const BandView & band, const float * values, float * distances));

/** Distances that are exact up to \c reach, and the distances that they replace. */
struct JoinedDistances
{
  const float * exact = nullptr;
  /** Where the mask is 0, distances are unchanged; may be null. */
  const unsigned char * mask = nullptr;
  float                 reach = 0.0f;
  float *               distances = nullptr;
};

/** Replaces distances by the exact ones. Beyond their reach, distances keep their magnitude, but at least the reach,
 * with the sign of the exact ones. */
CUDANEURO_DISPATCHED(void JoinDistances(Context & context, std::int64_t numberOfVoxels, const JoinedDistances & join));

CUDANEURO_DISPATCHED(
  void CopyDistances(Context & context, std::int64_t numberOfVoxels, const float * from, float * to));

} // namespace cudaneuro

#endif
