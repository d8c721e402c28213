// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_surfaces_SurfaceRepair_h
#define files_surfaces_SurfaceRepair_h

#include <vtkPolyData.h>

#include <string>

namespace cudaneuro::files
{

/** Points of open edges are joined where they are as near to each other as this part of the diagonal of the
 * surface's box. */
constexpr double joiningTolerance = 1e-6;

/** Repairs what programs of CAD write, of a surface whose points are finite, with warnings that name its file: joins
 * points of open edges that differ by rounding, drops triangles that vanish by that, and triangles that are there
 * twice in the same sense. Edges that have their two triangles stay, however short they are. */
void
RepairSurface(const std::string & path, vtkPolyData & surface);

} // namespace cudaneuro::files

#endif
