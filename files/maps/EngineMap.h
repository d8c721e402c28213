// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_maps_EngineMap_h
#define files_maps_EngineMap_h

#include "itkCommonEnums.h"
#include "itkCompositeTransform.h"
#include "itkImage.h"
#include "itkVector.h"

#include <optional>

namespace cudaneuro::files
{

/** What the engine can move in one pass. */

template <unsigned int VDimension>
using SpaceMap = itk::CompositeTransform<double, VDimension>;

/** A map of the engine: displacements on the grid that the image is brought to, then linear transforms. */
template <unsigned int VDimension>
struct EngineMap
{
  using FieldType = itk::Image<itk::Vector<double, VDimension>, VDimension>;

  /** Null where there is none. */
  typename FieldType::Pointer            field;
  typename SpaceMap<VDimension>::Pointer linear;
};

/** \return nothing where there are other parts, or a field on another grid: beyond its grid, ITK's field moves nothing
 * and the engine's goes on */
template <unsigned int VDimension>
std::optional<EngineMap<VDimension>>
FindEngineMap(const SpaceMap<VDimension> & map, const itk::ImageBase<VDimension> & grid);

/** Whether float, in which the engine computes, has all numbers of a type. */
bool
IsExactInFloat(itk::IOComponentEnum type);

} // namespace cudaneuro::files

#endif
