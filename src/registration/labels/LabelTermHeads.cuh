// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_labels_LabelTermHeads_cuh
#define cudaneuro_registration_labels_LabelTermHeads_cuh

#include "registration/labels/LabelTermFormulas.h"

#include <cstdint>

/** The labels of both heads, as a kernel reads them at a voxel. A head either moves or stays. */
namespace cudaneuro
{
namespace
{

/** A map that moves, and its labels. */
struct LabelSide
{
  MapPair               maps;
  const std::uint16_t * labels;
  const std::uint16_t * cells; // labels of cells, see LabelCellsKernel; null where the head stays
  SoAField              force;
};

/** The position of a voxel on the grid. */
struct LabelVoxel
{
  int x;
  int y;
  int z;
};

/** The labels of a head that stays. */
struct StillHead
{
  const std::uint16_t * labels;

  /** The value that is read first at a voxel, and from which its labels are found. */
  using First = int;

  __device__ __forceinline__ int
  Read(int i) const
  {
    return __ldg(labels + i);
  }
  __device__ __forceinline__ int
  LabelAt(const CellGrid &, const LabelVoxel &, int label) const
  {
    return label;
  }
  __device__ __forceinline__ StillLabel
  Find(const CellGrid &, const LabelVoxel &, int label) const
  {
    return { label };
  }
  __device__ __forceinline__ void
  Add(int, const float (&)[3], const LabelForce &) const
  {}
};

/** The labels of a head that moves. */
struct MovingHead
{
  SoAField              displacement;
  const std::uint16_t * labels;
  const std::uint16_t * cells;
  SoAField              force;

  using First = float3;

  __device__ __forceinline__
  MovingHead(const LabelSide & side, const StepState & state)
    : displacement(side.maps.Candidate(state))
    , labels(side.labels)
    , cells(side.cells)
    , force(side.force)
  {}

  /** The displacement alone: adding the voxel's position here would make the thread wait for the load. */
  __device__ __forceinline__ float3
  Read(int i) const
  {
    return make_float3(__ldg(displacement.x + i), __ldg(displacement.y + i), __ldg(displacement.z + i));
  }
  /** The label of the cell around the deformed position; noLabel outside the grid. */
  __device__ __forceinline__ int
  LabelAt(const CellGrid & grid, const LabelVoxel & voxel, const float3 & d) const
  {
    const float3 at = Moved(voxel, d);
    return grid.Contains(at.x, at.y, at.z) ? __ldg(cells + Cell(grid, at.x, at.y, at.z).offset) : noLabel;
  }
  __device__ __forceinline__ DeformedLabels
  Find(const CellGrid & grid, const LabelVoxel & voxel, const float3 & d) const
  {
    const float3   at = Moved(voxel, d);
    DeformedLabels found;
    found.cell = Cell(grid, at.x, at.y, at.z);
    found.corners = CornerLabels(grid, found.cell, labels);
    return found;
  }
  __device__ __forceinline__ void
  Add(int i, const float (&scale)[3], const LabelForce & added) const
  {
    if (!added.IsZero())
    {
      // All loads come before the first store, which the compiler could not move them across.
      const float3 before = make_float3(force.x[i], force.y[i], force.z[i]);
      force.x[i] = fmaf(scale[0], added.x, before.x);
      force.y[i] = fmaf(scale[1], added.y, before.y);
      force.z[i] = fmaf(scale[2], added.z, before.z);
    }
  }

private:
  __device__ __forceinline__ static float3
  Moved(const LabelVoxel & voxel, const float3 & d)
  {
    return make_float3(
      static_cast<float>(voxel.x) + d.x, static_cast<float>(voxel.y) + d.y, static_cast<float>(voxel.z) + d.z);
  }
};

} // namespace
} // namespace cudaneuro

#endif
