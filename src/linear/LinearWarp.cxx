// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/LinearRegistration.h"

#include "core/ParameterChecks.h"
#include "fields/warp/Warp.h"
#include "images/ValidImage.h"
#include "jobs/DeviceJob.h"
#include "linear/LinearMetricChecks.h"

namespace cudaneuro
{

void
WarpMovingImage(Context &                  context,
                const WarpParameters &     parameters,
                const LinearMetricImages & images,
                const AffineMap &          map,
                const Volume &             output)
{
  RequireLinearMetricImages(context, images);
  RequireMap(map, PlanesOf(images));
  RequireParameters(parameters);
  RequireMaskedInterpolation(parameters.interpolation);
  RequireVolume("output", context, output);
  RunDeviceJob(context, [&] {
    Context::ProgressSteps progress(context);
    progress.UpTo(0.3);
    const Grid &     grid = images.movingGeometry.grid;
    const FloatInput moving(context, grid, images.movingImage);
    progress.UpTo(0.3); // several steps, each of which reports from 0 to 1
    const ValidImage valid(context, "moving image", grid, moving.Data(), images.movingMask, false);
    IndexMapping     mapping;
    mapping.indexMap = IndexMapBetween(images.fixedGeometry, map, images.movingGeometry);
    FloatOutput warped(context, images.fixedGeometry.grid, output, images.movingImage.data);
    progress.UpTo(0.9);
    WarpVolume(context,
               { ExtentOf(grid),
                 moving.Data(),
                 valid.Mask(),
                 ExtentOf(images.fixedGeometry.grid),
                 mapping,
                 parameters.interpolation,
                 static_cast<float>(parameters.edgePaddingValue),
                 warped.Data() });
    progress.UpTo(1.0);
    warped.Finish();
  });
  context.ReportProgress(1.0);
}

} // namespace cudaneuro
