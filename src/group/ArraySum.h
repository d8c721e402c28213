// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_group_ArraySum_h
#define cudaneuro_group_ArraySum_h

#include "cuda/GpuContext.h"
#include "group/DeviceSum.h"

#include <vector>

/** Sums of arrays in memory of one device, which must be current. All work is enqueued on the compute stream. */
namespace cudaneuro::gpu
{

/** Replaces the first array by the sum of all. */
void
EnqueueSumIntoFirst(const GpuContext & gpu, const std::vector<void *> & arrays, std::size_t count, SumType type);

/** Replaces all other arrays by copies of the first. */
void
EnqueueCopiesOfFirst(const GpuContext & gpu, const std::vector<void *> & arrays, std::size_t count, SumType type);

/** Replaces all arrays by their sum. */
void
EnqueueSumIntoAll(const GpuContext & gpu, const std::vector<void *> & arrays, std::size_t count, SumType type);

} // namespace cudaneuro::gpu

#endif
