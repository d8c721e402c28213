// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_TileDenoiserCpu_h
#define cudaneuro_denoising_nonlocalmeans_TileDenoiserCpu_h

#include "core/HostMemory.h"
#include "denoising/nonlocalmeans/NonLocalMeansPlanCpu.h"
#include "denoising/nonlocalmeans/PatchBoxFilterCpu.h"
#include "jobs/TileCpu.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace cudaneuro::cpu
{

/** The pairs (i, i + offset) of one tile. */
struct WindowOffset
{
  NonLocalMeansPlan::Sizes offset;
  /** The rows and planes of i for which i or i + offset is in the tile. */
  std::int64_t rowBegin;
  std::int64_t numberOfRows;
  std::int64_t planeBegin;
  std::int64_t planeEnd;
  bool         isCenter;

  WindowOffset(const NonLocalMeansPlan::Sizes & o, const Tile & tile)
    : offset(o)
    , rowBegin(std::min<std::int64_t>(0, -o[1]))
    , numberOfRows(tile.size[1] + (o[1] < 0 ? -o[1] : o[1]))
    , planeBegin(-o[2])
    , planeEnd(tile.size[2])
    , isCenter(o[0] == 0 && o[1] == 0 && o[2] == 0)
  {}
};

/** Denoises one tile by one box filter for each window offset (Darbon et al. 2008).
 *
 * The weights of all pairs (i, i + t) of one offset t are a box filter of one image of terms. As
 * w(i, i + t) = w(i + t, i), each weight serves both voxels, and half of the offsets suffice. A tile computes all
 * weights that its own voxels need, so that tiles are independent and the result does not depend on how threads share
 * them. */
class TileDenoiser
{
public:
  TileDenoiser(const NonLocalMeansPlan & plan, const Grid & grid, const Tile & tile);

  /** Loads the tile and its halo. \returns false if all voxels of the tile are excluded */
  bool
  Gather(const float * input, const unsigned char * mask);

  void
  Run();

  /** Writes the tile's outputs; excluded voxels are copied. \p input and \p output are whole volumes. */
  void
  WriteOutput(const float * input, float * output) const;

private:
  /** Loads RelativePrecision() of the tile and its halo. */
  void
  GatherPrecision();

  /** Returns the precision at the voxel of a scaled intensity in m_Values; null without a map. */
  const float *
  PrecisionOf(const float * value) const
  {
    return m_Plan.HasMap() ? m_Precision.Data() + (value - m_Values.Data()) : nullptr;
  }

  /** Returns whether the two ends of pairs have different terms, as in PatchSum with a map. */
  bool
  HasOtherTerms(const WindowOffset & pairs) const
  {
    return m_Plan.HasMap() && m_Plan.IsPatchSum() && !pairs.isCenter;
  }

  /** Returns whether the pairs of a patch must be counted. Otherwise their number is a product over the axes. */
  bool
  CountsPairs() const
  {
    return !m_Plan.IsPatchSum() && !m_Participation.allInImage;
  }

  void
  RunOffset(const WindowOffset & pairs);

  /** Adds planes \p first and, withNext, first + 1, counted from pairs.planeBegin, to the sums. */
  void
  FinishPlanes(const WindowOffset & pairs, std::int64_t first, bool withNext);

  /** Returns the distance in m_Values from i to i + offset. */
  std::int64_t
  ValueShift(const WindowOffset & pairs) const
  {
    return pairs.offset[0] + m_Tile.rowStride * pairs.offset[1] + m_Tile.PlaneStride() * pairs.offset[2];
  }

  void
  AddTerms(const WindowOffset & pairs, std::int64_t plane);

  /** Returns the ratio of the inverse counts of plane \p z to those of ComputeInverseCountsOfPlane. */
  float
  InverseCountAlongZ(const WindowOffset & pairs, std::int64_t z) const;

  /** Computes and adds the weights of plane \p z in one loop. This serves where both ends of the pairs are in the tile
   * and in different rows, no pairs are counted, and no maxima are needed.
   * \returns whether it was done */
  bool
  AccumulateBothEnds(const WindowOffset & pairs, std::int64_t z, bool isNext);

  /** Does AccumulateBothEnds for some rows; \p row counts from pairs.rowBegin. */
  template <bool VSquares, bool VMap>
  bool
  AccumulateRows(const WindowOffset & pairs, std::int64_t z, bool isNext, std::int64_t row, std::int64_t numberOfRows);

  /** Turns the box filter's results of plane \p z into weights, in place. With a map, b's weights are in m_OtherBox. */
  void
  ComputeWeights(const WindowOffset & pairs, std::int64_t z, bool isNext);

  void
  AccumulatePlane(const WindowOffset & pairs, std::int64_t z);

  void
  Accumulate(std::int64_t n, const float * centers, const float * values, const float * weights, std::int64_t to);

  /** Returns the number of d in [-patch radius, patch radius] for which the local coordinates i + d and i + d + offset
   * are both inside the image. */
  std::int64_t
  CountAlong(int axis, std::int64_t i, std::int64_t offset) const;

  /** Computes inverse counts along x and y. Where only the image's border excludes pairs, the inverse counts of
   * every plane are proportional to these. */
  void
  ComputeInverseCountsOfPlane(const WindowOffset & pairs);

  /** Returns an output. \param input intensity \param value the scaled intensity in m_Values */
  float
  DenoisedValue(float input, const float * value, std::int64_t sumIndex) const;

  const NonLocalMeansPlan & m_Plan;
  const Grid &              m_Grid;
  Tile                      m_Tile;
  Tile                      m_SumTile;
  TileParticipation         m_Participation;
  /** Scaled intensities of the tile and its halo. */
  AlignedBuffer  m_Values;
  PatchBoxFilter m_Box;
  PatchBoxFilter m_CountBox;
  AlignedBuffer  m_Sums;
  AlignedBuffer  m_WeightSums;
  AlignedBuffer  m_Maxima;
  AlignedBuffer  m_Precision;
  /** With a map: under PatchSum the terms of the second ends of pairs, otherwise the weights of these ends. */
  std::optional<PatchBoxFilter> m_OtherBox;
};

} // namespace cudaneuro::cpu

#endif
