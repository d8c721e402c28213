// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_maps_Maps_h
#define files_maps_Maps_h

#include "cudaneuro/DisplacementField.h"
#include "files/maps/MapComputing.h"
#include "files/points/PointFile.h"
#include "itkImage.h"
#include "itkMetaDataDictionary.h"
#include "itkTransform.h"

#include <cstddef>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** Maps of space, from points of a fixed image to points of a moving one: any itk::Transform, a composite of linear
 * transforms and displacement fields, too. What cudaneuro-transform computes of them is one call each. */

template <unsigned int VDimension>
using MapType = itk::Transform<double, VDimension, VDimension>;

template <unsigned int VDimension>
using MapFieldType = itk::Image<itk::Vector<float, VDimension>, VDimension>;

/** Whether all parts of a map are linear. */
template <unsigned int VDimension>
bool
IsLinear(const MapType<VDimension> & map);

/** A linear map as one affine transform, without the rounding that asking for points would bring.
 * \return null where the map is not linear */
template <unsigned int VDimension>
typename MapType<VDimension>::Pointer
AsAffine(const MapType<VDimension> & map);

/** A map without nested composites, which files do not hold: its only part, or a composite of all its parts. */
template <unsigned int VDimension>
typename MapType<VDimension>::ConstPointer
Flattened(const MapType<VDimension> & map);

/** Refuses linear parts whose matrix is singular: they have no inverse, and flatten space.
 * \param name what messages call the map, as its file
 * \throws UserError that names the class of the part, and the determinant */
template <unsigned int VDimension>
void
RequireRegular(const std::string & name, const MapType<VDimension> & map);

/** A grid, and what its file says, which what is written on it says, too: of its place where the grid is given, and all
 * where it is that of the field which is written. */
template <unsigned int VDimension>
struct MapGrid
{
  typename itk::ImageBase<VDimension>::ConstPointer grid;
  itk::MetaDataDictionary                           metadata;
};

/** The grid that is given, or else that of the first map that is one displacement field.
 * \throws UserError where there is neither, which asks for a reference */
template <unsigned int VDimension>
MapGrid<VDimension>
GridFor(const std::vector<const MapType<VDimension> *> & maps, const MapGrid<VDimension> & given);

/** The displacements of a map on a grid, in mm; NaN where it leads to no place. */
template <unsigned int VDimension>
typename MapFieldType<VDimension>::Pointer
DisplacementsOf(const MapType<VDimension> &        map,
                const itk::ImageBase<VDimension> & grid,
                const MapComputing &               computing = {});

/** The same as a transform of one displacement field. */
template <unsigned int VDimension>
typename MapType<VDimension>::Pointer
FieldTransformOf(const MapType<VDimension> &        map,
                 const itk::ImageBase<VDimension> & grid,
                 const MapComputing &               computing = {});

/** Makes one transform of a map, as of a composite: an affine one where all its parts are linear, and else one of
 * displacements on a grid.
 * \param reference the grid; null for that of a map that is one field */
template <unsigned int VDimension>
typename MapType<VDimension>::Pointer
ComposeMap(const MapType<VDimension> &        map,
           const itk::ImageBase<VDimension> * reference = nullptr,
           const MapComputing &               computing = {});

/** The parameters of InvertMap: fields are inverted to 0.001 voxels, not to 0.01 as by the engine, because Newton's
 * method needs hardly more than one iteration for the difference. */
inline cudaneuro::InversionParameters
DefaultInversion()
{
  cudaneuro::InversionParameters parameters;
  parameters.tolerance = 1e-3;
  return parameters;
}

/** Inverts a map part by part: linear transforms and geodesic shooting exactly, displacement fields on their own grids
 * by the engine. What is one transform, or is linear, becomes one transform.
 * \param results how the inversion of each field went; null where nobody asks
 * \param name what messages call the map, as its file
 * \throws UserError that names the map and the part that has no inverse */
template <unsigned int VDimension>
typename MapType<VDimension>::Pointer
InvertMap(const MapType<VDimension> &               map,
          const MapComputing &                      computing = {},
          const cudaneuro::InversionParameters &    parameters = DefaultInversion(),
          std::vector<cudaneuro::InversionResult> * results = nullptr,
          const std::string &                       name = "the transform");

/** The largest of each number of some results. */
cudaneuro::InversionResult
WorstOf(const std::vector<cudaneuro::InversionResult> & results);

/** Moves points, and those of a mesh, from the fixed to the moving image. All else of them stays.
 * \throws itk::ExceptionObject for points that the map takes to no place */
template <unsigned int VDimension>
PointData
MovePoints(const MapType<VDimension> & map, const PointData & points, const MapComputing & computing = {});

/** How a map changes volumes. */
template <unsigned int VDimension>
struct MapJacobian
{
  /** The Jacobian determinant at each voxel. */
  typename itk::Image<float, VDimension>::Pointer image;
  double                                          minimum = 0.0;
  double                                          maximum = 0.0;
  /** Voxels whose determinant is 0, negative or NaN. */
  std::size_t foldedVoxels = 0;
  std::size_t voxels = 0;
};

/** Jacobian determinants by central differences on a grid; those of linear parts that are applied last are a factor.
 * \param reference the grid; null for that of a map that is one field
 * \throws UserError where no determinant is a number, and for a singular part */
template <unsigned int VDimension>
MapJacobian<VDimension>
JacobianOf(const MapType<VDimension> &        map,
           const itk::ImageBase<VDimension> * reference = nullptr,
           const MapComputing &               computing = {});

/** How far apart two maps take the voxels of a grid, in mm. */
template <unsigned int VDimension>
struct MapDistances
{
  /** The distance at each voxel: 0 outside the mask, NaN where a map leads to no place. */
  typename itk::Image<float, VDimension>::Pointer image;
  double                                          mean = 0.0;
  double                                          median = 0.0;
  double                                          percentile95 = 0.0;
  double                                          maximum = 0.0;
  double                                          rootMeanSquare = 0.0;
  /** Voxels that were compared, and those of the mask where a map leads to no place. */
  std::size_t voxels = 0;
  std::size_t voxelsWithoutPlace = 0;
};

/** Compares two maps at the voxels of a grid.
 * \param reference the grid; null for that of the mask, or else of the first map that is one field
 * \param mask voxels where it is 0 are left out; null for none. It has as many voxels as the grid
 * \throws UserError where no voxel is left */
template <unsigned int VDimension>
MapDistances<VDimension>
CompareMaps(const MapType<VDimension> &                   first,
            const MapType<VDimension> &                   second,
            const itk::ImageBase<VDimension> *            reference = nullptr,
            const itk::Image<unsigned char, VDimension> * mask = nullptr,
            const MapComputing &                          computing = {});

} // namespace cudaneuro::files

#endif
