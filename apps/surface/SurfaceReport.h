// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_surface_SurfaceReport_h
#define apps_surface_SurfaceReport_h

#include "cudaneuro/VtkSurface.h"
#include "shared/Report.h"

/** Returns distances, angles, volumes and areas as JSON. */
Report::Json
DescribeDistances(const cudaneuro::SurfaceDistances & distances);
Report::Json
DescribeAngles(const cudaneuro::SurfaceAngles & angles);
void
DescribeVolumes(Report::Json & json, double before, double after, double area);
/** Returns whether both surfaces are closed; open ones have no volume. */
bool
AreClosed(vtkPolyData * before, vtkPolyData * after);
void
DescribeAreas(Report::Json & json, const cudaneuro::SurfaceSize & before, const cudaneuro::SurfaceSize & after);

/** Returns the change of a volume in percent; 0 if the volume before was 0, up to rounding, relative to the area. */
double
ChangeInPercent(double before, double after, double area);

/** Reports how surfaces were denoised. */
class SurfaceReport : public Report
{
public:
  void
  Print() const override;

private:
  void
  PrintSurface(const std::string & surface) const;
};

#endif
