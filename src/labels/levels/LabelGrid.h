// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_LabelGrid_h
#define cudaneuro_labels_levels_LabelGrid_h

#include "core/SoAField.h"
#include "cudaneuro/Geometry.h"
#include "labels/levels/LabelFormulas.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace cudaneuro
{

/** The location of a label. */
struct LabelBox
{
  double                      label = 0.0;
  std::int64_t                count = 0;
  std::array<std::int64_t, 3> low{};
  std::array<std::int64_t, 3> high{};
};

/** The boxes of labels, in the order of \p wanted; labels without voxels have the count 0. */
std::vector<LabelBox>
FindBoxes(Context & context, const Grid & grid, const ConstVolume & labels, const std::vector<double> & wanted);

/** A box around a label, with a margin, on a grid that is nearly isotropic. */
struct LabelGrid
{
  Extent extent;
  /** The voxel of the image at which the box begins; may lie outside the image. */
  std::array<std::int64_t, 3> first{};
  /** Number of the box's voxels per voxel of the image along each axis. The middle one has the label. */
  std::array<int, 3> division{ 1, 1, 1 };
  /** The shortest spacing of the image, in mm: the unit of lengths. */
  double unit = 1.0;
  /** The spacing of the box's voxels in this unit: from 0.75 to 1.5, and more for slices that are very far apart. */
  std::array<double, 3> spacing{ 1.0, 1.0, 1.0 };
  /** A code for each voxel. */
  std::vector<std::uint8_t> codes;

  std::int64_t
  Offset(int x, int y, int z) const
  {
    return (std::int64_t{ z } * extent.y + y) * extent.x + x;
  }
  std::array<int, 3>
  IndexOf(std::int64_t offset) const
  {
    return { static_cast<int>(offset % extent.x),
             static_cast<int>(offset / extent.x % extent.y),
             static_cast<int>(offset / extent.x / extent.y) };
  }
  AxisShares
  Shares() const;
  /** The largest eigenvalue of the Laplacian. */
  double
  SpectralRadius() const;
  double
  LeastSpacing() const
  {
    return std::min({ spacing[0], spacing[1], spacing[2] });
  }
  /** Half the width of the band. It is wider if voxels have gaps between them, in which the surface may lie. */
  double
  BandRadius() const;
  /** The continuous index in the image of a coordinate in units from the box's first voxel. */
  double
  ImageIndex(int axis, double coordinate) const;
};

/** The number of voxels of a label's box. */
double
VoxelsOfBox(const Grid & grid, const LabelBox & box);

LabelGrid
MakeLabelGrid(Context & context, const Grid & grid, const ConstVolume & labels, const LabelBox & box);

/** The voxels near a label's boundary. */
struct LabelBand
{
  std::int32_t count = 0;
  /** Indices of the voxels in the box, ascending. */
  std::vector<std::int32_t> voxels;
  std::vector<std::uint8_t> codes;
  /** The neighbors of voxel i of the band below and above along x, then y, then z: neighbors[direction * count + i];
   * the voxel itself where there is none. */
  std::vector<std::int32_t> neighbors;
  /** The number in the band of each voxel of the box, -1 for other voxels. */
  std::vector<std::int32_t> numbers;

  /** Computes the neighbors from the voxels and numbers. */
  void
  FindNeighbors(Context & context, const Extent & box);
};

LabelBand
MakeLabelBand(Context & context, const LabelGrid & grid);

/** The fraction of the voxels at the label's boundary that have at most one of six neighbors on their side: a measure
 * of the noise of single voxels. */
double
ShareOfSingleVoxels(const LabelGrid & grid, const LabelBand & band);

} // namespace cudaneuro

#endif
