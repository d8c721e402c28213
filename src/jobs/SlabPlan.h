// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_SlabPlan_h
#define cudaneuro_jobs_SlabPlan_h

#include "jobs/PlanePipeline.h"
#include "jobs/SlabRange.h"

#include <string>

/** How a job's planes are divided: into slabs that fit into memory, and those into chunks that travel and are computed
 * one after the other. */
namespace cudaneuro
{

bool
IsFloatOnDevice(const Volume & volume);

/** The planes from \p first on: as a whole if that fits, else as equal slabs that do.
 * \param mostKept planes of a slab without its halo, a multiple of the job's alignment or all
 * \throws OutOfMemoryError when not even the thinnest slab fits. */
std::vector<SlabRange>
DivideIntoSlabs(const GpuContext & gpu, const PlaneJob & job, std::int64_t first, std::int64_t mostKept);

/** Half of the planes that a slab keeps, for one that takes less memory; 0 where there is none. */
std::int64_t
KeptByThinnerSlab(const PlaneJob & job, const SlabRange & slab);

/** For the message of an error: which slab of which volume, and the bytes that it takes. */
std::string
DescribeSlab(const PlaneJob & job, const SlabRange & slab);

/** The number of planes in a chunk.
 * \param anyOnHost some of the job's volumes are in host memory */
std::int64_t
PlanesPerChunk(const PlaneJob & job, const Grid & slab, bool anyOnHost);

} // namespace cudaneuro

#endif
