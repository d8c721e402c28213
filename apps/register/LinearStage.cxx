// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/LinearStage.h"

#include "itkCudaLinearRegistrationTransforms.h"
#include "shared/registration/AlignmentReports.h"
#include "shared/ProgramSupport.h"

#include <iomanip>
#include <sstream>

namespace
{

template <unsigned int VDimension>
void
NoteResult(const LinearFilter<VDimension> & filter, RegisterReport & report)
{
  report.Set("/alignment/transform", filter.GetTransform()->GetNameOfClass());
  report.Set("/alignment/metric", filter.GetMetricValue());
  if (filter.GetNumberOfChannels() > 1)
  {
    report.Set("/alignment/channel_metrics", filter.GetChannelMetricValues());
  }
  report.Set("/alignment/overlap", filter.GetOverlap());
  report.Set("/alignment/quality", filter.GetQuality());
  report.Set("/alignment/quality_of_success", cudaneuro::qualityOfSuccess);
  report.Set("/alignment/is_success", filter.GetIsSuccess());
  if (!filter.GetIsSuccess())
  {
    report.Set("/alignment/reason", ReasonOfFailure(filter.GetQuality()));
  }
  report.Set("/alignment/rotation_degrees", filter.GetRotation());
  report.Set("/alignment/tilt_degrees", filter.GetTilt());
  report.Set("/alignment/scales", std::vector<double>{ filter.GetLeastScale(), filter.GetLargestScale() });
  report.Set("/alignment/shear_degrees", filter.GetShear());
  report.Set("/alignment/evaluations", static_cast<std::uint64_t>(filter.GetNumberOfEvaluations()));
  report.SetOutliers(filter);
  const cudaneuro::AffineMap map = itk::CudaNeuroDetail::LinearMapOf<VDimension>(filter.GetTransform());
  report.Set("/alignment/matrix", MatrixRowsOf(map, VDimension));
  report.Set("/alignment/offset_mm", OffsetOf(map, VDimension));
  report.SetIterations(filter.GetIterations());
}

} // namespace

template <unsigned int VDimension>
void
Align(const ComputeOptions &             compute,
      const RegisterInputs<VDimension> & inputs,
      LinearFilter<VDimension> &         filter,
      RegisterReport &                   report)
{
  const Stopwatch aligning;
  SetImages(inputs, filter);
  if (inputs.initialTransform.IsNotNull())
  {
    filter.SetInitialTransform(inputs.initialTransform);
  }
  UpdateFilter(filter, compute, "Aligning", [&] {
    std::ostringstream text;
    text << "metric " << std::setprecision(5);
    filter.GetIterations().empty() ? text << '-' : text << filter.GetCurrentMetricValue();
    return text.str();
  });
  NoteResult<VDimension>(filter, report);
  report.Set("/seconds/aligning", aligning.GetSeconds());
  if (filter.GetComputeDevice().IsCuda())
  {
    report.Set("/seconds/aligning_on_device", filter.GetDeviceMilliseconds() / 1000.0);
  }
}

#define INSTANTIATE(VDimension) \
  template void Align<VDimension>( \
    const ComputeOptions &, const RegisterInputs<VDimension> &, LinearFilter<VDimension> &, RegisterReport &)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE
