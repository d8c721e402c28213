// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/SyntheticSurfaces.h"

#include "core/ParameterChecks.h"
#include "synthetic/SyntheticContour.h"
#include "synthetic/SyntheticShapes.h"

namespace cudaneuro
{

SyntheticSurface::SyntheticSurface(SyntheticShape shape, double size)
  : m_Shape(shape)
  , m_Size(size)
{
  RequireInRange("size", size, lengthRange);
}

bool
SyntheticSurface::HasEdges() const
{
  return m_Shape != SyntheticShape::Sphere && m_Shape != SyntheticShape::Torus && m_Shape != SyntheticShape::Folds;
}

SurfaceView
SyntheticSurface::At(const std::array<double, 3> & point) const
{
  SurfaceView view = ViewOfShape(m_Shape, { point[0] / m_Size, point[1] / m_Size, point[2] / m_Size });
  view.distance *= m_Size;
  return view;
}

bool
SyntheticSurface::IsInside(const std::array<double, 3> & point) const
{
  return IsInsideShape(m_Shape, { point[0] / m_Size, point[1] / m_Size, point[2] / m_Size });
}

SyntheticMesh
SyntheticSurface::MakeMesh(Context & context, double edgeLength) const
{
  constexpr double fewestEdges = 5.0;
  constexpr double mostEdges = 50.0;
  RequireInRange("edgeLength", edgeLength, { m_Size / mostEdges, m_Size / fewestEdges });
  return ContourOf(context, *this, edgeLength);
}

} // namespace cudaneuro
