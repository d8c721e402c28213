// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_maps_MappedRows_h
#define files_maps_MappedRows_h

#include "files/base/Interruption.h"
#include "files/maps/MapComputing.h"
#include "itkCudaFluidRegistrationTransforms.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace cudaneuro::files
{

/** Calls a function for each row of a grid, in threads, with the number of its first voxel, and the points in mm to
 * which the map takes its voxels, in double. They are NaN where the map leads to no point.
 * \throws Interrupted, itk::ExceptionObject */
template <unsigned int VDimension, typename TVisit>
void
ForEachMappedRow(const itk::Transform<double, VDimension, VDimension> & map,
                 const itk::ImageBase<VDimension> &                     grid,
                 cudaneuro::Context &                                   context,
                 const ShowProgress &                                   show,
                 const TVisit &                                         visit)
{
  namespace detail = itk::CudaNeuroDetail;
  detail::TransformQueue<VDimension> queue;
  detail::AppendParts<VDimension>(&map, queue);
  const auto & region = grid.GetLargestPossibleRegion();
  const auto   rowLength = static_cast<std::int64_t>(region.GetSize(0));
  const auto   numberOfRows = static_cast<std::int64_t>(region.GetNumberOfPixels()) / rowLength;
  // Enough points for all threads, or a GPU, and few enough to show progress ten times a second.
  constexpr std::int64_t pointsOfBlock = 1 << 18;
  const std::int64_t     rowsOfBlock = std::max<std::int64_t>(1, pointsOfBlock / rowLength);
  std::vector<double>    points(static_cast<std::size_t>(std::min(rowsOfBlock, numberOfRows) * rowLength) * VDimension);
  for (std::int64_t begin = 0; begin < numberOfRows; begin += rowsOfBlock)
  {
    ThrowIfInterrupted();
    show(static_cast<double>(begin) / static_cast<double>(numberOfRows));
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

} // namespace cudaneuro::files

#endif
