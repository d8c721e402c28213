// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_PlaneFrames_h
#define cudaneuro_core_PlaneFrames_h

#include "cudaneuro/Geometry.h"

#include <string>

/** Grids of one slice, which are 2D images on a plane in space. */
namespace cudaneuro
{

/** Returns whether a grid is one slice. */
inline bool
IsFlat(const Grid & grid)
{
  return grid.size[2] == 1;
}

/** Returns a map between indices of two slices without its third row and column, which hold rounding errors and the
 * change along the normal. */
AffineMap
InPlane(AffineMap indexMap);

/** Returns the map of indices from one grid to another, from a map of points; between two slices, in their planes. */
AffineMap
IndexMapBetween(const Geometry & from, const AffineMap & map, const Geometry & to);

/** Returns whether a map is exactly the identity. */
bool
IsIdentity(const AffineMap & map);

/** The frames of the planes of two slices. A frame has its origin where the plane is nearest to that of space, and
 * its third axis along the normal. The fixed plane's frame is rotated from the axes of space by the smallest angle, and
 * the moving plane's by the smallest angle from that: slices across the third axis keep their coordinates, except for
 * their height, and equal coordinates on parallel planes are above each other. For perpendicular planes there
 * are two smallest angles: of these, the one for which the grids' axes turn the same way is chosen. */
class PlaneFrames
{
public:
  PlaneFrames(const Geometry & fixed, const Geometry & moving);

  /** Return the grids in the coordinates of their planes: across the third axis, at 0. */
  const Geometry &
  GetFixed() const
  {
    return m_Fixed;
  }
  const Geometry &
  GetMoving() const
  {
    return m_Moving;
  }

  /** Returns a map from coordinates of the fixed plane to those of the moving plane, for a map of points in space that
   * maps one plane onto the other. The normal keeps its length: it becomes the other normal or its opposite. */
  AffineMap
  ToPlanes(const AffineMap & map) const;

  /** Does the same as ToPlanes for a map that may move the fixed plane anywhere: the smallest rotation that makes the
   * plane parallel to the moving one follows it, and then a translation along the normal. */
  AffineMap
  TurnedToPlanes(const AffineMap & map) const;

  /** Returns the map of points in space for a map of coordinates of the planes. */
  AffineMap
  ToSpace(const AffineMap & map) const;

  /** Return the moving grid laid on the fixed plane, and a map to that grid, for operations in one plane. */
  Geometry
  MovingOnFixedPlane() const;
  AffineMap
  ToFixedPlane(const AffineMap & map) const;

  /** Returns the largest distance of a mapped corner of the fixed grid from the moving plane, in mm. */
  double
  DistanceFromPlane(const AffineMap & map) const;

private:
  /** Returns a map of points in space, expressed in coordinates of the planes. */
  AffineMap
  InFrames(const AffineMap & map) const;

  /** The maps from coordinates of a plane to points in space, and back. */
  AffineMap m_FromFixed;
  AffineMap m_ToFixed;
  AffineMap m_FromMoving;
  AffineMap m_ToMoving;
  Geometry  m_Fixed;
  Geometry  m_Moving;
};

/** Requires a map that maps the plane of one slice onto that of another.
 * \param name name of the map
 * \param tolerance tolerance for corners, in mm
 * \throws InvalidParameterError with the distance */
void
RequireOnPlane(const std::string & name, const PlaneFrames & frames, const AffineMap & map, double tolerance);

/** If both grids are slices, requires of a map from one to the other what resampling in the plane needs: each corner of
 * one grid must be within the thickness of the other, half a voxel to either side. */
void
RequireInSlice(const std::string & name, const Geometry & fixed, const AffineMap & map, const Geometry & moving);

} // namespace cudaneuro

#endif
