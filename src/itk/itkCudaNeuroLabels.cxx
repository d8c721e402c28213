// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaNeuroSurfaces.h"

#include "itkMacro.h"
#include "jobs/PixelConversion.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <type_traits>

namespace itk::CudaNeuroDetail
{

namespace
{

using BoxMap = std::map<int, LabelBox>;
using VoxelType = std::array<std::int64_t, 3>;

/** Extends the box of a label, which is created if there is none, to contain two voxels. */
void
Include(BoxMap & boxes, int label, const VoxelType & first, const VoxelType & last)
{
  const auto inserted = boxes.insert({ label, { label, first, last } });
  LabelBox & box = inserted.first->second;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    box.first[axis] = std::min(box.first[axis], first[axis]);
    box.last[axis] = std::max(box.last[axis], last[axis]);
  }
}

/** Includes the runs of equal labels of a row. */
template <typename TLabel>
void
IncludeRow(BoxMap & boxes, const TLabel * row, std::int64_t size, std::int64_t y, std::int64_t z, int background)
{
  for (std::int64_t x = 0; x < size;)
  {
    const std::int64_t begin = x;
    const TLabel       label = row[begin];
    while (x < size && row[x] == label)
    {
      ++x;
    }
    if (label != background)
    {
      Include(boxes, label, { begin, y, z }, { x - 1, y, z });
    }
  }
}

template <typename TLabel>
BoxMap
FindBoxes(cudaneuro::Context & context, const cudaneuro::Grid & grid, const TLabel * labels, int background)
{
  BoxMap     boxes;
  std::mutex mutex;
  context.ParallelFor(grid.size[2], [&](std::int64_t z) {
    BoxMap         inPlane;
    const TLabel * row = labels + z * grid.VoxelsPerPlane();
    for (std::int64_t y = 0; y < grid.size[1]; ++y, row += grid.size[0])
    {
      IncludeRow(inPlane, row, grid.size[0], y, z, background);
    }
    const std::lock_guard<std::mutex> lock(mutex);
    for (const auto & [label, box] : inPlane)
    {
      Include(boxes, label, box.first, box.last);
    }
  });
  return boxes;
}

/** Calls a function with a pointer to the labels in their type. */
template <typename TFunction>
void
WithLabels(const cudaneuro::ConstVolume & labels, const TFunction & function)
{
  cudaneuro::WithPixelType(labels.type, [&](auto pixel) {
    if constexpr (std::is_integral_v<decltype(pixel)>)
    {
      function(static_cast<const decltype(pixel) *>(labels.data));
    }
    else
    {
      itkGenericExceptionMacro("Labels are integers, and not " << cudaneuro::PixelTypeName(labels.type));
    }
  });
}

} // namespace

std::vector<LabelBox>
FindLabelBoxes(cudaneuro::Context &           context,
               const cudaneuro::Grid &        grid,
               const cudaneuro::ConstVolume & labels,
               int                            background)
{
  BoxMap boxes;
  WithLabels(labels, [&](const auto * values) { boxes = FindBoxes(context, grid, values, background); });
  std::vector<LabelBox> result;
  result.reserve(boxes.size());
  for (const auto & labelAndBox : boxes)
  {
    result.push_back(labelAndBox.second);
  }
  return result;
}

std::vector<unsigned char>
CutOutLabel(cudaneuro::Context &                context,
            const cudaneuro::Grid &             grid,
            const cudaneuro::ConstVolume &      labels,
            int                                 label,
            const std::array<std::int64_t, 3> & first,
            const std::array<std::int64_t, 3> & size)
{
  std::vector<unsigned char> result(static_cast<std::size_t>(size[0] * size[1] * size[2]), 0);
  // The intersection of both regions, as indices relative to the part.
  VoxelType begin;
  VoxelType end;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    begin[axis] = std::max<std::int64_t>(0, -first[axis]);
    end[axis] = std::min(size[axis], grid.size[axis] - first[axis]);
  }
  WithLabels(labels, [&](const auto * values) {
    context.ParallelFor(end[2] - begin[2], [&](std::int64_t i) {
      const std::int64_t z = begin[2] + i;
      for (std::int64_t y = begin[1]; y < end[1]; ++y)
      {
        const auto * const    from = values + (z + first[2]) * grid.VoxelsPerPlane() + (y + first[1]) * grid.size[0];
        unsigned char * const to = result.data() + (z * size[1] + y) * size[0];
        for (std::int64_t x = begin[0]; x < end[0]; ++x)
        {
          to[x] = from[x + first[0]] == label ? 1 : 0;
        }
      }
    });
  });
  return result;
}

} // namespace itk::CudaNeuroDetail
