// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CarryArrays_h
#define CarryArrays_h

#include "cudaneuro/VtkSurface.h"

namespace cudaneuro
{

/** Carries the arrays of one surface over to another surface of triangles, as SignedDistanceToSurface describes. */
void
CarryArrays(Context & context, vtkPolyData * from, vtkPolyData * to);

} // namespace cudaneuro

#endif
