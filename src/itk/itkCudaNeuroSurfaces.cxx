// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaNeuroSurfaces.h"

#include "itkMacro.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace itk::CudaNeuroDetail
{

double
UsedReach(double reach, const cudaneuro::Grid & grid)
{
  if (!(reach >= 0.0 && std::isfinite(reach)))
  {
    itkGenericExceptionMacro("Reach is " << reach << "; it must be positive, or 0 for 8 voxels");
  }
  return reach > 0.0 ? reach : 8.0 * *std::max_element(grid.spacing.begin(), grid.spacing.end());
}

TriangleBuilder::TriangleBuilder(std::vector<double> points, std::vector<IdentifierType> identifiers)
  : m_Identifiers(std::move(identifiers))
{
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  if (m_Identifiers.size() > most)
  {
    itkGenericExceptionMacro("The mesh has " << m_Identifiers.size() << " points; the most that are supported are "
                                             << most);
  }
  m_Triangles.points = std::move(points);
  // Identifiers of vectors of points, and of most other containers, are numbers from 0 on.
  m_AreIdentifiersNumbers = m_Identifiers.empty() || m_Identifiers.back() == m_Identifiers.size() - 1;
}

std::int32_t
TriangleBuilder::NumberOfPoint(IdentifierType cell, IdentifierType point) const
{
  const auto at =
    m_AreIdentifiersNumbers
      ? m_Identifiers.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(point, m_Identifiers.size()))
      : std::lower_bound(m_Identifiers.begin(), m_Identifiers.end(), point);
  if (at == m_Identifiers.end() || *at != point)
  {
    itkGenericExceptionMacro("Cell " << cell << " has point " << point << ", which is not among the "
                                     << m_Identifiers.size() << " points of the mesh");
  }
  return static_cast<std::int32_t>(at - m_Identifiers.begin());
}

void
TriangleBuilder::AddCell(IdentifierType         cell,
                         CellGeometryEnum       type,
                         const IdentifierType * begin,
                         const IdentifierType * end)
{
  if (type != CellGeometryEnum::TRIANGLE_CELL && type != CellGeometryEnum::QUADRILATERAL_CELL &&
      type != CellGeometryEnum::POLYGON_CELL)
  {
    itkGenericExceptionMacro("Cell " << cell << " is a " << type << "; a surface is made of triangles and polygons");
  }
  if (end - begin < 3)
  {
    itkGenericExceptionMacro("Cell " << cell << " is a " << type << " of " << end - begin
                                     << " points; it must have 3 or more");
  }
  const std::int32_t first = this->NumberOfPoint(cell, *begin);
  std::int32_t       last = this->NumberOfPoint(cell, begin[1]);
  for (const IdentifierType * point = begin + 2; point != end; ++point)
  {
    const std::int32_t next = this->NumberOfPoint(cell, *point);
    m_Triangles.triangles.insert(m_Triangles.triangles.end(), { first, last, next });
    last = next;
  }
}

Triangles
TrianglesOf(std::vector<double> points, const std::vector<unsigned int> & numbers)
{
  Triangles         result;
  const std::size_t numberOfPoints = points.size() / 3;
  if (numbers.size() % 3 != 0)
  {
    itkGenericExceptionMacro("Triangles has " << numbers.size() << " numbers; it must have three for each triangle");
  }
  result.points = std::move(points);
  result.triangles.reserve(numbers.size());
  for (const unsigned int number : numbers)
  {
    if (number >= numberOfPoints || number > static_cast<unsigned int>(std::numeric_limits<std::int32_t>::max()))
    {
      itkGenericExceptionMacro("Triangles has point " << number << ", which is not among the " << numberOfPoints
                                                      << " points");
    }
    result.triangles.push_back(static_cast<std::int32_t>(number));
  }
  return result;
}

} // namespace itk::CudaNeuroDetail
