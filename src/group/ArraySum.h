// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_group_ArraySum_h
#define cudaneuro_group_ArraySum_h

#include "cuda/GpuContext.h"
#include "group/DeviceSum.h"

#include <vector>

/** Sums of arrays in memory of one device, which has to be current. All is enqueued on the compute stream. */
namespace cudaneuro::gpu
{

/** The first array becomes the sum of all. */
void
EnqueueSumIntoFirst(const GpuContext & gpu, const std::vector<void *> & arrays, std::size_t count, SumType type);

/** All others become the first. */
void
EnqueueCopiesOfFirst(const GpuContext & gpu, const std::vector<void *> & arrays, std::size_t count, SumType type);

/** All arrays become the sum of all. */
void
EnqueueSumIntoAll(const GpuContext & gpu, const std::vector<void *> & arrays, std::size_t count, SumType type);

} // namespace cudaneuro::gpu

#endif
