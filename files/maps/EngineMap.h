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

/** Maps that the engine can apply in one pass. */

template <unsigned int VDimension>
using SpaceMap = itk::CompositeTransform<double, VDimension>;

/** A map of the engine: displacements on the grid of the output, then linear transforms. */
template <unsigned int VDimension>
struct EngineMap
{
  using FieldType = itk::Image<itk::Vector<double, VDimension>, VDimension>;

  /** Null if there is none. */
  typename FieldType::Pointer            field;
  typename SpaceMap<VDimension>::Pointer linear;
};

/** \return nothing if there are other parts, or a field on another grid: beyond its grid, ITK's field moves nothing,
 * and the engine's is extended by its border values */
template <unsigned int VDimension>
std::optional<EngineMap<VDimension>>
FindEngineMap(const SpaceMap<VDimension> & map, const itk::ImageBase<VDimension> & grid);

/** Returns whether float, in which the engine computes, holds all numbers of a type. */
bool
IsExactInFloat(itk::IOComponentEnum type);

} // namespace cudaneuro::files

#endif
