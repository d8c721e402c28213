// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/DeformRun.h"

#include "register/ImagesRun.h"
#include "register/LabelComparison.h"
#include "register/LabelWarping.h"
#include "register/LinearStage.h"
#include "register/OutputStaging.h"
#include "shared/ProgressBar.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iomanip>
#include <mutex>
#include <sstream>

namespace
{

/** Makes the linear filter of the alignment; null for none. */
template <unsigned int VDimension>
typename LinearFilter<VDimension>::Pointer
MakeAlignment(const DeformableOptions & options, RegisterReport & report)
{
  const std::string align = options.GetAlign();
  if (align == "none")
  {
    return nullptr;
  }
  LinearOptions alignment = options.alignment;
  alignment.parameters.metric.repairOutliers = options.fluid.parameters.repairOutliers;
  // The alignment has the parameters of that command.
  alignment.command = options.fluid.command->get_parent()->get_subcommand("affine");
  alignment.channels.weights = options.channels.weights;
  const auto filter =
    MakeLinearFilter<VDimension>(alignment, AlignmentTypeOf(align), options.files, report, "/alignment/parameters");
  filter->ComputeWarpedOff();
  return filter;
}

/** Warns if displacements are written, but not the alignment, the rest of the map. */
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

/** Returns the coordinates of points in one list, as the filter takes them. */
template <unsigned int VDimension>
std::vector<double>
CoordinatesOf(const std::vector<std::array<double, 3>> & points)
{
  std::vector<double> coordinates;
  for (const std::array<double, 3> & point : points)
  {
    coordinates.insert(coordinates.end(), point.begin(), point.begin() + VDimension);
  }
  return coordinates;
}

/** Sets the points and labels of a filter. */
template <unsigned int VDimension>
void
SetPointsAndLabels(const RegisterInputs<VDimension> & inputs, DeformableFilter<VDimension> & filter)
{
  filter.SetUseImages(inputs.hasImages);
  filter.SetFixedPoints(CoordinatesOf<VDimension>(inputs.points.pairs.fixed));
  filter.SetMovingPoints(CoordinatesOf<VDimension>(inputs.points.pairs.moving));
  filter.SetPointStandardDeviations(inputs.points.pairs.standardDeviations);
  filter.SetFixedLabelImage(inputs.labelTerm.fixed);
  filter.SetMovingLabelImage(inputs.labelTerm.moving);
  filter.SetLabelWeights(inputs.labelTerm.weights);
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
  SetPointsAndLabels(inputs, filter);
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
  report.Set("/jacobian/percentile_0_1", filter.GetLowerPercentileJacobian());
  report.Set("/jacobian/percentile_99_9", filter.GetUpperPercentileJacobian());
  report.Set("/jacobian/folded_voxels", static_cast<std::uint64_t>(filter.GetNumberOfFoldedVoxels()));
  report.SetOutliers(filter);
  report.Set("/shortened_steps", filter.GetNumberOfShortenedSteps());
  report.Set("/mending/rounds", filter.GetNumberOfMendingRounds());
  report.Set("/mending/damped", filter.GetIsDamped());
  if (filter.TellsInverseConsistency())
  {
    report.Set("/inverse_consistency/mean_voxels", filter.GetMeanInverseConsistency());
    report.Set("/inverse_consistency/maximum_voxels", filter.GetMaximumInverseConsistency());
    report.Set("/inverse_consistency/mean_mm", filter.GetMeanInverseConsistencyInMillimeters());
    report.Set("/inverse_consistency/maximum_mm", filter.GetMaximumInverseConsistencyInMillimeters());
  }
  report.SetIterations(filter.GetIterations());
}

/** Returns the distances, in mm, of the moving points from the fixed ones after a transform, which may be null. */
template <unsigned int VDimension>
std::vector<double>
DistancesBy(const TransformOf<VDimension> * transform, const cudaneuro::PointPairs & points)
{
  std::vector<double> distances;
  for (std::size_t i = 0; i < points.fixed.size(); ++i)
  {
    itk::Point<double, VDimension> fixed;
    itk::Point<double, VDimension> moving;
    std::copy_n(points.fixed[i].begin(), VDimension, fixed.Begin());
    std::copy_n(points.moving[i].begin(), VDimension, moving.Begin());
    distances.push_back(moving.EuclideanDistanceTo(transform == nullptr ? fixed : transform->TransformPoint(fixed)));
  }
  return distances;
}

/** Reports the results of channels, points and labels. */
template <unsigned int VDimension>
void
NoteTermResults(RegisterReport &                   report,
                const RegisterInputs<VDimension> & inputs,
                bool                               isAligned,
                DeformableFilter<VDimension> &     filter)
{
  if (!inputs.channels.empty())
  {
    report.SetChannels(filter.GetIterations(), filter.GetChannelEnergies());
  }
  if (inputs.labelTerm.fixed.IsNotNull())
  {
    report.SetLabels(filter.GetIterations(), filter.GetLabelEnergy());
  }
  if (!inputs.points.pairs.IsEmpty())
  {
    report.SetPoints(filter.GetIterations(), filter.GetPointEnergy());
    const std::vector<double> initial = filter.GetInitialPointDistances();
    isAligned
      ? report.SetPointDistances(inputs.points,
                                 DistancesBy<VDimension>(inputs.initialTransform.GetPointer(), inputs.points.pairs),
                                 initial,
                                 filter.GetPointDistances())
      : report.SetPointDistances(inputs.points, initial, {}, filter.GetPointDistances());
  }
}

/** Resamples the moving labels through the whole map, and compares them with the fixed ones.
 * \param transform follows the displacements: the alignment, or else the initial transform */
template <unsigned int VDimension>
typename LabelImage<VDimension>::Pointer
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
      CompareWithFixedLabels<VDimension>(job, inputs, when, *WarpLabelsBy<VDimension>(compute, inputs, map));
    };
    noteWithout("before", inputs.initialTransform);
    if (transform != inputs.initialTransform)
    {
      noteWithout("aligned", transform);
    }
    CompareWithFixedLabels<VDimension>(job, inputs, "after", *after);
  }
  return after;
}

template <unsigned int VDimension>
void
WriteDeformed(RegisterJob &                   job,
              const TransformOf<VDimension> * alignment,
              DeformableFilter<VDimension> &  filter,
              const LabelImage<VDimension> *  labels,
              const LabelCodes &              codes)
{
  using VectorType = itk::Vector<float, VDimension>;
  OutputStaging staging(job);
  staging.StartImages<VDimension>(filter.GetWarpedImage(), labels, codes);
  staging.StartImage<VectorType, VDimension>("field", filter.GetDisplacementField());
  staging.StartImage<VectorType, VDimension>("inverse_field", filter.GetInverseDisplacementField());
  staging.StartImage<float, VDimension>("jacobian", filter.GetJacobianImage());
  staging.Start("transform",
                [&filter](const OutputFile & file) { return StageTransform<VDimension>(file, filter.GetTransform()); });
  staging.Start("alignment",
                [alignment](const OutputFile & file) { return StageTransform<VDimension>(file, alignment); });
  staging.Commit();
}

template <unsigned int VDimension>
class DeformRun : public ImagesRun<VDimension>
{
public:
  DeformRun(const DeformableOptions &                      options,
            std::unique_ptr<RegisterJob>                   job,
            typename DeformableFilter<VDimension>::Pointer filter)
    : ImagesRun<VDimension>(std::move(job))
    , m_Filter(std::move(filter))
  {
    // With the files of this pair, which may be from --pairs.
    DeformableOptions own = options;
    own.files = this->GetJob().GetOptions();
    Configure<VDimension>(own, this->GetJob(), *m_Filter);
    m_Alignment = MakeAlignment<VDimension>(own, this->GetJob().GetReport());
    this->CheckParameters(*m_Filter);
    if (m_Alignment.IsNotNull())
    {
      this->CheckParameters(*m_Alignment);
    }
  }

private:
  void
  Register(const RegisterInputs<VDimension> & inputs) override
  {
    RegisterReport &        report = this->GetJob().GetReport();
    const RegisterOptions & options = this->GetJob().GetOptions();
    const ComputeOptions &  compute = options.compute;
    const bool              aligns = m_Alignment.IsNotNull();
    m_Transform = inputs.initialTransform.GetPointer();
    ProgressBar::ExpectStages((aligns ? 2 : 1) + CountLabelStages(options, inputs, aligns));
    if (aligns)
    {
      Align<VDimension>(compute, inputs, *m_Alignment, report);
      m_Transform = m_Alignment->GetTransform();
      // The warning is the same for all pairs of a list.
      static std::once_flag isSaid;
      std::call_once(isSaid, [this] { WarnOfMissingAlignment(this->GetJob()); });
    }
    const Stopwatch registering;
    Deform<VDimension>(compute, inputs, m_Transform, *m_Filter);
    report.Set("/seconds/registering", registering.GetSeconds());
    if (m_Filter->GetComputeDevice().IsCuda())
    {
      report.Set("/seconds/on_device", m_Filter->GetDeviceMilliseconds() / 1000.0);
    }
    NoteResults<VDimension>(report, *m_Filter);
    NoteTermResults<VDimension>(report, inputs, aligns, *m_Filter);
  }

  typename LabelImage<VDimension>::Pointer
  WarpLabels(const RegisterInputs<VDimension> & inputs) override
  {
    return RegisterLabels<VDimension>(this->GetJob(), inputs, m_Transform, *m_Filter);
  }

  void
  WriteOutputs(const LabelImage<VDimension> * labels) override
  {
    WriteDeformed<VDimension>(this->GetJob(), m_Transform, *m_Filter, labels, this->GetInputs().movingCodes);
  }

  typename DeformableFilter<VDimension>::Pointer m_Filter;
  /** Null if there is none. */
  typename LinearFilter<VDimension>::Pointer m_Alignment;
  /** The transform after the displacements: the alignment, or else the initial transform. */
  typename TransformOf<VDimension>::ConstPointer m_Transform;
};

} // namespace

template <unsigned int VDimension>
std::unique_ptr<RegisterRun>
MakeDeformRun(const DeformableOptions &                      options,
              std::unique_ptr<RegisterJob>                   job,
              typename DeformableFilter<VDimension>::Pointer filter)
{
  return std::make_unique<DeformRun<VDimension>>(options, std::move(job), std::move(filter));
}

template std::unique_ptr<RegisterRun>
MakeDeformRun<2>(const DeformableOptions &, std::unique_ptr<RegisterJob>, DeformableFilter<2>::Pointer);
template std::unique_ptr<RegisterRun>
MakeDeformRun<3>(const DeformableOptions &, std::unique_ptr<RegisterJob>, DeformableFilter<3>::Pointer);
