// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceFields_h
#define ReferenceFields_h

#include "ForEachVoxel.h"
#include "cudaneuro/DisplacementField.h"

#include <array>
#include <vector>

/** Slow operations on displacement fields in double precision, written from their definitions. Fields have vectors of
 * three components in mm, side by side. */
namespace reference
{

using Point = std::array<double, 3>;

Point
PointOfIndex(const cudaneuro::Geometry & geometry, const Point & index);

/** Solves PointOfIndex for the index. */
Point
IndexOfPoint(const cudaneuro::Geometry & geometry, const Point & point);

Point
Apply(const cudaneuro::AffineMap & map, const Point & point);

/** Calls body(index, element) for all voxels, x fastest. */
template <typename TBody>
void
ForAllVoxels(const cudaneuro::Grid & grid, const TBody & body)
{
  ForEachVoxel(grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::size_t i) {
    body(Point{ static_cast<double>(x), static_cast<double>(y), static_cast<double>(z) }, i);
  });
}

/** Whether an index is on the grid, in the sense of itk::ImageFunction::IsInsideBuffer. */
bool
IsInside(const cudaneuro::Grid & grid, const Point & index);

/** The field that a function gives at the points of a grid. */
template <typename TFunction>
std::vector<double>
FieldOf(const cudaneuro::Geometry & geometry, const TFunction & function)
{
  std::vector<double> field(3 * static_cast<std::size_t>(geometry.grid.NumberOfVoxels()));
  ForAllVoxels(geometry.grid, [&](const Point & index, std::size_t i) {
    const Point displacement = function(PointOfIndex(geometry, index));
    for (int axis = 0; axis < 3; ++axis)
    {
      field[3 * i + axis] = displacement[axis];
    }
  });
  return field;
}

/** The displacement at any point; beyond the edge it is that of the edge. */
Point
DisplacementAt(const cudaneuro::Geometry & geometry, const std::vector<double> & field, const Point & point);

/** WarpImage; mask and field may be empty. */
std::vector<double>
Warp(const cudaneuro::WarpParameters &  parameters,
     const cudaneuro::Geometry &        inputGeometry,
     const std::vector<double> &        input,
     const std::vector<unsigned char> & mask,
     const cudaneuro::Geometry &        outputGeometry,
     const cudaneuro::AffineMap &       transform,
     const std::vector<double> &        field);

/** ComposeDisplacementFields. */
std::vector<double>
ComposeFields(const cudaneuro::Geometry & geometry,
              const std::vector<double> & first,
              const cudaneuro::Geometry & geometryOfSecond,
              const std::vector<double> & second);

/** det(I + d field / dp) of every voxel. */
std::vector<double>
JacobianDeterminants(const cudaneuro::Geometry & geometry, const std::vector<double> & field);

} // namespace reference

#endif
