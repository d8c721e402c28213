// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "transform/ImageMover.h"

#include "files/images/ImageGrid.h"
#include "itkCudaFluidRegistrationTransforms.h"
#include "itkCudaWarpImageFilter.h"
#include "transform/MappedGrid.h"

#include <algorithm>
#include <limits>

namespace
{

/** A copy with another type of numbers. */
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

/** Moves an image by a map that is the engine's. */
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
  UpdateFilter(*warp, movement.compute, isLabel ? "Resampling labels" : "Resampling");
  return warp->GetOutput();
}

/** Whether float has all labels, and the background. */
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

} // namespace

template <unsigned int VDimension>
ImageMover<VDimension>::ImageMover(const MapType & map, const GridType & grid, const ImageMovement & movement)
  : m_Map(&map)
  , m_Grid(&grid)
  , m_Movement(movement)
  , m_Context(movement.compute.GetDevice().GetEngineDevice(), movement.compute.numberOfThreads)
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
void
ImageMover<VDimension>::KeepPlaces(const GridType & grid)
{
  VoxelPlace<VDimension> outside;
  outside.fill(std::numeric_limits<double>::quiet_NaN());
  m_Places.assign(m_Count, outside);
  const auto  rowLength = static_cast<std::int64_t>(m_Grid->GetLargestPossibleRegion().GetSize(0));
  ProgressBar bar("Mapping", m_Movement.compute.isQuiet);
  ForEachMappedRow<VDimension>(*m_Map, *m_Grid, m_Context, bar, [&](std::int64_t first, const double * points) {
    for (std::int64_t x = 0; x < rowLength; ++x)
    {
      VoxelPlace<VDimension> place;
      if (FindPlace<VDimension>(grid, points + x * VDimension, place))
      {
        m_Places[static_cast<std::size_t>(first + x)] = place;
      }
    }
  });
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
  const auto                     rowLength = static_cast<std::int64_t>(m_Grid->GetLargestPossibleRegion().GetSize(0));
  std::vector<double>            values(m_Count, m_Movement.background);
  if (!m_Movement.isRepeated)
  {
    ProgressBar bar("Resampling", m_Movement.compute.isQuiet);
    ForEachMappedRow<VDimension>(*m_Map, *m_Grid, m_Context, bar, [&](std::int64_t first, const double * points) {
      for (std::int64_t x = 0; x < rowLength; ++x)
      {
        VoxelPlace<VDimension> place;
        if (FindPlace<VDimension>(image, points + x * VDimension, place))
        {
          values[static_cast<std::size_t>(first + x)] = sampler.Sample(place);
        }
      }
    });
    return values;
  }
  if (m_Places.empty())
  {
    this->KeepPlaces(image);
  }
  m_Context.ParallelFor(static_cast<std::int64_t>(m_Count) / rowLength, [&](std::int64_t row) {
    for (auto i = static_cast<std::size_t>(row * rowLength); i < static_cast<std::size_t>((row + 1) * rowLength); ++i)
    {
      if (m_Places[i][0] == m_Places[i][0])
      {
        values[i] = sampler.Sample(m_Places[i]);
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
           const ComputeOptions &                       compute)
{
  const Segmentation segmentation(labels.GetMetaDataDictionary());
  const auto         engineMap = FindEngineMap<VDimension>(map, grid);
  if (engineMap && segmentation.GetLayers() == 1 && IsExactInFloat<VDimension>(labels, background))
  {
    ImageMovement movement;
    movement.interpolation = Interpolation::Label;
    movement.background = static_cast<double>(background);
    movement.compute = compute;
    return Converted<std::int64_t>(*WarpByEngine<VDimension>(*engineMap, grid, *Converted<float>(labels), movement));
  }
  const auto size = labels.GetLargestPossibleRegion().GetSize();
  const auto moved = MakeImageOn<itk::Image<std::int64_t, VDimension>>(grid);
  moved->FillBuffer(background);
  cudaneuro::Context context(compute.GetDevice().GetEngineDevice(), compute.numberOfThreads);
  ProgressBar        bar("Resampling labels", compute.isQuiet);
  const auto         rowLength = static_cast<std::int64_t>(grid.GetLargestPossibleRegion().GetSize(0));
  ForEachMappedRow<VDimension>(map, grid, context, bar, [&](std::int64_t first, const double * points) {
    for (std::int64_t x = 0; x < rowLength; ++x)
    {
      VoxelPlace<VDimension> place;
      if (FindPlace<VDimension>(labels, points + x * VDimension, place))
      {
        moved->GetBufferPointer()[first + x] = LabelOfMostWeight<VDimension>(
          labels.GetBufferPointer(), segmentation, TapsAt<VDimension>(Interpolation::Label, place, size));
      }
    }
  });
  return moved;
}

#define INSTANTIATE(VDimension) \
  template class ImageMover<VDimension>; \
  template itk::Image<std::int64_t, VDimension>::Pointer MoveLabels<VDimension>( \
    const SpaceMap<VDimension> &, \
    const itk::ImageBase<VDimension> &, \
    const itk::Image<std::int64_t, VDimension> &, \
    std::int64_t, \
    const ComputeOptions &)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE
