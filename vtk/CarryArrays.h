// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CarryArrays_h
#define CarryArrays_h

#include "cudaneuro/VtkSurface.h"

namespace cudaneuro
{

/** Gives a surface of triangles the arrays of another one, as SignedDistanceToSurface says. */
void
CarryArrays(Context & context, vtkPolyData * from, vtkPolyData * to);

} // namespace cudaneuro

#endif
