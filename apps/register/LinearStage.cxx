// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/LinearStage.h"

#include "itkCudaLinearRegistrationTransforms.h"
#include "shared/ProgramSupport.h"

#include <iomanip>
#include <sstream>

namespace
{

/** Notes the map by rows, in mm along the axes of space (LPS). */
template <unsigned int VDimension>
void
NoteMap(const cudaneuro::AffineMap & map, RegisterReport & report)
{
  std::vector<std::vector<double>> matrix;
  std::vector<double>              offset;
  for (std::size_t row = 0; row < VDimension; ++row)
  {
    const double * const begin = map.matrix.data() + 3 * row;
    matrix.emplace_back(begin, begin + VDimension);
    offset.push_back(map.offset[row]);
  }
  report.Set("/alignment/matrix", matrix);
  report.Set("/alignment/offset_mm", offset);
}

template <unsigned int VDimension>
void
NoteResult(const LinearFilter<VDimension> & filter, RegisterReport & report)
{
  report.Set("/alignment/transform", filter.GetTransform()->GetNameOfClass());
  report.Set("/alignment/metric", filter.GetMetricValue());
  report.Set("/alignment/overlap", filter.GetOverlap());
  report.Set("/alignment/quality", filter.GetQuality());
  report.Set("/alignment/quality_of_success", cudaneuro::qualityOfSuccess);
  report.Set("/alignment/is_success", filter.GetIsSuccess());
  report.Set("/alignment/evaluations", static_cast<std::uint64_t>(filter.GetNumberOfEvaluations()));
  NoteMap<VDimension>(itk::CudaNeuroDetail::LinearMapOf<VDimension>(filter.GetTransform()), report);
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
  filter.SetFixedImage(inputs.fixed);
  filter.SetMovingImage(inputs.moving);
  filter.SetFixedMaskImage(inputs.fixedMask);
  filter.SetMovingMaskImage(inputs.movingMask);
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
