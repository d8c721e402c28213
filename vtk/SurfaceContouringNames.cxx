// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/VtkSurface.h"

#include "core/EnumNames.h"

namespace cudaneuro
{

namespace
{

constexpr EnumNames<SurfaceContouring, 2> contouringNames{ "contouring",
                                                           { { { SurfaceContouring::MarchingCubes, "MarchingCubes" },
                                                               { SurfaceContouring::KeepEdges, "KeepEdges" } } } };

} // namespace

std::ostream &
operator<<(std::ostream & os, SurfaceContouring contouring)
{
  return contouringNames.Print(os, contouring);
}

void
FromName(const std::string & name, SurfaceContouring & contouring)
{
  contouring = contouringNames.Parse(name);
}

} // namespace cudaneuro
