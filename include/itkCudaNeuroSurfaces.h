// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroSurfaces_h
#define itkCudaNeuroSurfaces_h

#include "CudaNeuroExport.h"
#include "cudaneuro/SignedDistance.h"
#include "itkCommonEnums.h"
#include "itkCudaNeuroPointSets.h"
#include "itkIntTypes.h"

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

/** Conversions between ITK's meshes and label images and the engine's surfaces. For the module's own classes. */
namespace itk::CudaNeuroDetail
{

/** Returns the reach for a filter's parameter: 0 stands for 8 of the largest spacing, so that the band and the patches
 * at its edge, 2.5 voxels and the half diagonal of 7 voxels, contain no truncated distance.
 * \throws ExceptionObject for one that is not positive and finite. */
CudaNeuro_EXPORT double
UsedReach(double reach, const cudaneuro::Grid & grid);

/** Triangles in host memory. */
struct Triangles
{
  std::vector<double>       points;
  std::vector<std::int32_t> triangles;

  cudaneuro::ConstTriangles
  View() const
  {
    return { points.data(),
             static_cast<std::int64_t>(points.size() / 3),
             triangles.data(),
             static_cast<std::int64_t>(triangles.size() / 3) };
  }
};

/** Converts cells to triangles. */
class CudaNeuro_EXPORT TriangleBuilder
{
public:
  /** \param points coordinates in the order of \p identifiers, which ascend, and by which cells refer to
   * points. */
  TriangleBuilder(std::vector<double> points, std::vector<IdentifierType> identifiers);

  /** Adds a triangle, or a polygon as the fan of triangles from its first point.
   * \throws ExceptionObject for another type of cell, and for a point that does not exist. */
  void
  AddCell(IdentifierType cell, CellGeometryEnum type, const IdentifierType * begin, const IdentifierType * end);

  Triangles
  Take()
  {
    return std::move(m_Triangles);
  }

private:
  std::int32_t
  NumberOfPoint(IdentifierType cell, IdentifierType point) const;

  Triangles                   m_Triangles;
  std::vector<IdentifierType> m_Identifiers;
  bool                        m_AreIdentifiersNumbers = false;
};

/** Whether a set of points has cells. */
template <typename TMesh, typename = void>
inline constexpr bool HasCells = false;
template <typename TMesh>
inline constexpr bool HasCells<TMesh, std::void_t<typename TMesh::CellsContainer>> = true;

/** The triangles of a mesh.
 * \throws ExceptionObject for cells that are neither triangles nor polygons. */
template <typename TMesh>
Triangles
TrianglesOf(cudaneuro::Context & context, const TMesh * mesh)
{
  std::vector<IdentifierType> identifiers;
  identifiers.reserve(mesh->GetNumberOfPoints());
  if (const auto * const points = mesh->GetPoints())
  {
    for (auto point = points->Begin(); point != points->End(); ++point)
    {
      identifiers.push_back(point.Index());
    }
  }
  TriangleBuilder builder(PositionsOf(context, mesh), std::move(identifiers));
  if (const auto * const cells = mesh->GetCells())
  {
    for (auto cell = cells->Begin(); cell != cells->End(); ++cell)
    {
      const auto * const geometry = cell.Value();
      if (geometry == nullptr)
      {
        continue; // a cell that was deleted
      }
      const CellGeometryEnum type = geometry->GetType();
      // This is called before PointIdsEnd, because some cells create the list when its beginning is requested.
      const IdentifierType * const begin = geometry->PointIdsBegin();
      builder.AddCell(cell.Index(), type, begin, geometry->PointIdsEnd());
    }
  }
  return builder.Take();
}

/** Returns the triangles of points without cells: three indices of points for each.
 * \throws ExceptionObject for a point that does not exist. */
CudaNeuro_EXPORT Triangles
TrianglesOf(std::vector<double> points, const std::vector<unsigned int> & numbers);

/** The bounding box of a label, in voxels counted from 0. */
struct LabelBox
{
  int                         label = 0;
  std::array<std::int64_t, 3> first{ 0, 0, 0 };
  std::array<std::int64_t, 3> last{ 0, 0, 0 };
};

/** Returns all labels except the background, in ascending order.
 * \param labels integers in host memory. */
CudaNeuro_EXPORT std::vector<LabelBox>
                 FindLabelBoxes(cudaneuro::Context &           context,
                                const cudaneuro::Grid &        grid,
                                const cudaneuro::ConstVolume & labels,
                                int                            background);

/** Returns a part of a volume from voxel \p first on, which may extend beyond it: 1 where the label is, else 0. */
CudaNeuro_EXPORT std::vector<unsigned char>
                 CutOutLabel(cudaneuro::Context &                context,
                             const cudaneuro::Grid &             grid,
                             const cudaneuro::ConstVolume &      labels,
                             int                                 label,
                             const std::array<std::int64_t, 3> & first,
                             const std::array<std::int64_t, 3> & size);

} // namespace itk::CudaNeuroDetail

#endif
