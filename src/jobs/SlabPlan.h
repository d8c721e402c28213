// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_SlabPlan_h
#define cudaneuro_jobs_SlabPlan_h

#include "jobs/PlanePipeline.h"
#include "jobs/SlabRange.h"

#include <string>

/** The division of a job's planes into slabs that fit into memory, and of slabs into chunks that are transferred and
 * computed one after the other. */
namespace cudaneuro
{

bool
IsFloatOnDevice(const Volume & volume);

/** Returns the planes from \p first on: as one slab if it fits, otherwise as equal slabs that fit.
 * \param mostKept maximum planes of a slab without its halo, a multiple of the job's alignment or all
 * \throws OutOfMemoryError when not even the thinnest slab fits. */
std::vector<SlabRange>
DivideIntoSlabs(const GpuContext & gpu, const PlaneJob & job, std::int64_t first, std::int64_t mostKept);

/** Returns half of the planes that a slab keeps, for a slab with less memory; 0 if it cannot be halved. */
std::int64_t
KeptByThinnerSlab(const PlaneJob & job, const SlabRange & slab);

/** Returns, for an error message, the slab, its volume, and the bytes that it needs. */
std::string
DescribeSlab(const PlaneJob & job, const SlabRange & slab);

/** Returns the number of planes in a chunk.
 * \param anyOnHost whether any of the job's volumes is in host memory */
std::int64_t
PlanesPerChunk(const PlaneJob & job, const Grid & slab, bool anyOnHost);

} // namespace cudaneuro

#endif
