// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_PlaneFrames_h
#define cudaneuro_core_PlaneFrames_h

#include "cudaneuro/Geometry.h"

#include <string>

/** Grids of one slice, which are images in 2D on a plane of space. */
namespace cudaneuro
{

/** Whether a grid is one slice. */
inline bool
IsFlat(const Grid & grid)
{
  return grid.size[2] == 1;
}

/** A map between indices of two slices without its third row and column, which are rounding and what happens along
 * the normal. */
AffineMap
InPlane(AffineMap indexMap);

/** From indices of one grid to indices of another one, through a map of points; between two slices, in their planes. */
AffineMap
IndexMapBetween(const Geometry & from, const AffineMap & map, const Geometry & to);

/** Whether a map is the identity to the bit. */
bool
IsIdentity(const AffineMap & map);

/** The frames of the planes of two slices. A frame has the origin where its plane is nearest to that of space, and
 * the third axis along the normal. The fixed plane's is turned from the axes of space by the smallest angle, and the
 * moving plane's by the smallest angle from that: slices across the third axis keep their coordinates, but for their
 * height, and equal coordinates on parallel planes are above each other. Where the planes are at right angles there
 * are two smallest angles: the grids' axes then turn the same way. */
class PlaneFrames
{
public:
  PlaneFrames(const Geometry & fixed, const Geometry & moving);

  /** The grids in the coordinates of their planes: across the third axis, at 0. */
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

  /** A map from coordinates of the fixed plane to coordinates of the moving plane, of a map between points of space
   * that takes the one plane onto the other. The normal keeps its length: it becomes the other one or its opposite. */
  AffineMap
  ToPlanes(const AffineMap & map) const;

  /** As ToPlanes, of a map that may take the fixed plane anywhere: it is followed by the smallest rotation that
   * makes the plane parallel to the moving one, and by a translation along the normal. */
  AffineMap
  TurnedToPlanes(const AffineMap & map) const;

  /** The map between points of space of a map between coordinates of the planes. */
  AffineMap
  ToSpace(const AffineMap & map) const;

  /** The moving grid and a map to it with its plane laid on the fixed one, for what is in one plane. */
  Geometry
  MovingOnFixedPlane() const;
  AffineMap
  ToFixedPlane(const AffineMap & map) const;

  /** The largest distance from the moving plane of what a map makes of a corner of the fixed grid, in mm. */
  double
  DistanceFromPlane(const AffineMap & map) const;

private:
  /** A map of points in space, in coordinates of the planes. */
  AffineMap
  InFrames(const AffineMap & map) const;

  /** From coordinates of a plane to points of space, and back. */
  AffineMap m_FromFixed;
  AffineMap m_ToFixed;
  AffineMap m_FromMoving;
  AffineMap m_ToMoving;
  Geometry  m_Fixed;
  Geometry  m_Moving;
};

/** Requires a map that takes the plane of one slice onto that of another.
 * \param name of the map
 * \param tolerance for corners, in mm
 * \throws InvalidParameterError that has the distance */
void
RequireOnPlane(const std::string & name, const PlaneFrames & frames, const AffineMap & map, double tolerance);

/** Requires of a map from one grid to another what resampling in the plane needs where both are slices: that each
 * corner of the one is within the thickness of the other, half a voxel to either side. */
void
RequireInSlice(const std::string & name, const Geometry & fixed, const AffineMap & map, const Geometry & moving);

} // namespace cudaneuro

#endif
