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
  /** The intensities, which must be finite inside the mask. */
  const float * image = nullptr;
  /** The mask; it may be null. */
  const unsigned char * mask = nullptr;
  /** The weight of each voxel, 0 or more. It may be null: then all weights are 1. */
  const float * weight = nullptr;
  AffineMap     indexToPoint;
  /** Sides beyond which the background continues: voxels mapped there are visible, and have no gradient. */
  GridSides extended;
};

/** Measures whether a map aligns two images, by their gradients.
 *
 * The normalized gradient of an image I is n = grad I / sqrt(|grad I|^2 + e^2), by central differences in mm; it is 0
 * where a voxel or a neighbor is outside the mask. e is 0.3 of the median of the lengths of the gradients that are not
 * 0, at voxels whose weight w is not 0.
 *
 * Blocks are cubes (for slices, squares) of voxels of a source image. A voxel x of a block is mapped to T x in the
 * target; with A the matrix of T, c(x) = (A n_source(x)) . n_target(T x), where n_target is interpolated linearly.
 * Its visibility v(x) is 1 on the target's grid inside the mask, and falls to 0 over one voxel beyond. On sides where
 * the target's background continues, v stays 1, and n_target falls to 0.
 *
 * A block agrees if g(d), the mean squared cosine sum w v c^2 / sum w v |A n_source|^2 |n_target|^2 for the map T + d,
 * is largest without a shift: g(0) > 0 and g(0) >= g(d) for shifts d in both directions along each axis of the target's
 * grid, without shifts whose denominator is less than a fifth of that without a shift, which see too little.
 * The weight of a block is the sum of w v, or 0 if that is below 15 % of the largest, or if the source has no gradient
 * in the block. The agreement is the weighted fraction of blocks that agree, averaged over both directions: T with the
 * blocks of the fixed image, and the inverse of T with those of the moving image. By chance it is 1/7, and 1/5 for
 * slices, which are shifted in their plane.
 *
 * Sums of a block are in double precision and in a fixed order: a result has the same bits in each run on a device.
 * If the sums of two shifts differ only by rounding, devices may give different results. */
class BlockAgreement
{
public:
  /** The results of one direction, or of both. */
  struct Part
  {
    double agreement = 0.0;
    /** sum w v c^2 / sum w v |A n_source|^2 |n_target|^2: the mean squared cosine between the gradients. */
    double squaredCosine = 0.0;
    /** sum w v c^2 / sum w |n_source|^2, which also decreases if less of the source is visible. */
    double alignedGradients = 0.0;
    /** The number of blocks with weight. If there is none, the numbers above are 0. */
    int numberOfBlocks = 0;
  };
  /** Agreements and ratios are the means of both directions; the number of blocks is their sum. */
  struct Result : Part
  {
    Part ofFixedBlocks;
    Part ofMovingBlocks;
  };

  /** Like Evaluate, must be called inside RunDeviceJob. Masks and images are read only here; weights must outlive the
   * object. \param blockSide, shift in mm, above 0. Sides of blocks are rounded to numbers of voxels, at least 1. */
  BlockAgreement(
    Context & context, const AgreementImage & fixed, const AgreementImage & moving, double blockSide, double shift);

  /** Evaluates a map. \param map from points of the fixed image to points of the moving image
   * \throws InvalidParameterError for a matrix without an inverse */
  Result
  Evaluate(const AffineMap & map);

private:
  /** An image with the data that do not depend on the map. */
  struct Side
  {
    AgreementImage     image;
    DeviceMemory       gradients;
    AffineMap          pointToIndex;
    std::array<int, 3> voxelsOfBlock{};
    /** The shift along each axis, in voxels. */
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

/** Counts the voxels with weight by the length of their gradient, in the bins of BlockAgreementFormulas.h. */
CUDANEURO_ON_BOTH(std::vector<std::int64_t> CountGradients(Context & context, const GradientSource & source));

CUDANEURO_ON_BOTH(
  void NormalizeGradients(Context & context, const GradientSource & source, double noise, GradientVoxel * gradients));

/** Returns the sums of all blocks of some views, view after view. */
CUDANEURO_ON_BOTH(std::vector<BlockSums> SumBlocks(Context & context, const std::vector<BlockView> & views));

} // namespace cudaneuro

#endif
