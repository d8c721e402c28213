// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ContourSurface.h"

namespace cudaneuro
{

vtkSmartPointer<vtkPolyData>
LabelToSurface(Context & context, const LabelVoxelImage * inside, double * noise)
{
  const ConstVolume volume{ inside->GetBufferPointer(), PixelType::UnsignedChar, MemorySpace::Host };
  const auto        surfaces = MakeLabelSurfaces(context, BufferGeometry(inside), volume, { 1.0 });
  if (noise != nullptr)
  {
    *noise = surfaces.front().noise;
  }
  return WithNormals(ToVtk(surfaces.front().surface));
}

} // namespace cudaneuro
