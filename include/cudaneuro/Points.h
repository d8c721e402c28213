// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_Points_h
#define cudaneuro_Points_h

#include "cudaneuro/Volume.h"

namespace cudaneuro
{

/** Points, or vectors at points, that are only read: their 2 or 3 coordinates in mm, point after point, as in an array
 * of shape (points, dimension). The type is Float or Double. Null data means "absent". */
struct ConstPoints
{
  const void * data = nullptr;
  PixelType    type = PixelType::Double;
  MemorySpace  space = MemorySpace::Host;
};

/** Points that are written, in the layout of ConstPoints. */
struct Points
{
  void *      data = nullptr;
  PixelType   type = PixelType::Double;
  MemorySpace space = MemorySpace::Host;
};

} // namespace cudaneuro

#endif
