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

/** A run of planes in device memory that a stage works on: the whole volume or, where that does not fit, a slab with
 * its halo. To a stage, planes outside its slab are outside the image. */
struct DeviceSlab
{
  Grid                       grid;
  std::vector<const float *> inputs;
  /** Null where there is no mask. */
  const unsigned char * mask = nullptr;
  /** Null where the job has no output volume. */
  float * output = nullptr;
  /** Plane of the whole volume that is this slab's plane 0. */
  std::int64_t firstPlane = 0;
  /** Planes [keepBegin, keepEnd) of the slab are what the job keeps; the others are halo. */
  std::int64_t keepBegin = 0;
  std::int64_t keepEnd = 0;
};

/** A computation that is fed planes in the order of z and finishes planes in that order. */
class PlaneStage
{
public:
  virtual ~PlaneStage() = default;

  /** Enqueues on the compute stream what can be done once planes [0, available) of every input are there.
   * \returns the end of the planes that are finished in the order of that stream. When all planes are available, it is
   * called until all are finished. */
  virtual std::int64_t
  Advance(std::int64_t available) = 0;
};

/** What to run over a volume, wherever its pixels are. */
struct PlaneJob
{
  Grid                     grid;
  std::vector<ConstVolume> inputs;
  ConstVolume              mask;
  Volume                   output;
  /** Input planes that an output plane needs on either side. */
  std::int64_t halo = 0;
  /** Slabs start at multiples of this, so that blocks of planes fall alike in a slab and in the whole. */
  std::int64_t planeAlignment = 1;
  /** Device memory that a stage allocates for itself, per plane of its slab. */
  std::size_t scratchBytesPerPlane = 0;
  /** Rough count, by which long jobs on device memory are cut for progress and abort. */
  double       operationsPerVoxel = 1.0;
  PlaneBatches batches;

  std::function<std::unique_ptr<PlaneStage>(GpuContext &, const DeviceSlab &)> makeStage;
};

/** Runs a job: uploads, converts, computes and downloads in overlapping chunks of planes, and in slabs where the
 * volume does not fit. Volumes already on the device as float are used where they are.
 *
 * The job is finished when this returns. Reports progress between chunks.
 * \throws Error, OutOfMemoryError, Aborted; nothing of the caller's is in use after a throw. */
void
RunPlaneJob(Context & context, const PlaneJob & job);

} // namespace cudaneuro

#endif
