// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_surfaces_XmlNames_h
#define files_surfaces_XmlNames_h

#include <vtkPolyData.h>

namespace cudaneuro::files
{

/** Escapes the names of the arrays of a surface, and of their components, because VTK's writer of XML does not. The
 * numbers stay shared with the arrays that they come from, whose names stay.
 * \throws std::runtime_error for a name that XML cannot have */
void
EscapeNames(vtkPolyData & surface);

} // namespace cudaneuro::files

#endif
