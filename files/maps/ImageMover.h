// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_maps_ImageMover_h
#define files_maps_ImageMover_h

#include "files/maps/EngineMap.h"
#include "files/maps/MapComputing.h"
#include "files/maps/VoxelSampler.h"
#include "itkCommonEnums.h"

#include <string>
#include <vector>

namespace cudaneuro::files
{

/** How images are resampled to a grid through a map, in one interpolation. */
struct ImageMovement
{
  Interpolation interpolation = Interpolation::Linear;
  /** The value outside the image. */
  double background = 0.0;
  /** The type of the images' numbers. */
  itk::IOComponentEnum type = itk::IOComponentEnum::FLOAT;
  /** Whether one map moves several images: then the positions of voxels are computed only once. */
  bool         isRepeated = false;
  MapComputing computing;
};

template <unsigned int VDimension>
class ImageMover
{
public:
  using ImageType = itk::Image<double, VDimension>;
  using MapType = SpaceMap<VDimension>;
  using GridType = itk::ImageBase<VDimension>;

  ImageMover(const MapType & map, const GridType & grid, const ImageMovement & movement);

  /** Returns the values at the voxels of the grid. The images of all calls have the same grid.
   * \throws Interrupted, itk::ExceptionObject */
  std::vector<double>
  Move(const ImageType & image);

private:
  std::vector<double>
  MoveByEngine(const EngineMap<VDimension> & map, const ImageType & image) const;
  /** Calls a function for each voxel that the map takes to a position on an image. */
  template <typename TVisit>
  void
  ForEachPlaceOn(const GridType & image, const std::string & stage, const TVisit & visit);
  void
  KeepPlaces(const GridType & image);

  typename MapType::ConstPointer  m_Map;
  typename GridType::ConstPointer m_Grid;
  ImageMovement                   m_Movement;
  cudaneuro::Context              m_Context;
  /** The positions of voxels, if one map moves several images; NaN outside. */
  std::vector<VoxelPlace<VDimension>> m_Places;
  std::size_t                         m_Count;
};

/** Resamples labels to a grid: each voxel gets the label with most weight, in each layer. */
template <unsigned int VDimension>
typename itk::Image<std::int64_t, VDimension>::Pointer
MoveLabels(const SpaceMap<VDimension> &                 map,
           const itk::ImageBase<VDimension> &           grid,
           const itk::Image<std::int64_t, VDimension> & labels,
           std::int64_t                                 background,
           const MapComputing &                         computing);

} // namespace cudaneuro::files

#endif
