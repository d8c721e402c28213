// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/blocks/BlockAgreement.h"

#include "core/Dispatch.h"
#include "core/HistogramQuantile.h"
#include "metrics/blocks/BlockAgreementFormulas.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

namespace
{

/** Lengths of gradients below this fraction of their median are regarded as noise. */
constexpr double noiseOfMedian = 0.3;

/** Blocks whose visible part is below this fraction of the largest have no weight. */
constexpr double leastVisiblePart = 0.15;

/** A shift that leaves less than this fraction of the gradients' products is neither better nor worse. */
constexpr double leastLengthsPart = 0.2;

std::vector<std::int64_t>
CountGradients(Context & context, const GradientSource & source)
{
  CUDANEURO_DISPATCH(context, CountGradients(context, source));
}

void
NormalizeGradients(Context & context, const GradientSource & source, double noise, GradientVoxel * gradients)
{
  CUDANEURO_DISPATCH(context, NormalizeGradients(context, source, noise, gradients));
}

std::vector<BlockSums>
SumBlocks(Context & context, const std::vector<BlockView> & views)
{
  CUDANEURO_DISPATCH(context, SumBlocks(context, views));
}

/** Returns the constant e of the normalized gradients. */
double
NoiseOf(const std::vector<std::int64_t> & counts)
{
  const bool hasGradients = std::any_of(counts.begin(), counts.end(), [](std::int64_t count) { return count > 0; });
  // Without gradients, all normalized gradients are 0 for any e.
  return hasGradients ? noiseOfMedian * GradientLengthAt(PositionOfQuantile(counts, 0.5)) : 1.0;
}

/** Returns the length of a voxel along each axis, in mm. */
std::array<double, 3>
SpacingOf(const AffineMap & indexToPoint)
{
  std::array<double, 3> spacing{};
  for (int axis = 0; axis < 3; ++axis)
  {
    const double * const m = indexToPoint.matrix.data() + axis;
    spacing[axis] = std::hypot(m[0], m[3], m[6]);
  }
  return spacing;
}

bool
IsSlice(const Extent & extent)
{
  return extent.z == 1;
}

bool
FitsBestUnshifted(const BlockSums & block, int numberOfShifts)
{
  const auto squaredCosine = [&](int shift) { return block.aligned[shift] / block.lengths[shift]; };
  bool       isBest = block.aligned[0] > 0.0;
  for (int shift = 1; shift < numberOfShifts && isBest; ++shift)
  {
    isBest = block.lengths[shift] < leastLengthsPart * block.lengths[0] || squaredCosine(0) >= squaredCosine(shift);
  }
  return isBest;
}

BlockAgreement::Part
PartOf(const BlockView & view, const BlockSums * blocks)
{
  const BlockSums * const end = blocks + view.NumberOfBlocks();
  double                  largest = 0.0;
  BlockSums               total;
  std::for_each(blocks, end, [&](const BlockSums & block) {
    largest = std::max(largest, block.visible);
    total.source += block.source;
    total.lengths[0] += block.lengths[0];
    total.aligned[0] += block.aligned[0];
  });
  BlockAgreement::Part part;
  double               counted = 0.0;
  double               agreeing = 0.0;
  std::for_each(blocks, end, [&](const BlockSums & block) {
    if (block.source > 0.0 && block.visible > 0.0 && block.visible >= leastVisiblePart * largest)
    {
      ++part.numberOfBlocks;
      counted += block.visible;
      agreeing += FitsBestUnshifted(block, view.numberOfShifts) ? block.visible : 0.0;
    }
  });
  part.agreement = counted > 0.0 ? agreeing / counted : 0.0;
  part.squaredCosine = total.lengths[0] > 0.0 ? total.aligned[0] / total.lengths[0] : 0.0;
  part.alignedGradients = total.source > 0.0 ? total.aligned[0] / total.source : 0.0;
  return part;
}

} // namespace

BlockAgreement::BlockAgreement(
  Context & context, const AgreementImage & fixed, const AgreementImage & moving, double blockSide, double shift)
  : m_Context(context)
  , m_Fixed(this->MakeSide(fixed, blockSide, shift))
  , m_Moving(this->MakeSide(moving, blockSide, shift))
{}

BlockAgreement::Side
BlockAgreement::MakeSide(const AgreementImage & image, double blockSide, double shift) const
{
  Side side;
  side.image = image;
  side.pointToIndex = Inverse(image.indexToPoint);
  const std::array<double, 3> spacing = SpacingOf(image.indexToPoint);
  const std::array<int, 3>    lengths{ image.extent.x, image.extent.y, image.extent.z };
  for (int axis = 0; axis < 3; ++axis)
  {
    const double voxels = std::min(std::round(blockSide / spacing[axis]), static_cast<double>(lengths[axis]));
    side.voxelsOfBlock[axis] = std::max(1, static_cast<int>(voxels));
    side.shifts[axis] = static_cast<float>(shift / spacing[axis]);
  }

  GradientSource source;
  source.extent = image.extent;
  source.image = image.image;
  source.mask = image.mask;
  source.weight = image.weight;
  std::copy(side.pointToIndex.matrix.begin(), side.pointToIndex.matrix.end(), source.pointToIndex);
  side.gradients = m_Context.Allocate(static_cast<std::size_t>(NumberOfVoxels(image.extent)) * sizeof(GradientVoxel));
  const double noise = NoiseOf(CountGradients(m_Context, source));
  NormalizeGradients(m_Context, source, noise, static_cast<GradientVoxel *>(side.gradients.Data()));
  return side;
}

BlockView
BlockAgreement::MakeView(const Side & source, const Side & target, const AffineMap & map) const
{
  BlockView view;
  view.sourceExtent = source.image.extent;
  view.source = static_cast<const GradientVoxel *>(source.gradients.Data());
  view.weight = source.image.weight;
  view.targetExtent = target.image.extent;
  view.target = static_cast<const GradientVoxel *>(target.gradients.Data());
  view.extended = target.image.extended;
  view.transform = MakeIndexTransform(Compose(target.pointToIndex, Compose(map, source.image.indexToPoint)));
  for (int entry = 0; entry < 9; ++entry)
  {
    view.matrix[entry] = static_cast<float>(map.matrix[entry]);
  }
  const int lengths[3] = { view.sourceExtent.x, view.sourceExtent.y, view.sourceExtent.z };
  for (int axis = 0; axis < 3; ++axis)
  {
    view.voxelsOfBlock[axis] = source.voxelsOfBlock[axis];
    view.blocks[axis] = DivideUp(lengths[axis], view.voxelsOfBlock[axis]);
    view.shifts[axis] = target.shifts[axis];
  }
  // Slices are not shifted along the third axis of their grids, out of their plane.
  view.numberOfShifts = IsSlice(view.sourceExtent) && IsSlice(view.targetExtent) ? blockShifts - 2 : blockShifts;
  return view;
}

BlockAgreement::Result
BlockAgreement::Evaluate(const AffineMap & map)
{
  const std::vector<BlockView> views{ this->MakeView(m_Fixed, m_Moving, map),
                                      this->MakeView(m_Moving, m_Fixed, Inverse(map)) };
  const std::vector<BlockSums> sums = SumBlocks(m_Context, views);
  Result                       result;
  result.ofFixedBlocks = PartOf(views[0], sums.data());
  result.ofMovingBlocks = PartOf(views[1], sums.data() + views[0].NumberOfBlocks());
  const Part & a = result.ofFixedBlocks;
  const Part & b = result.ofMovingBlocks;
  result.agreement = 0.5 * (a.agreement + b.agreement);
  result.squaredCosine = 0.5 * (a.squaredCosine + b.squaredCosine);
  result.alignedGradients = 0.5 * (a.alignedGradients + b.alignedGradients);
  result.numberOfBlocks = a.numberOfBlocks + b.numberOfBlocks;
  return result;
}

} // namespace cudaneuro
