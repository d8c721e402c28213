// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_surface_SurfaceFigure_h
#define apps_surface_SurfaceFigure_h

#include <vtkPolyData.h>

#include <string>

/** Draws a surface before and after side by side, and the latter colored by its array Distance, with a color bar in
 * mm. Requires that GetReasonForNoWindow is empty.
 * \throws std::runtime_error */
void
DrawSurfaceFigure(vtkPolyData * before, vtkPolyData * after, const std::string & path);

#endif
