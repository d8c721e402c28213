// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_BandContour_h
#define cudaneuro_labels_BandContour_h

#include "cudaneuro/SurfaceContour.h"
#include "labels/levels/LabelLevels.h"

#include <cstdint>
#include <vector>

namespace cudaneuro
{

/** The zero level of a level set in a band. */
struct BandContour
{
  /** The contour in units, relative to the first voxel of the box. */
  SurfaceContour surface;
  /** The voxels of the band between which each vertex lies, and its position as a fraction of the way from the first to
   * the second. If one of them is not in the band, both are the other one. */
  struct Place
  {
    std::int32_t low;
    std::int32_t high;
    float        part;
  };
  std::vector<Place> places;
  /** The edge of the box's grid on which each vertex lies: its lower voxel, its axis, and the side of that voxel. */
  struct Edge
  {
    std::int64_t voxel;
    int          axis;
    bool         isLowInside;
  };
  std::vector<Edge> edges;
  /** The vertex on the edge from voxel i upwards along an axis: vertices[3 i + axis]; -1 where there is none. */
  std::vector<std::int32_t> vertices;

  std::size_t
  NumberOfVertices() const
  {
    return places.size();
  }
  /** Interpolates values of the band's voxels at a vertex. */
  float
  Sample(const std::vector<float> & values, std::size_t vertex) const
  {
    const Place & place = places[vertex];
    return values[static_cast<std::size_t>(place.low)] * (1.0f - place.part) +
           values[static_cast<std::size_t>(place.high)] * place.part;
  }
  float
  Sample(const VersionValues & values, int version, std::size_t vertex) const
  {
    const Place & place = places[vertex];
    const auto    at = [&](std::int32_t voxel) {
      return values[static_cast<std::size_t>(std::int64_t{ versions } * voxel + version)];
    };
    return at(place.low) * (1.0f - place.part) + at(place.high) * place.part;
  }
};

/** Contours a level set by marching cubes. Voxels beyond the band are on the side of their label. The mesh is closed.
 * \param levels positive inside; version 0 is contoured */
BandContour
ContourOfBand(Context & context, const LabelGrid & grid, const LabelBand & band, const VersionValues & levels);

} // namespace cudaneuro

#endif
