// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "CarryArrays.h"

#include "TriangleTree.h"

#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

namespace
{

/** Whether numbers between two values of an array are possible values, too, and so can be interpolated. */
bool
IsReal(const vtkAbstractArray & array)
{
  return array.GetDataType() == VTK_FLOAT || array.GetDataType() == VTK_DOUBLE;
}

/** Whether an array is carried over; normals and tangents belong to the surface itself. */
bool
IsCarried(vtkDataSetAttributes & attributes, vtkAbstractArray * array)
{
  return array != attributes.GetNormals() && array != attributes.GetTangents() && array->GetName() != nullptr;
}

vtkSmartPointer<vtkAbstractArray>
MakeArrayLike(vtkAbstractArray * array, vtkIdType count)
{
  auto made = vtkSmartPointer<vtkAbstractArray>::Take(array->NewInstance());
  made->SetName(array->GetName());
  made->SetNumberOfComponents(array->GetNumberOfComponents());
  made->CopyComponentNames(array);
  made->SetNumberOfTuples(count);
  return made;
}

/** Keeps active arrays active, such as colors in programs that show them. Identifiers become plain numbers, because
 * several points or cells may have the same one. */
void
CopyActive(vtkDataSetAttributes & from, vtkDataSetAttributes & to)
{
  using Attributes = vtkDataSetAttributes;
  for (const int kind : { Attributes::SCALARS, Attributes::VECTORS, Attributes::TENSORS, Attributes::TCOORDS })
  {
    vtkAbstractArray * const array = from.GetAbstractAttribute(kind);
    if (array != nullptr && array->GetName() != nullptr)
    {
      to.SetActiveAttribute(array->GetName(), kind);
    }
  }
}

std::vector<ClosestPoint>
FindPoints(Context & context, const TriangleTree & tree, vtkPolyData * surface)
{
  const SurfaceTriangles triangles(surface);
  return tree.FindAll(context, triangles.GetNumberOfPoints(), [&](std::size_t i) { return triangles.GetPoint(i); });
}

/** Finds the closest points to the centers of the triangles of a surface. */
std::vector<ClosestPoint>
FindCells(Context & context, const TriangleTree & tree, vtkPolyData * surface)
{
  const SurfaceTriangles triangles(surface);
  return tree.FindAll(context, triangles.GetNumberOfTriangles(), [&](std::size_t i) {
    const auto corners = triangles.GetCorners(i);
    Vector3    center;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      center[axis] = (corners[0][axis] + corners[1][axis] + corners[2][axis]) / 3.0;
    }
    return center;
  });
}

void
CarryPointArray(const SurfaceTriangles &          from,
                vtkAbstractArray *                array,
                const std::vector<ClosestPoint> & found,
                vtkAbstractArray *                to)
{
  vtkNew<vtkIdList> corners;
  corners->SetNumberOfIds(3);
  for (std::size_t i = 0; i < found.size(); ++i)
  {
    const ClosestPoint & closest = found[i];
    for (int corner = 0; corner < 3; ++corner)
    {
      corners->SetId(corner, static_cast<vtkIdType>(from.GetIndex(closest.triangle, corner)));
    }
    if (IsReal(*array))
    {
      auto weights = closest.weights;
      to->InterpolateTuple(static_cast<vtkIdType>(i), corners, array, weights.data());
      continue;
    }
    const auto largest = std::max_element(closest.weights.begin(), closest.weights.end()) - closest.weights.begin();
    to->SetTuple(static_cast<vtkIdType>(i), corners->GetId(largest), array);
  }
}

bool
HasCarriedArrays(vtkDataSetAttributes & attributes)
{
  for (int i = 0; i < attributes.GetNumberOfArrays(); ++i)
  {
    if (IsCarried(attributes, attributes.GetAbstractArray(i)))
    {
      return true;
    }
  }
  return false;
}

} // namespace

void
CarryArrays(Context & context, vtkPolyData * from, vtkPolyData * to)
{
  const SurfaceTriangles triangles(from);
  const TriangleTree     tree(triangles);
  vtkDataSetAttributes & points = *from->GetPointData();
  if (HasCarriedArrays(points))
  {
    const auto found = FindPoints(context, tree, to);
    for (int i = 0; i < points.GetNumberOfArrays(); ++i)
    {
      vtkAbstractArray * const array = points.GetAbstractArray(i);
      if (IsCarried(points, array))
      {
        const auto carried = MakeArrayLike(array, to->GetNumberOfPoints());
        CarryPointArray(triangles, array, found, carried);
        to->GetPointData()->AddArray(carried);
      }
    }
    CopyActive(points, *to->GetPointData());
  }
  vtkDataSetAttributes & cells = *from->GetCellData();
  if (HasCarriedArrays(cells))
  {
    const auto found = FindCells(context, tree, to);
    for (int i = 0; i < cells.GetNumberOfArrays(); ++i)
    {
      vtkAbstractArray * const array = cells.GetAbstractArray(i);
      if (IsCarried(cells, array))
      {
        const auto carried = MakeArrayLike(array, to->GetNumberOfCells());
        for (std::size_t cell = 0; cell < found.size(); ++cell)
        {
          carried->SetTuple(static_cast<vtkIdType>(cell), static_cast<vtkIdType>(found[cell].triangle), array);
        }
        to->GetCellData()->AddArray(carried);
      }
    }
    CopyActive(cells, *to->GetCellData());
  }
}

void
AddDistances(Context & context, vtkPolyData * surface, vtkPolyData * other, const char * nameOfArray)
{
  const SurfaceTriangles triangles(ToTriangles(other));
  const TriangleTree     tree(triangles);
  vtkNew<vtkDoubleArray> distances;
  distances->SetName(nameOfArray);
  distances->SetNumberOfTuples(surface->GetNumberOfPoints());
  const auto found = tree.FindAll(context, static_cast<std::size_t>(surface->GetNumberOfPoints()), [&](std::size_t i) {
    Vector3 point;
    surface->GetPoint(static_cast<vtkIdType>(i), point.data());
    return point;
  });
  for (std::size_t i = 0; i < found.size(); ++i)
  {
    distances->SetValue(static_cast<vtkIdType>(i), std::sqrt(found[i].squaredDistance));
  }
  surface->GetPointData()->AddArray(distances);
}

} // namespace cudaneuro
