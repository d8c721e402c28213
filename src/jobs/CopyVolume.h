// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_CopyVolume_h
#define cudaneuro_jobs_CopyVolume_h

#include "cudaneuro/Context.h"

namespace cudaneuro::gpu
{

/** Copies where at least one side is on the device. */
void
CopyVolume(Context & context, const Grid & grid, const ConstVolume & from, const Volume & to);

} // namespace cudaneuro::gpu

#endif
