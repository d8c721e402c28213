// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_MapRows_h
#define apps_shared_MapRows_h

#include "cudaneuro/Geometry.h"

#include <vector>

/** Linear maps as reports have them: with as many axes as an image has. */

std::vector<std::vector<double>>
MatrixRowsOf(const cudaneuro::AffineMap & map, unsigned int dimension);

/** In mm along the axes of space (LPS). */
std::vector<double>
OffsetOf(const cudaneuro::AffineMap & map, unsigned int dimension);

#endif
