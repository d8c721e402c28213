// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/maps/ImageMover.h"

#include "files/images/ImageGrid.h"
#include "files/maps/FieldInFloat.h"
#include "files/maps/MappedRows.h"
#include "itkCudaWarpImageFilter.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cudaneuro::files
{

namespace
{

/** Returns a copy with another type of numbers. */
template <typename TTo, typename TFrom, unsigned int VDimension>
typename itk::Image<TTo, VDimension>::Pointer
Converted(const itk::Image<TFrom, VDimension> & image)
{
  const auto result = MakeImageOn<itk::Image<TTo, VDimension>>(image);
  std::transform(image.GetBufferPointer(),
                 image.GetBufferPointer() + image.GetLargestPossibleRegion().GetNumberOfPixels(),
                 result->GetBufferPointer(),
                 [](TFrom value) { return static_cast<TTo>(value); });
  return result;
}

/** Moves an image by a map of the engine. */
template <unsigned int VDimension>
typename itk::Image<float, VDimension>::Pointer
WarpByEngine(const EngineMap<VDimension> &         map,
             const itk::ImageBase<VDimension> &    grid,
             const itk::Image<float, VDimension> & image,
             const ImageMovement &                 movement)
{
  using FloatImageType = itk::Image<float, VDimension>;
  using FieldType = itk::Image<itk::Vector<float, VDimension>, VDimension>;
  const auto warp = itk::CudaWarpImageFilter<FloatImageType, FloatImageType, FieldType>::New();
  warp->SetInput(&image);
  if (map.field.IsNotNull())
  {
    warp->SetDisplacementField(FieldInFloat<VDimension>(*map.field));
  }
  warp->SetTransform(map.linear);
  warp->SetInterpolation(movement.interpolation);
  warp->SetEdgePaddingValue(static_cast<float>(movement.background));
  warp->SetOutputParametersFromImage(&grid);
  warp->UsePinnedOutputOff();
  const bool isLabel = movement.interpolation == Interpolation::Label;
  UpdateFilter(*warp, movement.computing, isLabel ? "Resampling labels" : "Resampling");
  return warp->GetOutput();
}

/** Returns whether float holds all labels and the background. */
template <unsigned int VDimension>
bool
IsExactInFloat(const itk::Image<std::int64_t, VDimension> & labels, std::int64_t background)
{
  const auto isExact = [](std::int64_t label) {
    constexpr std::int64_t largest = std::int64_t{ 1 } << 24;
    return label >= -largest && label <= largest;
  };
  const std::int64_t * const begin = labels.GetBufferPointer();
  return isExact(background) &&
         std::all_of(begin, begin + labels.GetLargestPossibleRegion().GetNumberOfPixels(), isExact);
}

/** Calls a function, in threads, for each voxel of a grid that a map takes to a position on an image, with the voxel's
 * number and the position. */
template <unsigned int VDimension, typename TVisit>
void
ForEachPlace(const SpaceMap<VDimension> &       map,
             const itk::ImageBase<VDimension> & grid,
             const itk::ImageBase<VDimension> & image,
             cudaneuro::Context &               context,
             const ShowProgress &               show,
             const TVisit &                     visit)
{
  const auto rowLength = static_cast<std::int64_t>(grid.GetLargestPossibleRegion().GetSize(0));
  ForEachMappedRow<VDimension>(map, grid, context, show, [&](std::int64_t first, const double * points) {
    for (std::int64_t x = 0; x < rowLength; ++x)
    {
      VoxelPlace<VDimension> place;
      if (FindPlace<VDimension>(image, points + x * VDimension, place))
      {
        visit(static_cast<std::size_t>(first + x), place);
      }
    }
  });
}

} // namespace

template <unsigned int VDimension>
ImageMover<VDimension>::ImageMover(const MapType & map, const GridType & grid, const ImageMovement & movement)
  : m_Map(&map)
  , m_Grid(&grid)
  , m_Movement(movement)
  , m_Context(ContextOf(movement.computing))
  , m_Count(grid.GetLargestPossibleRegion().GetNumberOfPixels())
{}

template <unsigned int VDimension>
std::vector<double>
ImageMover<VDimension>::MoveByEngine(const EngineMap<VDimension> & map, const ImageType & image) const
{
  const auto          moved = WarpByEngine<VDimension>(map, *m_Grid, *Converted<float>(image), m_Movement);
  const float * const values = moved->GetBufferPointer();
  return std::vector<double>(values, values + m_Count);
}

template <unsigned int VDimension>
template <typename TVisit>
void
ImageMover<VDimension>::ForEachPlaceOn(const GridType & image, const std::string & stage, const TVisit & visit)
{
  ForEachPlace<VDimension>(*m_Map, *m_Grid, image, m_Context, m_Movement.computing.watch(stage), visit);
}

template <unsigned int VDimension>
void
ImageMover<VDimension>::KeepPlaces(const GridType & image)
{
  VoxelPlace<VDimension> outside;
  outside.fill(std::numeric_limits<double>::quiet_NaN());
  m_Places.assign(m_Count, outside);
  this->ForEachPlaceOn(
    image, "Mapping", [this](std::size_t i, const VoxelPlace<VDimension> & place) { m_Places[i] = place; });
}

template <unsigned int VDimension>
std::vector<double>
ImageMover<VDimension>::Move(const ImageType & image)
{
  const auto map = FindEngineMap<VDimension>(*m_Map, *m_Grid);
  if (map && IsExactInFloat(m_Movement.type))
  {
    return this->MoveByEngine(*map, image);
  }
  const VoxelSampler<VDimension> sampler(image, m_Movement.interpolation, m_Context);
  std::vector<double>            values(m_Count, m_Movement.background);
  const auto sample = [&](std::size_t i, const VoxelPlace<VDimension> & place) { values[i] = sampler.Sample(place); };
  if (!m_Movement.isRepeated)
  {
    this->ForEachPlaceOn(image, "Resampling", sample);
    return values;
  }
  if (m_Places.empty())
  {
    this->KeepPlaces(image);
  }
  const std::size_t rowLength = m_Grid->GetLargestPossibleRegion().GetSize(0);
  m_Context.ParallelFor(static_cast<std::int64_t>(m_Count / rowLength), [&](std::int64_t row) {
    const std::size_t begin = static_cast<std::size_t>(row) * rowLength;
    for (std::size_t i = begin; i < begin + rowLength; ++i)
    {
      if (!std::isnan(m_Places[i][0]))
      {
        sample(i, m_Places[i]);
      }
    }
  });
  return values;
}

template <unsigned int VDimension>
typename itk::Image<std::int64_t, VDimension>::Pointer
MoveLabels(const SpaceMap<VDimension> &                 map,
           const itk::ImageBase<VDimension> &           grid,
           const itk::Image<std::int64_t, VDimension> & labels,
           std::int64_t                                 background,
           const MapComputing &                         computing)
{
  const Segmentation segmentation(labels.GetMetaDataDictionary());
  const auto         engineMap = FindEngineMap<VDimension>(map, grid);
  if (engineMap && segmentation.GetLayers() == 1 && IsExactInFloat<VDimension>(labels, background))
  {
    ImageMovement movement;
    movement.interpolation = Interpolation::Label;
    movement.background = static_cast<double>(background);
    movement.computing = computing;
    return Converted<std::int64_t>(*WarpByEngine<VDimension>(*engineMap, grid, *Converted<float>(labels), movement));
  }
  const auto size = labels.GetLargestPossibleRegion().GetSize();
  const auto moved = MakeImageOn<itk::Image<std::int64_t, VDimension>>(grid);
  moved->FillBuffer(background);
  cudaneuro::Context context = ContextOf(computing);
  const auto         vote = [&](std::size_t i, const VoxelPlace<VDimension> & place) {
    moved->GetBufferPointer()[i] = LabelOfMostWeight<VDimension>(
      labels.GetBufferPointer(), segmentation, TapsAt<VDimension>(Interpolation::Label, place, size));
  };
  ForEachPlace<VDimension>(map, grid, labels, context, computing.watch("Resampling labels"), vote);
  return moved;
}

#define INSTANTIATE(VDimension) \
  template class ImageMover<VDimension>; \
  template itk::Image<std::int64_t, VDimension>::Pointer MoveLabels<VDimension>( \
    const SpaceMap<VDimension> &, \
    const itk::ImageBase<VDimension> &, \
    const itk::Image<std::int64_t, VDimension> &, \
    std::int64_t, \
    const MapComputing &)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE

} // namespace cudaneuro::files
