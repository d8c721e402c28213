// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/DeformFiles.h"

#include "register/LabelWarping.h"
#include "register/LinearStage.h"
#include "register/OutputStaging.h"

#include <iomanip>
#include <sstream>

namespace
{

/** The linear filter of the alignment that was chosen; null for none. */
template <unsigned int VDimension>
typename LinearFilter<VDimension>::Pointer
MakeAlignment(const DeformableOptions & options, RegisterReport & report)
{
  const std::string align = options.GetAlign();
  if (align == "none")
  {
    return nullptr;
  }
  const auto filter = MakeLinearFilter<VDimension>(options.alignment,
                                                   AlignmentTypeOf(align),
                                                   !options.files.initialTransforms.empty(),
                                                   report,
                                                   "/alignment/parameters");
  filter->ComputeWarpedOff();
  return filter;
}

/** Warns that displacements are not the whole map where the rest of it is written nowhere. */
void
WarnOfMissingAlignment(const RegisterJob & job)
{
  const bool hasField = job.Has("field") || job.Has("inverse_field");
  if (hasField && !job.Has("transform") && !job.Has("alignment"))
  {
    PrintWarning(
      "the displacements do not have the alignment in them, which is written by --output-alignment, and with "
      "them by --output-transform; --align none leaves it out");
  }
}

template <unsigned int VDimension>
void
Deform(const ComputeOptions &             compute,
       const RegisterInputs<VDimension> & inputs,
       const TransformOf<VDimension> *    transform,
       DeformableFilter<VDimension> &     filter)
{
  SetImages(inputs, filter);
  filter.SetInitialTransform(transform);
  if (inputs.initialField.IsNotNull())
  {
    filter.SetInitialDisplacementField(inputs.initialField);
  }
  UpdateFilter(filter, compute, "Registering", [&] {
    std::ostringstream text;
    text << "energy " << std::setprecision(5);
    filter.GetIterations().empty() ? text << '-' : text << filter.GetEnergy();
    return text.str();
  });
}

template <unsigned int VDimension>
void
NoteResults(RegisterReport & report, const DeformableFilter<VDimension> & filter)
{
  report.Set("/energy/first", filter.GetIterations().empty() ? 0.0 : filter.GetIterations().front().energy);
  report.Set("/energy/final", filter.GetEnergy());
  report.Set("/energy/image", filter.GetImageEnergy());
  report.Set("/energy/bias", filter.GetBiasEnergy());
  report.Set("/jacobian/minimum", filter.GetMinimumJacobian());
  report.Set("/jacobian/maximum", filter.GetMaximumJacobian());
  report.Set("/jacobian/mean_logarithm", filter.GetMeanLogJacobian());
  report.Set("/jacobian/standard_deviation_logarithm", filter.GetStandardDeviationLogJacobian());
  report.Set("/jacobian/folded_voxels", static_cast<std::uint64_t>(filter.GetNumberOfFoldedVoxels()));
  report.Set("/shortened_steps", filter.GetNumberOfShortenedSteps());
  if (filter.GetComputeInverse())
  {
    report.Set("/inverse_consistency/mean_voxels", filter.GetMeanInverseConsistency());
    report.Set("/inverse_consistency/maximum_voxels", filter.GetMaximumInverseConsistency());
  }
  report.SetIterations(filter.GetIterations());
}

/** Resamples the moving labels through the whole map, and notes how they overlap with the fixed ones.
 * \param transform follows the displacements: the alignment, or else the initial transform */
template <unsigned int VDimension>
typename FloatImage<VDimension>::Pointer
RegisterLabels(RegisterJob &                      job,
               const RegisterInputs<VDimension> & inputs,
               const TransformOf<VDimension> *    transform,
               DeformableFilter<VDimension> &     filter)
{
  const ComputeOptions & compute = job.GetOptions().compute;
  const auto             after = transform == nullptr || transform->IsLinear()
                                   ? WarpLabels<VDimension>(compute, inputs, filter.GetDisplacementField(), transform)
                                   : WarpLabelsBy<VDimension>(compute, inputs, filter.GetTransform());
  if (inputs.fixedLabels.IsNotNull())
  {
    const auto noteWithout = [&](const char * when, const TransformOf<VDimension> * map) {
      NoteOverlap<VDimension>(job.GetReport(), inputs, when, *WarpLabelsBy<VDimension>(compute, inputs, map));
    };
    noteWithout("before", inputs.initialTransform);
    if (transform != inputs.initialTransform)
    {
      noteWithout("aligned", transform);
    }
    NoteOverlap<VDimension>(job.GetReport(), inputs, "after", *after);
  }
  return after;
}

template <unsigned int VDimension>
void
WriteOutputs(RegisterJob &                   job,
             const TransformOf<VDimension> * alignment,
             DeformableFilter<VDimension> &  filter,
             const FloatImage<VDimension> *  labels)
{
  using VectorType = itk::Vector<float, VDimension>;
  OutputStaging staging(job);
  staging.StartImages<VDimension>(filter.GetWarpedImage(), labels);
  staging.Start("field", [field = Detached(filter.GetDisplacementField())](const OutputFile & file) {
    return StageAs<VectorType, VDimension>(file, field.GetPointer());
  });
  staging.Start("inverse_field", [field = Detached(filter.GetInverseDisplacementField())](const OutputFile & file) {
    return StageAs<VectorType, VDimension>(file, field.GetPointer());
  });
  staging.Start("jacobian", [image = Detached(filter.GetJacobianImage())](const OutputFile & file) {
    return StageAs<float, VDimension>(file, image.GetPointer());
  });
  staging.Start("transform",
                [&filter](const OutputFile & file) { return StageTransform<VDimension>(file, filter.GetTransform()); });
  staging.Start("alignment",
                [alignment](const OutputFile & file) { return StageTransform<VDimension>(file, alignment); });
  staging.Commit();
}

} // namespace

template <unsigned int VDimension>
void
DeformFiles(const DeformableOptions & options, RegisterJob & job, const DeformableFilterMaker<VDimension> & makeFilter)
{
  RegisterReport & report = job.GetReport();
  // Parameters are checked before files are read.
  const auto filter = makeFilter();
  Configure<VDimension>(options, job, *filter);
  const auto alignment = MakeAlignment<VDimension>(options, report);
  const auto inputs = ReadInputs<VDimension>(options.files, report);

  typename TransformOf<VDimension>::ConstPointer transform = inputs.initialTransform.GetPointer();
  if (alignment.IsNotNull())
  {
    Align<VDimension>(options.files.compute, inputs, *alignment, report);
    transform = alignment->GetTransform();
    WarnOfMissingAlignment(job);
  }
  const Stopwatch registering;
  Deform<VDimension>(options.files.compute, inputs, transform, *filter);
  report.Set("/seconds/registering", registering.GetSeconds());
  if (filter->GetComputeDevice().IsCuda())
  {
    report.Set("/seconds/on_device", filter->GetDeviceMilliseconds() / 1000.0);
  }
  NoteResults<VDimension>(report, *filter);

  const Stopwatch                          warping;
  typename FloatImage<VDimension>::Pointer labels;
  if (inputs.movingLabels.IsNotNull())
  {
    labels = RegisterLabels<VDimension>(job, inputs, transform, *filter);
    report.Set("/seconds/labels", warping.GetSeconds());
  }
  const Stopwatch writing;
  WriteOutputs<VDimension>(job, transform, *filter, labels);
  report.Set("/seconds/writing", writing.GetSeconds());
}

template void
DeformFiles<2>(const DeformableOptions &, RegisterJob &, const DeformableFilterMaker<2> &);
template void
DeformFiles<3>(const DeformableOptions &, RegisterJob &, const DeformableFilterMaker<3> &);
