// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_surface_SurfaceReport_h
#define apps_surface_SurfaceReport_h

#include "cudaneuro/VtkSurface.h"
#include "shared/Report.h"

/** Distances, volumes and areas as JSON. */
Report::Json
DescribeDistances(const cudaneuro::SurfaceDistances & distances);
void
DescribeSizes(Report::Json & json, const cudaneuro::SurfaceSize & before, const cudaneuro::SurfaceSize & after);

/** Reports how surfaces were denoised. */
class SurfaceReport : public Report
{
public:
  void
  Print() const override;
};

#endif
