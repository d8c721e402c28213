// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/points/MeshCells.h"

#include "itkVector.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace cudaneuro::files
{

namespace
{

using Vector = itk::Vector<double, 3>;

/** Cuts ears off a polygon: triangles of three points in a row that have no other point inside, those with the shortest
 * cut first. */
class EarCutter
{
public:
  EarCutter(const PointData & data, const MeshCell & polygon)
    : m_Left(polygon.points)
  {
    for (const std::uint32_t point : m_Left)
    {
      const double * const place = data.coordinates.data() + 3 * std::size_t{ point };
      m_Places.emplace_back(place);
    }
    for (std::size_t i = 1; i + 1 < m_Places.size(); ++i)
    {
      m_Normal += itk::CrossProduct(m_Places[i] - m_Places[0], m_Places[i + 1] - m_Places[0]);
    }
    for (std::size_t i = 0; i < m_Places.size(); ++i)
    {
      m_Costs.push_back(this->CostOf(i));
    }
  }

  std::vector<MeshCell>
  Cut()
  {
    std::vector<MeshCell> triangles;
    while (m_Left.size() > 3)
    {
      // Where a polygon crosses itself there may be no ear, and any three points are cut off.
      const auto ear = static_cast<std::size_t>(std::min_element(m_Costs.begin(), m_Costs.end()) - m_Costs.begin());
      const auto at = static_cast<std::ptrdiff_t>(ear);
      triangles.push_back(
        { MeshCell::Kind::Polygon, { m_Left[this->Before(ear)], m_Left[ear], m_Left[this->Behind(ear)] } });
      m_Left.erase(m_Left.begin() + at);
      m_Places.erase(m_Places.begin() + at);
      m_Costs.erase(m_Costs.begin() + at);
      for (const std::size_t neighbor : { this->Before(ear % m_Left.size()), ear % m_Left.size() })
      {
        m_Costs[neighbor] = this->CostOf(neighbor);
      }
    }
    triangles.push_back({ MeshCell::Kind::Polygon, m_Left });
    return triangles;
  }

private:
  std::size_t
  Before(std::size_t i) const
  {
    return (i + m_Left.size() - 1) % m_Left.size();
  }
  std::size_t
  Behind(std::size_t i) const
  {
    return (i + 1) % m_Left.size();
  }

  /** Whether a place is left of a line that runs from one place to another, seen from where the polygon runs around
   * counterclockwise. */
  bool
  IsLeft(const Vector & from, const Vector & to, const Vector & place) const
  {
    return itk::CrossProduct(to - from, place - from) * m_Normal > 0.0;
  }

  bool
  IsEar(std::size_t i) const
  {
    const Vector & a = m_Places[this->Before(i)];
    const Vector & b = m_Places[i];
    const Vector & c = m_Places[this->Behind(i)];
    return this->IsLeft(a, b, c) && std::none_of(m_Places.begin(), m_Places.end(), [&](const Vector & place) {
             return place != a && place != b && place != c && !this->IsLeft(b, a, place) &&
                    !this->IsLeft(c, b, place) && !this->IsLeft(a, c, place);
           });
  }

  /** The squared length of the cut; the largest number where three points are no ear. */
  double
  CostOf(std::size_t i) const
  {
    const Vector cut = m_Places[this->Before(i)] - m_Places[this->Behind(i)];
    return this->IsEar(i) ? cut.GetSquaredNorm() : std::numeric_limits<double>::max();
  }

  /** The points that are left, their places, and what it costs to cut off each with its neighbors. */
  std::vector<std::uint32_t> m_Left;
  std::vector<Vector>        m_Places;
  std::vector<double>        m_Costs;
  Vector                     m_Normal{ 0.0 };
};

bool
IsPolygon(const MeshCell & cell)
{
  return cell.kind == MeshCell::Kind::Polygon;
}

} // namespace

std::vector<MeshCell>
TrianglesOf(const PointData & data, const MeshCell & polygon)
{
  return EarCutter(data, polygon).Cut();
}

std::vector<MeshCell>
FittingCells(HeldCells held, const PointData & data)
{
  if (held == HeldCells::All || held == HeldCells::Nothing)
  {
    return data.cells;
  }
  std::vector<MeshCell> fitting;
  for (const MeshCell & cell : data.cells)
  {
    if (IsPolygon(cell) && held == HeldCells::Triangles && cell.points.size() > 3)
    {
      std::vector<MeshCell> triangles = TrianglesOf(data, cell);
      std::move(triangles.begin(), triangles.end(), std::back_inserter(fitting));
    }
    else if (IsPolygon(cell))
    {
      fitting.push_back(cell);
    }
  }
  return fitting;
}

std::size_t
LeastPoints(const MeshCell & cell)
{
  return cell.kind == MeshCell::Kind::Polygon ? 3 : cell.kind == MeshCell::Kind::Line ? 2 : 1;
}

bool
LeavesOutCells(HeldCells held, const PointData & data)
{
  return held != HeldCells::All && held != HeldCells::Nothing &&
         !std::all_of(data.cells.begin(), data.cells.end(), IsPolygon);
}

} // namespace cudaneuro::files
