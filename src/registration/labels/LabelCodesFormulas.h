// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_labels_LabelCodesFormulas_h
#define cudaneuro_registration_labels_LabelCodesFormulas_h

#include "fields/warp/WarpFormulas.h"
#include "registration/labels/LabelCodes.h"
#include "registration/labels/LabelTermFormulas.h"

/** The labels of one voxel, for both compilers. */
namespace cudaneuro
{

/** A LabelResampling as an argument of kernels. */
template <typename TLabel>
struct LabelSource
{
  Extent         extent;
  const TLabel * labels;
  IndexTransform transform;
  ConstSoAField  field; // null pointers where there is no field

  explicit LabelSource(const LabelResampling & resampling)
    : extent(resampling.extent)
    , labels(static_cast<const TLabel *>(resampling.labels))
    , transform(MakeIndexTransform(resampling.mapping.indexMap))
    , field(resampling.mapping.field)
  {}

  /** The label of voxel (x, y, z) of the output, whose index in memory is \p i. */
  CUDANEURO_HOST_DEVICE std::uint16_t
                        LabelOf(int x, int y, int z, std::int64_t i) const
  {
    SplitPosition position = MapVoxel<std::int64_t>(transform, x, y, z);
    if (field.x != nullptr)
    {
      position = Moved(transform, position, field.x[i], field.y[i], field.z[i]);
    }
    return IsInside(position, extent) ? labels[NearestVoxel<std::int64_t>(position, extent)]
                                      : static_cast<std::uint16_t>(noLabel);
  }
};

/** The count of a label among some voxels, and the next larger label among them. */
struct LabelCount
{
  int count;
  int next;
};

/** The voxels of one coarse voxel. */
struct LabelBlock
{
  const std::uint16_t * first;
  Extent                size;
  std::int64_t          row;
  std::int64_t          plane;

  CUDANEURO_HOST_DEVICE
  LabelBlock(const LabelShrinking & shrinking, int x, int y, int z)
    : first(nullptr)
    , row(shrinking.extent.x)
    , plane(row * shrinking.extent.y)
  {
    const int begin[3] = { x * shrinking.factors[0], y * shrinking.factors[1], z * shrinking.factors[2] };
    first = shrinking.labels + (begin[2] * plane + begin[1] * row + begin[0]);
    // The last blocks may reach beyond the grid.
    size = { SmallerLabel(shrinking.factors[0], shrinking.extent.x - begin[0]),
             SmallerLabel(shrinking.factors[1], shrinking.extent.y - begin[1]),
             SmallerLabel(shrinking.factors[2], shrinking.extent.z - begin[2]) };
  }

  CUDANEURO_HOST_DEVICE LabelCount
  Count(int label) const
  {
    LabelCount result{ 0, aboveAllLabels };
    for (int z = 0; z < size.z; ++z)
    {
      for (int y = 0; y < size.y; ++y)
      {
        const std::uint16_t * const labels = first + (z * plane + y * row);
        for (int x = 0; x < size.x; ++x)
        {
          result.count += labels[x] == label ? 1 : 0;
          result.next = SmallerLabel(result.next, LabelAbove(labels[x], label));
        }
      }
    }
    return result;
  }

  /** The most frequent label; of equally frequent ones, the smallest. Most blocks have few labels, so that these are
   * counted one by one, in increasing order, until no other label can be more frequent. */
  CUDANEURO_HOST_DEVICE std::uint16_t
                        MostFrequent() const
  {
    int remaining = size.x * size.y * size.z;
    int mostOften = 0;
    int best = noLabel;
    int label = Count(-1).next;
    while (remaining > mostOften)
    {
      const LabelCount counted = Count(label);
      if (counted.count > mostOften)
      {
        mostOften = counted.count;
        best = label;
      }
      remaining -= counted.count;
      label = counted.next;
    }
    return static_cast<std::uint16_t>(best);
  }
};

} // namespace cudaneuro

#endif
