// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_transform_MappedGrid_h
#define apps_transform_MappedGrid_h

#include "itkCudaFluidRegistrationTransforms.h"
#include "shared/ComputeOptions.h"
#include "shared/Files.h"
#include "shared/ProgressBar.h"
#include "files/base/Interruption.h"

#include <algorithm>
#include <cstdint>
#include <vector>

/** Where a map takes the voxels of a grid. */

/** Calls a function for each row of a grid, in threads: with the number of its first voxel, and the points in mm to
 * which the map takes its voxels, in double. They are NaN where the map leads to no place.
 * \throws Interrupted, itk::ExceptionObject */
template <unsigned int VDimension, typename TVisit>
void
ForEachMappedRow(const itk::Transform<double, VDimension, VDimension> & map,
                 const itk::ImageBase<VDimension> &                     grid,
                 cudaneuro::Context &                                   context,
                 ProgressBar &                                          bar,
                 const TVisit &                                         visit)
{
  namespace detail = itk::CudaNeuroDetail;
  detail::TransformQueue<VDimension> queue;
  detail::AppendParts<VDimension>(&map, queue);
  const auto & region = grid.GetLargestPossibleRegion();
  const auto   rowLength = static_cast<std::int64_t>(region.GetSize(0));
  const auto   numberOfRows = static_cast<std::int64_t>(region.GetNumberOfPixels()) / rowLength;
  // So many points that threads, or a GPU, have enough to do, and progress is seen ten times a second.
  constexpr std::int64_t pointsOfBlock = 1 << 18;
  const std::int64_t     rowsOfBlock = std::max<std::int64_t>(1, pointsOfBlock / rowLength);
  std::vector<double>    points(static_cast<std::size_t>(std::min(rowsOfBlock, numberOfRows) * rowLength) * VDimension);
  for (std::int64_t begin = 0; begin < numberOfRows; begin += rowsOfBlock)
  {
    ThrowIfInterrupted();
    bar.Show(static_cast<double>(begin) / static_cast<double>(numberOfRows));
    const std::int64_t rows = std::min(rowsOfBlock, numberOfRows - begin);
    context.ParallelFor(rows, [&](std::int64_t row) {
      typename itk::ImageBase<VDimension>::IndexType index = region.GetIndex();
      std::int64_t                                   rest = begin + row;
      for (unsigned int axis = 1; axis < VDimension; ++axis)
      {
        const auto size = static_cast<std::int64_t>(region.GetSize(axis));
        index[axis] += rest % size;
        rest /= size;
      }
      for (std::int64_t x = 0; x < rowLength; ++x, ++index[0])
      {
        itk::Point<double, VDimension> point;
        grid.TransformIndexToPhysicalPoint(index, point);
        std::copy(point.Begin(), point.End(), points.data() + (row * rowLength + x) * VDimension);
      }
    });
    detail::MovePoints<VDimension>(context, queue, rows * rowLength, points.data(), detail::LostPoints::Kept);
    context.ParallelFor(
      rows, [&](std::int64_t row) { visit((begin + row) * rowLength, points.data() + row * rowLength * VDimension); });
  }
}

/** A field in float, as the engine takes it. */
template <unsigned int VDimension>
typename itk::Image<itk::Vector<float, VDimension>, VDimension>::Pointer
FieldInFloat(const itk::Image<itk::Vector<double, VDimension>, VDimension> & field)
{
  const auto result = itk::Image<itk::Vector<float, VDimension>, VDimension>::New();
  result->CopyInformation(&field);
  result->SetRegions(field.GetLargestPossibleRegion());
  result->Allocate();
  const std::size_t count = field.GetLargestPossibleRegion().GetNumberOfPixels();
  for (std::size_t i = 0; i < count; ++i)
  {
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      result->GetBufferPointer()[i][axis] = static_cast<float>(field.GetBufferPointer()[i][axis]);
    }
  }
  return result;
}

/** The displacements of a map on a grid; NaN where it leads to no place. */
template <unsigned int VDimension>
typename itk::Image<itk::Vector<float, VDimension>, VDimension>::Pointer
SampleMap(const itk::Transform<double, VDimension, VDimension> & map,
          const itk::ImageBase<VDimension> &                     grid,
          const ComputeOptions &                                 compute)
{
  const auto field = itk::Image<itk::Vector<float, VDimension>, VDimension>::New();
  field->CopyInformation(&grid);
  field->SetRegions(grid.GetLargestPossibleRegion());
  field->Allocate();
  const auto         rowLength = static_cast<std::int64_t>(grid.GetLargestPossibleRegion().GetSize(0));
  cudaneuro::Context context(compute.GetDevice().GetEngineDevice(), compute.numberOfThreads);
  ProgressBar        bar("Sampling the map", compute.isQuiet);
  ForEachMappedRow<VDimension>(map, grid, context, bar, [&](std::int64_t first, const double * mapped) {
    typename itk::ImageBase<VDimension>::IndexType index = field->ComputeIndex(first);
    for (std::int64_t x = 0; x < rowLength; ++x, ++index[0])
    {
      itk::Point<double, VDimension> point;
      field->TransformIndexToPhysicalPoint(index, point);
      for (unsigned int axis = 0; axis < VDimension; ++axis)
      {
        field->GetBufferPointer()[first + x][axis] = static_cast<float>(mapped[x * VDimension + axis] - point[axis]);
      }
    }
  });
  return field;
}

#endif
