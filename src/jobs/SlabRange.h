// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_SlabRange_h
#define cudaneuro_jobs_SlabRange_h

#include <cstdint>

namespace cudaneuro
{

/** Planes [begin, end) of one slab, halo included, of which [keepBegin, keepEnd) are kept. */
struct SlabRange
{
  std::int64_t begin;
  std::int64_t end;
  std::int64_t keepBegin;
  std::int64_t keepEnd;
};

} // namespace cudaneuro

#endif
