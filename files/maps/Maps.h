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

/** Computes with maps of space, from points of a fixed image to points of a moving one: any itk::Transform, also a
 * composite of linear transforms and displacement fields. Each command of cudaneuro-transform is one call. */

template <unsigned int VDimension>
using MapType = itk::Transform<double, VDimension, VDimension>;

template <unsigned int VDimension>
using MapFieldType = itk::Image<itk::Vector<float, VDimension>, VDimension>;

/** Returns whether all parts of a map are linear. */
template <unsigned int VDimension>
bool
IsLinear(const MapType<VDimension> & map);

/** Returns a linear map as one affine transform, from its numbers, without the rounding of mapped points.
 * \return null if the map is not linear */
template <unsigned int VDimension>
typename MapType<VDimension>::Pointer
AsAffine(const MapType<VDimension> & map);

/** Returns a map without nested composites, which files cannot hold: its only part, or a composite of all its parts. */
template <unsigned int VDimension>
typename MapType<VDimension>::ConstPointer
Flattened(const MapType<VDimension> & map);

/** Refuses linear parts with a singular matrix, which flatten space and have no inverse.
 * \param name of the map in messages, such as its file
 * \throws UserError that names the class of the part, and the determinant */
template <unsigned int VDimension>
void
RequireRegular(const std::string & name, const MapType<VDimension> & map);

/** A grid, and the header of its file. Outputs on the grid get the position in the header; a field on its own grid gets
 * the whole header. */
template <unsigned int VDimension>
struct MapGrid
{
  typename itk::ImageBase<VDimension>::ConstPointer grid;
  itk::MetaDataDictionary                           metadata;
};

/** Returns the given grid, or else that of the first map that is one displacement field.
 * \throws UserError that asks for a reference if there is neither */
template <unsigned int VDimension>
MapGrid<VDimension>
GridFor(const std::vector<const MapType<VDimension> *> & maps, const MapGrid<VDimension> & given);

/** Returns the displacements of a map on a grid, in mm; NaN where it leads to no point. */
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

/** Makes one transform of a map, such as a composite: an affine one if all its parts are linear, else
 * displacements on a grid.
 * \param reference the grid; null for that of a map that is one field */
template <unsigned int VDimension>
typename MapType<VDimension>::Pointer
ComposeMap(const MapType<VDimension> &        map,
           const itk::ImageBase<VDimension> * reference = nullptr,
           const MapComputing &               computing = {});

/** Returns the default parameters of InvertMap: fields are inverted to 0.001 voxels, not to the engine's 0.01, because
 * Newton's method needs hardly more than one further iteration. */
inline cudaneuro::InversionParameters
DefaultInversion()
{
  cudaneuro::InversionParameters parameters;
  parameters.tolerance = 1e-3;
  return parameters;
}

/** Inverts a map part by part: linear transforms and geodesic shooting exactly, displacement fields on their own grids
 * by the engine. A map that is one transform, or linear, becomes one transform.
 * \param results gets the result of each field's inversion; may be null
 * \param name of the map in messages, such as its file
 * \throws UserError that names the map and the part that has no inverse */
template <unsigned int VDimension>
typename MapType<VDimension>::Pointer
InvertMap(const MapType<VDimension> &               map,
          const MapComputing &                      computing = {},
          const cudaneuro::InversionParameters &    parameters = DefaultInversion(),
          std::vector<cudaneuro::InversionResult> * results = nullptr,
          const std::string &                       name = "the transform");

/** Returns the largest of each number of several results. */
cudaneuro::InversionResult
WorstOf(const std::vector<cudaneuro::InversionResult> & results);

/** Moves points, also those of a mesh, from the fixed to the moving image, and keeps everything else.
 * \throws itk::ExceptionObject for points that the map takes nowhere */
template <unsigned int VDimension>
PointData
MovePoints(const MapType<VDimension> & map, const PointData & points, const MapComputing & computing = {});

/** The Jacobian determinants of a map. */
template <unsigned int VDimension>
struct MapJacobian
{
  /** The Jacobian determinant at each voxel. */
  typename itk::Image<float, VDimension>::Pointer image;
  double                                          minimum = 0.0;
  double                                          maximum = 0.0;
  /** The number of voxels whose determinant is 0, negative or NaN. */
  std::size_t foldedVoxels = 0;
  std::size_t voxels = 0;
};

/** Computes Jacobian determinants by central differences on a grid; those of linear parts that are applied last are a
 * factor.
 * \param reference the grid; null for that of a map that is one field
 * \throws UserError if no determinant is a number, and for a singular part */
template <unsigned int VDimension>
MapJacobian<VDimension>
JacobianOf(const MapType<VDimension> &        map,
           const itk::ImageBase<VDimension> * reference = nullptr,
           const MapComputing &               computing = {});

/** The distances in mm between the points to which two maps take the voxels of a grid. */
template <unsigned int VDimension>
struct MapDistances
{
  /** The distance at each voxel: 0 outside the mask, NaN where a map leads to no point. */
  typename itk::Image<float, VDimension>::Pointer image;
  double                                          mean = 0.0;
  double                                          median = 0.0;
  double                                          percentile95 = 0.0;
  double                                          maximum = 0.0;
  double                                          rootMeanSquare = 0.0;
  /** The number of compared voxels, and of voxels of the mask that a map leads to no point. */
  std::size_t voxels = 0;
  std::size_t voxelsWithoutPlace = 0;
};

/** Compares two maps at the voxels of a grid.
 * \param reference the grid; null for that of the mask, or else of the first map that is one field
 * \param mask on the grid; voxels of 0 are left out; null for none
 * \throws UserError if no voxel is left */
template <unsigned int VDimension>
MapDistances<VDimension>
CompareMaps(const MapType<VDimension> &                   first,
            const MapType<VDimension> &                   second,
            const itk::ImageBase<VDimension> *            reference = nullptr,
            const itk::Image<unsigned char, VDimension> * mask = nullptr,
            const MapComputing &                          computing = {});

} // namespace cudaneuro::files

#endif
