// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_VtkSurface_h
#define cudaneuro_VtkSurface_h

#include "CudaNeuroVtkExport.h"
#include "cudaneuro/Context.h"
#include "cudaneuro/EnumNames.h"
#include "cudaneuro/LabelSurface.h"
#include "cudaneuro/MeshDenoising.h"
#include "cudaneuro/NonLocalMeansLevelSet.h"
#include "cudaneuro/Parameters.h"
#include "cudaneuro/SignedDistance.h"

#include <itkImage.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>


/** Converts VTK surfaces to images of signed distances and back, compares them, and denoises them.
 *
 * Distances are in mm and negative inside; points are in the space of ITK's images. All functions throw
 * InvalidParameterError, which names the value, OutOfMemoryError and Aborted, as those of the engine do. */
namespace cudaneuro
{

using SignedDistanceImage = itk::Image<float, 3>;

/** The grid on which the distance to a surface is computed: cubic voxels along the axes of space. Describe lists the
 * parameters' units, meanings and ranges. */
struct SurfaceGridParameters
{
  /** In mm; 0 stands for RecommendedVoxelSize. */
  double voxelSize = 0.0;
  /** In mm; 0 stands for what NonLocalMeansLevelSet needs with its recommended band and patches of 7 voxels. */
  double reach = 0.0;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const SurfaceGridParameters &)
{
  using P = SurfaceGridParameters;
  return std::make_tuple(
    Parameter(&P::voxelSize, "VoxelSize", "mm", "Edge of the voxels of the surface's grid", OrZero(spacingRange)),
    Parameter(&P::reach, "Reach", "mm", "Distances are exact up to here", OrZero(lengthRange)));
}

/** The maximum number of voxels of the grid of a surface. */
constexpr std::int64_t maximumSurfaceVoxels = std::int64_t{ 1 } << 31;

/** The grid, and the ambiguous voxels, of a surface that is converted to a signed distance. */
struct SurfaceGridResult
{
  double voxelSize = 0.0;
  double reach = 0.0;
  /** Number of voxels that the surface surrounds more than once: it intersects itself, or parts overlap. */
  std::int64_t ambiguousVoxels = 0;
};

/** Returns the mean length of the edges of all triangles, in mm; but no more than a fortieth of the longest side of the
 * surface's bounding box, because few large triangles have sharp edges to keep, and a quarter of the shortest side,
 * because thin surfaces need voxels inside. */
CudaNeuroVtk_EXPORT double
RecommendedVoxelSize(vtkPolyData * surface);

/** Returns how far distances must be exact for denoising, in mm: over the band, and over the patches of its voxels. */
CudaNeuroVtk_EXPORT double
RecommendedReach(const NonLocalMeansLevelSetParameters & parameters, const Grid & grid);

/** Counts the defects because of which a surface has no inside, after polygons and strips are cut into triangles and
 * points in the same place are joined. */
CudaNeuroVtk_EXPORT SurfaceDefects
FindSurfaceDefects(vtkPolyData * surface);

/** Makes an image of the signed distance to a closed surface of triangles, polygons or strips.
 *
 * Points in the same place are joined first, because formats such as STL repeat them for each triangle. Vertices and
 * lines are ignored. SignedDistanceOfSurface defines which of several components are inside and which are holes. */
CudaNeuroVtk_EXPORT SignedDistanceImage::Pointer
                    SurfaceToSignedDistance(Context &                     context,
                                            const SurfaceGridParameters & parameters,
                                            vtkPolyData *                 surface,
                                            SurfaceGridResult *           result = nullptr);

/** How the surface where a distance is 0 is contoured. */
enum class SurfaceContouring
{
  /** vtkFlyingEdges3D: linear interpolation, right for labels and for smooth shapes. Each edge of a triangle has one
   * other triangle. Sharp edges of the surface become chamfers as wide as a voxel. */
  MarchingCubes,
  /** ContourWithEdges: edges and corners stay, right for manufactured parts. An edge of a triangle may have four
   * triangles, where the surface passes one cell of voxels twice. */
  KeepEdges
};

/** The names of the values, for streams and FromName. */
constexpr auto
NamesOf(SurfaceContouring)
{
  using E = SurfaceContouring;
  return MakeEnumNames<E>("contouring", { { E::MarchingCubes, "MarchingCubes" }, { E::KeepEdges, "KeepEdges" } });
}

/** Makes the surface where a distance is 0: triangles, whose normals point outward for every direction of the image,
 * and normals at points, which are the means of the triangles around them. It is open where it reaches the edge of the
 * image.
 *
 * \param attributesFrom a surface, or null. Its arrays are carried over from its closest points: arrays at points are
 * interpolated in the closest triangle if their values are real numbers, and taken from its closest corner otherwise;
 * arrays at cells are taken from the closest cell. Scalars, vectors, tensors and texture coordinates remain such;
 * global and other identifiers become plain numbers. Normals and tangents are not carried over. If it is inside out, so
 * is the result.
 * \throws InvalidParameterError for a distance that is 0 nowhere */
CudaNeuroVtk_EXPORT vtkSmartPointer<vtkPolyData>
                    SignedDistanceToSurface(Context &                   context,
                                            const SignedDistanceImage * distance,
                                            vtkPolyData *               attributesFrom = nullptr,
                                            SurfaceContouring           contouring = SurfaceContouring::MarchingCubes);

/** An image of the numbers of labels, from 1 on; 0 is background. */
using LabelNumberImage = itk::Image<unsigned short, 3>;

/** A smooth surface of a label. */
struct SmoothLabel
{
  /** Triangles, whose normals point outward for every direction of the image, and normals at points. */
  vtkSmartPointer<vtkPolyData> surface;
  /** Estimated standard deviation of the label's errors, in mm. */
  double noise = 0.0;
};

/** Makes the smooth surfaces of the labels with the numbers 1 to \p count by MakeLabelSurfaces, in this order.
 * \throws InvalidParameterError for a number that no voxel has, and the exceptions of MakeLabelSurfaces */
CudaNeuroVtk_EXPORT std::vector<SmoothLabel>
                    LabelsToSurfaces(Context & context, const LabelNumberImage * labels, unsigned int count);

/** Distances from one surface to another one, as means over its area; in mm. */
struct SurfaceDistances
{
  double mean = 0.0;
  double rootMeanSquare = 0.0;
  /** 95 % of the area is at most this far away. */
  double percentile95 = 0.0;
  double maximum = 0.0;
};

/** Angles between the normals of a surface and those at the closest points of another one, as means over the area; in
 * degrees, from 0 to 180. */
struct SurfaceAngles
{
  double mean = 0.0;
  double rootMeanSquare = 0.0;
};

/** The volume that a closed surface encloses, in mm^3, negative for triangles of opposite orientation, and its area in
 * mm^2. */
struct SurfaceSize
{
  double volume = 0.0;
  double area = 0.0;
};

struct SurfaceComparison
{
  SurfaceDistances firstToSecond;
  SurfaceDistances secondToFirst;
  /** The distances of both directions, combined. */
  SurfaceDistances symmetric;
  SurfaceAngles    anglesOfFirst;
  SurfaceAngles    anglesOfSecond;
  /** The angles of both directions, combined. */
  SurfaceAngles symmetricAngles;
  SurfaceSize   first;
  SurfaceSize   second;
};

/** Compares surfaces: distances from each to the other, angles between their normals, volumes and areas.
 *
 * Distances are integrated over the area by a rule that is exact for squares of functions that are linear in each
 * triangle: 3/4 of the area for its center and 1/12 for each corner. Triangles with edges longer than two mean edges of
 * the surface with the shorter ones are cut into smaller ones, which count by their centers. The largest distance is
 * over all corners and centers. Angles are measured at the centers; where most normals of one surface point against
 * those of the other, one is assumed to be inside out, and its normals are turned around. */
CudaNeuroVtk_EXPORT SurfaceComparison
CompareSurfaces(Context & context, vtkPolyData * first, vtkPolyData * second);

/** Returns the volume and the area of a surface, which may have triangles, other polygons and strips. */
CudaNeuroVtk_EXPORT SurfaceSize
MeasureSurface(vtkPolyData * surface);

/** Adds an array to the points of a surface: their distances to another one, in mm. */
CudaNeuroVtk_EXPORT void
AddDistances(Context & context, vtkPolyData * surface, vtkPolyData * other, const char * nameOfArray = "Distance");

/** Parameters of DenoiseSurface; Describe lists their units, meanings and ranges. */
struct DenoiseSurfaceParameters
{
  SurfaceGridParameters           grid;
  NonLocalMeansLevelSetParameters levelSet;
  SurfaceContouring               contouring = SurfaceContouring::MarchingCubes;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const DenoiseSurfaceParameters &)
{
  using P = DenoiseSurfaceParameters;
  return std::make_tuple(Parameter(&P::grid, "Grid", "", "The grid on which the distance to the surface is computed"),
                         Parameter(&P::levelSet, "LevelSet", "", "How the distance is denoised"),
                         Parameter(&P::contouring, "Contouring", "", "How the surface is made of the distance"));
}

/** Results of the steps of DenoiseSurface. */
struct DenoiseSurfaceResult
{
  SurfaceGridResult           grid;
  NonLocalMeansLevelSetResult levelSet;
};

/** Denoises a closed surface by way of a signed distance and NonLocalMeansLevelSet, and carries its arrays over. A
 * grid.reach of 0 stands for RecommendedReach. */
CudaNeuroVtk_EXPORT vtkSmartPointer<vtkPolyData>
                    DenoiseSurface(Context &                        context,
                                   const DenoiseSurfaceParameters & parameters,
                                   vtkPolyData *                    surface,
                                   DenoiseSurfaceResult *           result = nullptr);

/** Denoises the vertices of a surface by DenoiseMesh, which keeps its connections.
 *
 * Points in the same place are one vertex, because files such as STL repeat them for each triangle, and stay together.
 * Polygons and strips are cut into triangles for the computation. The result has the points in their order, the cells
 * and the arrays of the surface. Normals among its arrays are recomputed. The surface may be open. */
CudaNeuroVtk_EXPORT vtkSmartPointer<vtkPolyData>
                    DenoiseSurface(Context &                       context,
                                   const MeshDenoisingParameters & parameters,
                                   vtkPolyData *                   surface,
                                   MeshDenoisingResult *           result = nullptr);

} // namespace cudaneuro

#endif
