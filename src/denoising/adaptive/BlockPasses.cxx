// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/adaptive/BlockPasses.h"

#include "core/IntegerMath.h"
#include "denoising/adaptive/AdaptiveNonLocalMeans.h"

#include <algorithm>

namespace cudaneuro
{
namespace
{

/** Returns \p image with the references whose groups affect planes [begin, end) of a pass's result. */
BlockImage
WithReferencesOf(BlockImage image, std::int64_t begin, std::int64_t end)
{
  WithBlockShape(image.depth, [&](auto shape) {
    using Shape = decltype(shape);
    const int  places = image.planes - Shape::depth + 1;
    const int  count = NumberOfReferences(places, Shape::stepZ);
    const auto lowest = std::max<std::int64_t>(begin - Shape::farthestZ, 0);
    const auto highest = end - 1 + Shape::reachZ;
    const auto endReference = highest >= places - 1 ? std::int64_t{ count } : highest / Shape::stepZ + 1;
    const auto firstReference = std::min<std::int64_t>(DivideUp(lowest, Shape::stepZ), count);
    image.firstReference = static_cast<int>(firstReference);
    image.references = { NumberOfReferences(image.extent.x - blockEdge + 1, referenceStep),
                         NumberOfReferences(image.extent.y - blockEdge + 1, referenceStep),
                         static_cast<int>(std::max<std::int64_t>(endReference - firstReference, 0)) };
  });
  return image;
}

template <typename TStep>
void
RunStep(Context & context, std::int64_t count, const TStep & step)
{
  CUDANEURO_DISPATCH(context, ForEachIndex(context, count, step));
}

template <typename T>
DeviceMemory
AllocateArray(Context & context, std::int64_t count)
{
  return context.Allocate(static_cast<std::size_t>(count) * sizeof(T));
}

/** Both passes over the planes of a slab, and their memory. */
class BlockPasses
{
public:
  BlockPasses(Context & context, const NoisyImage & noisy, const SlabRange & slab, int planes, int depth)
    : m_Context(context)
    , m_NoisyImage(noisy)
    , m_Slab(slab)
    , m_Voxels(NumberOfVoxels(noisy.extent))
    , m_Noisy(AllocateArray<float>(context, m_Voxels))
    , m_Estimate(AllocateArray<float>(context, m_Voxels))
    , m_Sums(AllocateArray<std::int64_t>(context, m_Voxels))
    , m_Counts(AllocateArray<int>(context, m_Voxels))
  {
    m_Image.extent = noisy.extent;
    m_Image.firstPlane = static_cast<int>(slab.begin);
    m_Image.planes = planes;
    m_Image.depth = depth;
  }

  /** Runs both passes. \param output the planes of the slab's result */
  void
  Run(bool isRician, float * output) const
  {
    auto * const           noisy = static_cast<float *>(m_Noisy.Data());
    auto * const           estimate = static_cast<float *>(m_Estimate.Data());
    const Extent &         extent = m_Image.extent;
    Context::ProgressSteps progress(m_Context);
    progress.UpTo(0.02);
    RunStep(m_Context, m_Voxels, ScaleVoxel{ m_NoisyImage, estimate });
    progress.UpTo(0.05);
    RunStep(m_Context, m_Voxels, FillGap{ extent, m_Image.depth, estimate, noisy });
    // estimate holds the scaled input, gaps included, until the first pass ends; the second has fewer references.
    const BlockImage first = WithReferencesOf(m_Image, m_Slab.keepBegin - haloOfPass, m_Slab.keepEnd + haloOfPass);
    const BlockImage second = WithReferencesOf(m_Image, m_Slab.keepBegin, m_Slab.keepEnd);
    progress.UpTo(0.06);
    const auto  variances = this->FindVariances(first, estimate);
    const auto  members = AllocateArray<std::uint16_t>(m_Context, groupSize * NumberOfVoxels(first.references));
    BlockGroups groups{ static_cast<const float *>(variances.Data()), static_cast<std::uint16_t *>(members.Data()) };
    progress.UpTo(0.5);
    this->RunPass(first, noisy, nullptr, groups);
    progress.UpTo(0.52);
    RunStep(m_Context, m_Voxels, EstimateVoxel{ extent, m_Image.depth, this->Residuals(), noisy, estimate });
    const std::int64_t perPlane = std::int64_t{ first.references.x } * first.references.y;
    groups.variances += perPlane * (second.firstReference - first.firstReference);
    progress.UpTo(0.98);
    this->RunPass(second, noisy, estimate, groups);
    progress.UpTo(1.0);
    const std::int64_t plane = std::int64_t{ extent.x } * extent.y;
    const std::int64_t before = (m_Slab.keepBegin - m_Slab.begin) * plane;
    const std::int64_t count = m_Voxels - before - (m_Slab.end - m_Slab.keepEnd) * plane;
    RunStep(m_Context, count, WriteVoxel{ m_NoisyImage, m_Image.depth, isRician, before, this->Residuals(), output });
  }

private:
  ResidualSums
  Residuals() const
  {
    return { static_cast<std::int64_t *>(m_Sums.Data()), static_cast<int *>(m_Counts.Data()) };
  }

  DeviceMemory
  FindVariances(const BlockImage & image, const float * scaled) const
  {
    const std::int64_t references = NumberOfVoxels(image.references);
    DeviceMemory       memory = AllocateArray<float>(m_Context, references);
    const FindVariance step{ m_NoisyImage, image, scaled, static_cast<float *>(memory.Data()) };
    RunStep(m_Context, references, step);
    return memory;
  }

  void
  RunPass(const BlockImage & image, const float * noisy, const float * guide, const BlockGroups & groups) const
  {
    Context::ProgressSteps progress(m_Context);
    progress.UpTo(0.02);
    this->Clear();
    progress.UpTo(0.5);
    this->Match(image, guide != nullptr ? guide : noisy, groups);
    progress.UpTo(1.0);
    this->Shrink(image, noisy, guide, groups);
    m_Context.ReportProgress(1.0); // kernels do not report
  }

  void
  Clear() const
  {
    CUDANEURO_DISPATCH(m_Context, ClearResiduals(m_Context, m_Voxels, this->Residuals()));
  }

  void
  Match(const BlockImage & image, const float * volume, const BlockGroups & groups) const
  {
    CUDANEURO_DISPATCH(m_Context, MatchBlocks(m_Context, image, volume, groups));
  }

  void
  Shrink(const BlockImage & image, const float * noisy, const float * guide, const BlockGroups & groups) const
  {
    CUDANEURO_DISPATCH(m_Context, ShrinkGroups(m_Context, image, noisy, guide, groups, this->Residuals()));
  }

  Context &    m_Context;
  NoisyImage   m_NoisyImage;
  SlabRange    m_Slab;
  BlockImage   m_Image;
  std::int64_t m_Voxels;
  DeviceMemory m_Noisy;
  DeviceMemory m_Estimate;
  DeviceMemory m_Sums;
  DeviceMemory m_Counts;
};

} // namespace

void
RunBlockPasses(Context &          context,
               const NoisyImage & noisy,
               const SlabRange &  slab,
               int                planes,
               int                depth,
               bool               isRician,
               float *            output)
{
  BlockPasses(context, noisy, slab, planes, depth).Run(isRician, output);
}

} // namespace cudaneuro
