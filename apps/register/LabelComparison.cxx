// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/LabelComparison.h"

#include "itkCudaNeuroDetail.h"
#include "register/labels/SegmentOverlap.h"
#include "shared/ProgressBar.h"

#include <algorithm>
#include <numeric>

namespace
{

template <unsigned int VDimension>
void
NoteOverlap(RegisterReport &                   report,
            const RegisterInputs<VDimension> & inputs,
            const std::string &                when,
            const LabelImage<VDimension> &     labels)
{
  const std::size_t  count = labels.GetLargestPossibleRegion().GetNumberOfPixels();
  const Segmentation fixed(inputs.fixedLabels->GetMetaDataDictionary());
  const Segmentation moving(inputs.movingSegments);
  const auto * const fixedLabels = inputs.fixedLabels->GetBufferPointer();
  LabelOverlap       overlap = ComputeLabelOverlap(fixedLabels, labels.GetBufferPointer(), count);
  const auto         dice = ComputeSegmentOverlap(fixed, fixedLabels, moving, labels.GetBufferPointer(), count);
  if (fixed.GetLayers() > 1 || moving.GetLayers() > 1)
  {
    // A voxel's number stands for several labels here; the overlap of segments of the same name counts instead.
    overlap.dice.clear();
    overlap.mean =
      std::accumulate(
        dice.begin(), dice.end(), 0.0, [](double sum, const auto & segment) { return sum + segment.second; }) /
      static_cast<double>(std::max<std::size_t>(1, dice.size())); // 0 if all segments are empty
  }
  report.SetOverlap(when, overlap);
  if (!dice.empty())
  {
    report.SetSegmentOverlap(when, dice);
  }
}

template <unsigned int VDimension>
LabelGrid
GridOf(const itk::ImageBase<VDimension> & image)
{
  LabelGrid grid;
  grid.dimension = VDimension;
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    grid.size[axis] = static_cast<std::int64_t>(image.GetLargestPossibleRegion().GetSize(axis));
    for (unsigned int component = 0; component < VDimension; ++component)
    {
      grid.steps[axis][component] = image.GetDirection()(component, axis) * image.GetSpacing()[axis];
    }
  }
  return grid;
}

template <unsigned int VDimension>
void
NoteDistances(RegisterReport &                   report,
              const ComputeOptions &             compute,
              const RegisterInputs<VDimension> & inputs,
              const std::string &                when,
              const LabelImage<VDimension> &     labels)
{
  const Segmentation fixed(inputs.fixedLabels->GetMetaDataDictionary());
  const Segmentation moving(inputs.movingSegments);
  cudaneuro::Context context(compute.GetDevice().GetEngineDevice(), compute.numberOfThreads);
  context.SetMemoryLimit(compute.maximumDeviceMemory);
  ProgressBar bar("Measuring labels", compute.isQuiet);
  context.SetProgressFunction([&bar](float fraction) {
    bar.Show(static_cast<double>(fraction));
    return !IsInterrupted();
  });
  itk::CudaNeuroDetail::Call([&] {
    report.SetLabelDistances(when,
                             MeasureLabelDistances(context,
                                                   GridOf<VDimension>(*inputs.fixedLabels),
                                                   { fixed, inputs.fixedLabels->GetBufferPointer() },
                                                   { moving, labels.GetBufferPointer() }));
  });
}

} // namespace

template <unsigned int VDimension>
void
CompareWithFixedLabels(RegisterJob &                      job,
                       const RegisterInputs<VDimension> & inputs,
                       const std::string &                when,
                       const LabelImage<VDimension> &     labels)
{
  NoteOverlap<VDimension>(job.GetReport(), inputs, when, labels);
  if (job.GetOptions().measuresLabelDistances)
  {
    NoteDistances<VDimension>(job.GetReport(), job.GetOptions().compute, inputs, when, labels);
  }
}

template void
CompareWithFixedLabels<2>(RegisterJob &, const RegisterInputs<2> &, const std::string &, const LabelImage<2> &);
template void
CompareWithFixedLabels<3>(RegisterJob &, const RegisterInputs<3> &, const std::string &, const LabelImage<3> &);
