// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_PlanePipeline_h
#define cudaneuro_jobs_PlanePipeline_h

#include "cuda/GpuContext.h"
#include "jobs/PlaneBatches.h"

#include <functional>
#include <memory>
#include <vector>

namespace cudaneuro
{

/** Consecutive planes in device memory on which a stage works: the whole volume or, if that does not fit, a slab with
 * its halo. To a stage, planes outside its slab are outside the image. */
struct DeviceSlab
{
  Grid                       grid;
  std::vector<const float *> inputs;
  /** Null if there is no mask. */
  const unsigned char * mask = nullptr;
  /** Null if the job has no output volume. */
  float * output = nullptr;
  /** The plane of the whole volume that is this slab's plane 0. */
  std::int64_t firstPlane = 0;
  /** Planes [keepBegin, keepEnd) of the slab are kept as results; the others are halo. */
  std::int64_t keepBegin = 0;
  std::int64_t keepEnd = 0;
};

/** A computation that receives planes in the order of z and finishes planes in that order. */
class PlaneStage
{
public:
  virtual ~PlaneStage() = default;

  /** Enqueues on the compute stream all work that planes [0, available) of every input allow.
   * \returns the end of the planes that are finished in the order of that stream. Once all planes are available, it is
   * called until all are finished. */
  virtual std::int64_t
  Advance(std::int64_t available) = 0;
};

/** The description of a computation on volumes in any memory space. */
struct PlaneJob
{
  Grid                     grid;
  std::vector<ConstVolume> inputs;
  ConstVolume              mask;
  Volume                   output;
  /** The number of input planes on either side that an output plane needs. */
  std::int64_t halo = 0;
  /** Slabs start at multiples of this, so that blocks of planes are the same in a slab as in the whole volume. */
  std::int64_t planeAlignment = 1;
  /** Device memory that a stage allocates for itself, per plane of its slab. */
  std::size_t scratchBytesPerPlane = 0;
  /** An approximate count, by which long jobs on device memory are divided for progress and abort. */
  double       operationsPerVoxel = 1.0;
  PlaneBatches batches;

  std::function<std::unique_ptr<PlaneStage>(GpuContext &, const DeviceSlab &)> makeStage;
};

/** Runs a job: uploads, converts, computes and downloads in overlapping chunks of planes, and in slabs if the volume
 * does not fit. Float volumes on the device are used in place.
 *
 * The job is finished when this returns. Reports progress between chunks.
 * \throws Error, OutOfMemoryError, Aborted; after a throw none of the caller's memory is in use. */
void
RunPlaneJob(Context & context, const PlaneJob & job);

} // namespace cudaneuro

#endif
