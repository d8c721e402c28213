// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_adaptive_BlockTileCpu_h
#define cudaneuro_denoising_adaptive_BlockTileCpu_h

#include "core/HostMemory.h"
#include "denoising/adaptive/BlockLayout.h"

#include <algorithm>
#include <cstdint>

namespace cudaneuro::cpu
{

/** A thread's task is this number of rows of references in one plane of references. */
constexpr int referenceRowsOfTask = 8;

/** The box of voxels on which the groups of a task's references depend. Rows extend beyond both faces of the image by
 * the reach of windows. */
template <typename TShape>
class BlockTile
{
public:
  BlockTile(const BlockImage & image, std::int64_t task)
    : m_Image(image)
    , m_Tasks(DivideUp(image.references.y, referenceRowsOfTask))
    , m_FirstRow(static_cast<int>(task % m_Tasks) * referenceRowsOfTask)
    , m_EndRow(std::min(m_FirstRow + referenceRowsOfTask, image.references.y))
    , m_Reference(static_cast<int>(task / m_Tasks))
    , m_OriginY(ReferenceY(image, m_FirstRow) - TShape::reach)
    , m_OriginZ(ReferencePlane(TShape(), image, m_Reference) - TShape::reachZ)
    , m_RowStride(RoundUp(image.extent.x + 2 * TShape::reach, 16))
    , m_Rows(ReferenceY(image, m_EndRow - 1) - m_OriginY + blockEdge + TShape::reach)
  {}

  static std::int64_t
  NumberOfTasks(const BlockImage & image)
  {
    return std::int64_t{ DivideUp(image.references.y, referenceRowsOfTask) } * image.references.z;
  }

  std::int64_t
  Size() const
  {
    return std::int64_t{ m_RowStride } * m_Rows * (TShape::widthZ + TShape::depth - 1);
  }
  int
  FirstRow() const
  {
    return m_FirstRow;
  }
  int
  EndRow() const
  {
    return m_EndRow;
  }
  int
  RowStride() const
  {
    return m_RowStride;
  }
  int
  PlaneStride() const
  {
    return m_RowStride * m_Rows;
  }

  /** Returns the index of a reference among those of the image. */
  std::int64_t
  Reference(int row, int x) const
  {
    return (std::int64_t{ m_Reference } * m_Image.references.y + row) * m_Image.references.x + x;
  }

  /** Returns the place in the tile of the window of a row's block at x = 0; the window at x begins x places later. */
  std::int64_t
  WindowOfRow(int row) const
  {
    return std::int64_t{ m_RowStride } * (ReferenceY(m_Image, row) - TShape::reach - m_OriginY);
  }

  /** Returns the place in the tile of a member of a window. */
  std::int64_t
  Place(std::int64_t window, int candidate) const
  {
    const int row = candidate / TShape::width;
    return window + candidate % TShape::width + row % TShape::width * m_RowStride +
           std::int64_t{ row / TShape::width } * this->PlaneStride();
  }

  WindowPlanes
  PlanesOfWindow() const
  {
    return WindowPlanes::Of(TShape(), m_Image, m_OriginZ + TShape::reachZ);
  }

  /** Rows [begin, end) of a window are those whose blocks lie inside the image. */
  int
  BeginOfWindow(int row) const
  {
    return std::max(TShape::reach - ReferenceY(m_Image, row), 0);
  }
  int
  EndOfWindow(int row) const
  {
    return std::min(m_Image.extent.y - blockEdge - ReferenceY(m_Image, row) + TShape::reach + 1, TShape::width);
  }

  /** Calls body(place of the row in the tile, index in the image) for each row of the tile that is inside the image; a
   * row has extent.x voxels. */
  template <typename TBody>
  void
  ForRowsInside(const TBody & body) const
  {
    const Extent & extent = m_Image.extent;
    for (int z = std::max(m_OriginZ, 0); z < std::min(m_OriginZ + TShape::widthZ + TShape::depth - 1, extent.z); ++z)
    {
      for (int y = std::max(m_OriginY, 0); y < std::min(m_OriginY + m_Rows, extent.y); ++y)
      {
        body(std::int64_t{ z - m_OriginZ } * this->PlaneStride() + std::int64_t{ y - m_OriginY } * m_RowStride +
               TShape::reach,
             (std::int64_t{ z } * extent.y + y) * extent.x);
      }
    }
  }

  /** Copies the voxels of a volume; places outside the image are not written. */
  void
  Gather(const float * volume, AlignedBuffer & tile) const
  {
    this->ForRowsInside(
      [&](std::int64_t place, std::int64_t i) { std::copy_n(volume + i, m_Image.extent.x, tile.Data() + place); });
  }

private:
  const BlockImage & m_Image;
  int                m_Tasks;
  int                m_FirstRow;
  int                m_EndRow;
  int                m_Reference;
  int                m_OriginY;
  int                m_OriginZ;
  int                m_RowStride;
  int                m_Rows;
};

} // namespace cudaneuro::cpu

#endif
