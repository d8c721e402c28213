// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_SyntheticSurfaces_h
#define cudaneuro_SyntheticSurfaces_h

#include "cudaneuro/Context.h"
#include "cudaneuro/EnumNames.h"
#include "cudaneuro/Parameters.h"
#include "cudaneuro/SignedDistance.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cudaneuro
{

/** Shapes whose surface is known exactly. All but the last three have sharp edges. */
enum class SyntheticShape
{
  /** A cube, its faces along the axes. */
  Box,
  /** A square box that is rotated against the axes. */
  TiltedBox,
  /** A square block upon a larger one, along the axes (Lee et al., figure 6), and rotated. */
  Blocks,
  TiltedBlocks,
  Cylinder,
  /** A cone without its tip. */
  Cone,
  /** A prism over a triangle, with edges of 90, 61 and 29 degrees. */
  Wedge,
  /** A prism over an L with one corner cut. */
  Bracket,
  /** A turned part: cylinders and cones with convex and concave edges. */
  Shaft,
  /** A hexagonal prism with a round hole. */
  Nut,
  Sphere,
  Torus,
  /** A ball with folds like those of a cortex, 0.4 sizes wide and 0.2 deep. */
  Folds
};

/** The names of the values, for streams and FromName. */
constexpr auto
NamesOf(SyntheticShape)
{
  using E = SyntheticShape;
  return MakeEnumNames<E>("shape",
                          { { E::Box, "Box" },
                            { E::TiltedBox, "TiltedBox" },
                            { E::Blocks, "Blocks" },
                            { E::TiltedBlocks, "TiltedBlocks" },
                            { E::Cylinder, "Cylinder" },
                            { E::Cone, "Cone" },
                            { E::Wedge, "Wedge" },
                            { E::Bracket, "Bracket" },
                            { E::Shaft, "Shaft" },
                            { E::Nut, "Nut" },
                            { E::Sphere, "Sphere" },
                            { E::Torus, "Torus" },
                            { E::Folds, "Folds" } });
}

/** Distance and normal of a surface, as seen from a point. */
struct SurfaceView
{
  /** In mm, negative inside. */
  double distance = 0.0;
  /** The gradient of the distance: the outward normal at the nearest point, and where that is on an edge, the direction
   * from there to the point, or the opposite one for points inside. */
  std::array<double, 3> normal{};
};

/** A closed surface of triangles in host memory. */
struct SyntheticMesh
{
  std::vector<double>       points;
  std::vector<std::int32_t> triangles;
  /** Returns a view of the surface for functions that read it; valid as long as this object is. */
  ConstTriangles
  View() const
  {
    return { points.data(),
             static_cast<std::int64_t>(points.size() / 3),
             triangles.data(),
             static_cast<std::int64_t>(triangles.size() / 3) };
  }
};

/** A surface that is known exactly, to test and to compare methods that denoise surfaces.
 *
 * It is centered on the origin. Distances are exact formulas; for Folds the nearest point is found by iteration, with
 * an error below 1e-6 sizes for points within 0.04 sizes of the surface; beyond, some point of the surface is at the
 * returned distance. Results have the same bits on every machine.
 *
 * \ingroup CudaNeuro */
class CudaNeuro_EXPORT SyntheticSurface
{
public:
  /** \param size half the extent of the shape, in mm; the diagonal of a box is longer.
   * \throws InvalidParameterError unless it is finite and above 0. */
  SyntheticSurface(SyntheticShape shape, double size);
  /** The shape that the surface has. */
  SyntheticShape
  GetShape() const
  {
    return m_Shape;
  }
  /** Half the extent of the shape, in mm. */
  double
  GetSize() const
  {
    return m_Size;
  }
  /** Whether the shape has sharp edges. */
  bool
  HasEdges() const;
  /** Returns the distance of a point from the surface, and the normal there. */
  SurfaceView
  At(const std::array<double, 3> & point) const;

  /** Whether At().distance is negative, but quicker. */
  bool
  IsInside(const std::array<double, 3> & point) const;

  /** Makes triangles whose vertices are on the surface, and on its edges and corners if it has these: dual contouring
   * (Ju, Losasso, Schaefer and Warren 2002) with exact normals, relaxed along the surface. Normals are outward.
   * \param edgeLength the approximate length of edges; from size / 50 to size / 5.
   * \throws InvalidParameterError, Aborted */
  SyntheticMesh
  MakeMesh(Context & context, double edgeLength) const;

private:
  SyntheticShape m_Shape;
  double         m_Size;
};
/** Which vertices noise moves. */
enum class SurfaceNoise
{
  /** Each vertex is moved along its normal by a normally distributed distance. */
  Gaussian,
  /** One of five vertices, chosen at random, is moved so. */
  Impulsive
};

/** The names of the values, for streams and FromName. */
constexpr auto
NamesOf(SurfaceNoise)
{
  using E = SurfaceNoise;
  return MakeEnumNames<E>("noise", { { E::Gaussian, "Gaussian" }, { E::Impulsive, "Impulsive" } });
}

/** Parameters of AddNoise; Describe lists their units, meanings and ranges. */
struct SurfaceNoiseParameters
{
  SurfaceNoise  noiseKind = SurfaceNoise::Gaussian;
  double        deviation = 0.2;
  std::uint64_t seed = 1;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const SurfaceNoiseParameters &)
{
  using P = SurfaceNoiseParameters;
  return std::make_tuple(Parameter(&P::noiseKind, "NoiseKind", "", "Whether noise moves every point, or one in five"),
                         Parameter(&P::deviation,
                                   "Deviation",
                                   "mean lengths of edges",
                                   "Standard deviation of noise along normals",
                                   Between(0.0, 10.0)),
                         Parameter(&P::seed, "Seed", "", "Seed of the random noise"));
}

/** Adds noise to a mesh, with the same bits on every machine.
 * \throws InvalidParameterError naming the value. */
CudaNeuro_EXPORT SyntheticMesh
AddNoise(const SyntheticMesh & mesh, const SurfaceNoiseParameters & parameters);

/** Returns the mean length of all triangles' edges, in mm. */
CudaNeuro_EXPORT double
MeanEdgeLength(const ConstTriangles & surface);

/** Returns the enclosed volume in mm^3; negative where normals are inward. */
CudaNeuro_EXPORT double
EnclosedVolume(const ConstTriangles & surface);

/** Distances and angles between a surface and the true one. */
struct SurfaceErrors
{
  /** Mean, weighted by area, of the angle in degrees between a triangle's normal and the true surface's, at the center
   * of the triangle. */
  double meanAngle = 0.0;
  /** Root mean square distance, weighted by area, of the centers of triangles, and the largest distance of a vertex, in
   * mm. */
  double rootMeanSquareDistance = 0.0;
  double largestDistance = 0.0;
};

/** Measures the errors of a surface. \throws InvalidParameterError for a surface without area. */
CudaNeuro_EXPORT SurfaceErrors
MeasureErrors(const SyntheticSurface & truth, const ConstTriangles & surface);

} // namespace cudaneuro

#endif
