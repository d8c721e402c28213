// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_blocks_BlockAgreement_h
#define cudaneuro_metrics_blocks_BlockAgreement_h

#include "core/Dispatch.h"
#include "metrics/MetricEvaluator.h"

#include <array>
#include <vector>

namespace cudaneuro
{

struct BlockSums;
struct BlockView;
struct GradientSource;
struct GradientVoxel;

/** An image whose blocks are compared, in memory of the context's device. */
struct AgreementImage
{
  Extent extent;
  /** Finite inside the mask. */
  const float * image = nullptr;
  /** May be null. */
  const unsigned char * mask = nullptr;
  /** What each voxel counts, 0 or more. May be null: each counts 1. */
  const float * weight = nullptr;
  AffineMap     indexToPoint;
  /** Sides beyond which the background goes on: what is there is seen, and has no gradient. */
  GridSides extended;
};

/** Whether a map aligns two images, by their gradients.
 *
 * The normalized gradient of an image I is n = grad I / sqrt(|grad I|^2 + e^2), by central differences in mm; it is 0
 * where a voxel or a neighbor is outside the mask. e is 0.3 of the median of the lengths of the gradients that are not
 * 0, where the weight w is not.
 *
 * Blocks are cubes (for slices, squares) of voxels of a source image with matrix A to a target image. A voxel x of a
 * block sees the target at T x, with c(x) = (A n_source(x)) . n_target(T x), where n_target is interpolated linearly.
 * It is visible by v(x), which is 1 on the target's grid inside the mask, and falls to 0 over one voxel beyond. Where
 * the target's background goes on, v remains 1, and n_target falls to 0.
 *
 * A block agrees where g(d), the mean squared cosine sum w v c^2 / sum w v |A n_source|^2 |n_target|^2 at the map T +
 * d, is largest without a shift: g(0) > 0 and g(0) >= g(d) for shifts d forth and back along each axis of the target's
 * grid, but for those whose denominator is less than a fifth of that without a shift, of which too little is seen.
 * Blocks count by the sum of w v, and not at all if that is below 15 % of the largest, or if the source has no gradient
 * in them. The agreement is the part of what counts that agrees, as the mean over both directions, T with the blocks of
 * the fixed image and the inverse of T with those of the moving one. By chance, it is 1/7, and 1/5 for slices, which
 * are shifted in their plane.
 *
 * Sums of a block are in double precision and in a fixed order: a result has the same bits in each run on a device.
 * Where the sums of two shifts are the same but for rounding, devices may differ. */
class BlockAgreement
{
public:
  /** One direction, or both. */
  struct Part
  {
    double agreement = 0.0;
    /** sum w v c^2 / sum w v |A n_source|^2 |n_target|^2: the mean squared cosine between the gradients. */
    double squaredCosine = 0.0;
    /** sum w v c^2 / sum w |n_source|^2, which decreases also where less of the source is visible. */
    double alignedGradients = 0.0;
    /** Blocks that count. Where there is none, the numbers above are 0. */
    int numberOfBlocks = 0;
  };
  /** Agreements and ratios are the means of both directions; blocks are those of both. */
  struct Result : Part
  {
    Part ofFixedBlocks;
    Part ofMovingBlocks;
  };

  /** Inside RunDeviceJob, as Evaluate. Masks and images are needed here only, weights as long as the object lives.
   * \param blockSide, shift in mm, above 0. Sides of blocks are the nearest numbers of voxels, 1 or more. */
  BlockAgreement(
    Context & context, const AgreementImage & fixed, const AgreementImage & moving, double blockSide, double shift);

  /** \param map from points of the fixed image to points of the moving image
   * \throws InvalidParameterError for a matrix without an inverse */
  Result
  Evaluate(const AffineMap & map);

private:
  /** An image with what does not depend on the map. */
  struct Side
  {
    AgreementImage     image;
    DeviceMemory       gradients;
    AffineMap          pointToIndex;
    std::array<int, 3> voxelsOfBlock{};
    /** A shift along each axis, in voxels. */
    std::array<float, 3> shifts{};
  };

  Side
  MakeSide(const AgreementImage & image, double blockSide, double shift) const;
  BlockView
  MakeView(const Side & source, const Side & target, const AffineMap & map) const;

  Context & m_Context;
  Side      m_Fixed;
  Side      m_Moving;
};

/** How many voxels with weight have a gradient of which length, in the bins of BlockAgreementFormulas.h. */
CUDANEURO_ON_BOTH(std::vector<std::int64_t> CountGradients(Context & context, const GradientSource & source));

CUDANEURO_ON_BOTH(
  void NormalizeGradients(Context & context, const GradientSource & source, double noise, GradientVoxel * gradients));

/** The sums of all blocks of some views, one view after the other. */
CUDANEURO_ON_BOTH(std::vector<BlockSums> SumBlocks(Context & context, const std::vector<BlockView> & views));

} // namespace cudaneuro

#endif
