// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ImageStatistics.h"

#include "core/Dispatch.h"
#include "core/ParameterChecks.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"

namespace cudaneuro
{

ImageStatistics
VolumeStatistics(Context & context, std::int64_t numberOfVoxels, const float * input, const unsigned char * mask)
{
  CUDANEURO_DISPATCH(context, VolumeStatistics(context, numberOfVoxels, input, mask));
}

ImageStatistics
ComputeImageStatistics(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask)
{
  RequireGrid(grid);
  RequireVolume("input", context, input);
  RequireMask(context, mask);
  ImageStatistics statistics;
  RunDeviceJob(context, [&] {
    Context::ProgressSteps progress(context);
    progress.UpTo(0.5);
    const FloatInput source(context, grid, input);
    progress.UpTo(0.7);
    const MaskInput inside(context, grid, mask);
    progress.UpTo(1.0);
    statistics = VolumeStatistics(context, grid.NumberOfVoxels(), source.Data(), inside.Data());
  });
  context.ReportProgress(1.0);
  return statistics;
}

} // namespace cudaneuro
