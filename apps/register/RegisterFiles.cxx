// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/RegisterFiles.h"

#include "itkCudaFluidRegistrationTransforms.h"
#include "itkCudaWarpImageFilter.h"
#include "itkDeviceDownloadImageFilter.h"
#include "itkDeviceUploadImageFilter.h"
#include "files/TransformFile.h"

#include <future>
#include <iomanip>
#include <sstream>

namespace
{

template <unsigned int VDimension>
using FloatImage = itk::Image<float, VDimension>;
template <unsigned int VDimension>
using Field = itk::Image<itk::Vector<float, VDimension>, VDimension>;
template <unsigned int VDimension>
using DeviceField = itk::DeviceImage<itk::Vector<float, VDimension>, VDimension>;
template <unsigned int VDimension>
using TransformOf = itk::Transform<double, VDimension, VDimension>;

template <unsigned int VDimension>
struct Inputs
{
  typename FloatImage<VDimension>::Pointer                fixed;
  typename FloatImage<VDimension>::Pointer                moving;
  typename itk::Image<unsigned char, VDimension>::Pointer fixedMask;
  typename itk::Image<unsigned char, VDimension>::Pointer movingMask;
  typename FloatImage<VDimension>::Pointer                fixedLabels;
  typename FloatImage<VDimension>::Pointer                movingLabels;
  typename Field<VDimension>::Pointer                     initialField;
  typename TransformOf<VDimension>::Pointer               initialTransform;
};

/** Reads all files at once, each in a thread. */
template <unsigned int VDimension>
Inputs<VDimension>
ReadInputs(const RegisterOptions & options)
{
  using ImagePointer = typename FloatImage<VDimension>::Pointer;
  const auto read = [](const std::string & path, bool isLabels) {
    return std::async(std::launch::async, [path, isLabels] {
      const ImagePointer image = path.empty() ? ImagePointer() : ReadImage<float, VDimension>(path);
      if (isLabels && image.IsNotNull())
      {
        CheckLabels(image->GetBufferPointer(), image->GetLargestPossibleRegion().GetNumberOfPixels(), path);
      }
      return image;
    });
  };
  auto fixed = read(options.fixed, false);
  auto moving = read(options.moving, false);
  auto fixedMask = read(options.fixedMask, false);
  auto movingMask = read(options.movingMask, false);
  auto fixedLabels = read(options.fixedLabels, true);
  auto movingLabels = read(options.movingLabels, true);

  Inputs<VDimension> inputs;
  inputs.initialTransform = ReadTransforms<VDimension>(options.initialTransforms);
  inputs.fixed = fixed.get();
  inputs.moving = moving.get();
  const auto aligned = [](ImagePointer image, const std::string & path, const auto & on, const std::string & pathOfOn) {
    if (image.IsNotNull())
    {
      AlignWith<VDimension>(*on, pathOfOn, *image, path);
    }
    return image;
  };
  const auto asMask = [](const ImagePointer & image) {
    return image.IsNull() ? typename itk::Image<unsigned char, VDimension>::Pointer() : MaskOf<VDimension>(*image);
  };
  inputs.fixedMask = asMask(aligned(fixedMask.get(), options.fixedMask, inputs.fixed, options.fixed));
  inputs.movingMask = asMask(aligned(movingMask.get(), options.movingMask, inputs.moving, options.moving));
  inputs.fixedLabels = aligned(fixedLabels.get(), options.fixedLabels, inputs.fixed, options.fixed);
  inputs.movingLabels = aligned(movingLabels.get(), options.movingLabels, inputs.moving, options.moving);
  if (!options.initialField.empty())
  {
    inputs.initialField = ReadField<float, VDimension>(options.initialField);
    AlignWith<VDimension>(*inputs.fixed, options.fixed, *inputs.initialField, options.initialField);
  }
  return inputs;
}

template <unsigned int VDimension>
void
Register(RegisterJob & job, const Inputs<VDimension> & inputs, RegisterFilter<VDimension> & filter)
{
  const ComputeOptions & compute = job.GetOptions().compute;
  filter.SetFixedImage(inputs.fixed);
  filter.SetMovingImage(inputs.moving);
  filter.SetFixedMaskImage(inputs.fixedMask);
  filter.SetMovingMaskImage(inputs.movingMask);
  filter.SetInitialTransform(inputs.initialTransform);
  if (inputs.initialField.IsNotNull())
  {
    const auto upload = itk::DeviceUploadImageFilter<Field<VDimension>>::New();
    upload->SetComputeDevice(compute.GetDevice());
    upload->SetInput(inputs.initialField);
    upload->Update();
    filter.SetInitialDisplacementField(upload->GetOutput());
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
NoteResults(RegisterReport & report, const RegisterFilter<VDimension> & filter)
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

/** Resamples the moving labels on the fixed image's grid through a field and then a linear transform. */
template <unsigned int VDimension>
typename FloatImage<VDimension>::Pointer
WarpLabels(const ComputeOptions &          compute,
           const Inputs<VDimension> &      inputs,
           const DeviceField<VDimension> * field,
           const TransformOf<VDimension> * transform)
{
  const auto warp =
    itk::CudaWarpImageFilter<FloatImage<VDimension>, FloatImage<VDimension>, DeviceField<VDimension>>::New();
  warp->SetInput(inputs.movingLabels);
  warp->SetDisplacementField(field);
  warp->SetTransform(transform);
  warp->SetInterpolation("Nearest");
  warp->SetOutputParametersFromImage(inputs.fixed);
  warp->UsePinnedOutputOff();
  UpdateFilter(*warp, compute, "Warping labels");
  return warp->GetOutput();
}

/** Resamples the moving labels on the fixed image's grid through any transform. */
template <unsigned int VDimension>
typename FloatImage<VDimension>::Pointer
WarpLabelsBy(const ComputeOptions &          compute,
             const Inputs<VDimension> &      inputs,
             const TransformOf<VDimension> * transform)
{
  if (transform == nullptr || transform->IsLinear())
  {
    return WarpLabels<VDimension>(compute, inputs, nullptr, transform);
  }
  namespace detail = itk::CudaNeuroDetail;
  detail::TransformQueue<VDimension> queue;
  detail::AppendParts<VDimension>(transform, queue);
  cudaneuro::Context context(compute.GetDevice().GetEngineDevice(), compute.numberOfThreads);
  const auto         upload = itk::DeviceUploadImageFilter<Field<VDimension>>::New();
  upload->SetComputeDevice(compute.GetDevice());
  upload->SetInput(detail::SampleTransforms<VDimension>(context, queue, inputs.fixed.GetPointer()));
  upload->Update();
  return WarpLabels<VDimension>(compute, inputs, upload->GetOutput(), nullptr);
}

/** Resamples the moving labels through the registration, and notes how they overlap with the fixed ones. */
template <unsigned int VDimension>
typename FloatImage<VDimension>::Pointer
RegisterLabels(RegisterJob & job, const Inputs<VDimension> & inputs, RegisterFilter<VDimension> & filter)
{
  const ComputeOptions &                compute = job.GetOptions().compute;
  const TransformOf<VDimension> * const initial = inputs.initialTransform;
  const bool                            isInitialLinear = initial == nullptr || initial->IsLinear();

  const typename FloatImage<VDimension>::Pointer after =
    isInitialLinear ? WarpLabels<VDimension>(compute, inputs, filter.GetDisplacementField(), initial)
                    : WarpLabelsBy<VDimension>(compute, inputs, filter.GetTransform());
  if (inputs.fixedLabels.IsNotNull())
  {
    const auto note = [&](const char * when, const FloatImage<VDimension> & labels) {
      job.GetReport().SetOverlap(when,
                                 ComputeLabelOverlap(inputs.fixedLabels->GetBufferPointer(),
                                                     labels.GetBufferPointer(),
                                                     labels.GetLargestPossibleRegion().GetNumberOfPixels()));
    };
    note("before", *WarpLabelsBy<VDimension>(compute, inputs, initial));
    note("after", *after);
  }
  return after;
}

/** An image that shares another's pixels but not its pipeline, which several threads must not update at once. */
template <typename TImage>
typename TImage::ConstPointer
Detached(const TImage * image)
{
  const typename TImage::Pointer detached = TImage::New();
  detached->Graft(image);
  return detached.GetPointer();
}

using Staging = std::vector<std::future<StagedFile>>;

/** Writes an image as another pixel type. */
template <typename TPixel, unsigned int VDimension, typename TImage>
StagedFile
StageAs(const OutputFile & file, const TImage * image)
{
  const auto download = itk::DeviceDownloadImageFilter<TImage, itk::Image<TPixel, VDimension>>::New();
  download->UsePinnedOutputOff();
  download->SetInput(image);
  download->Update();
  return StageImage<TPixel, VDimension>(file, download->GetOutput());
}

template <unsigned int VDimension, typename TImage>
StagedFile
StageAs(const OutputFile & file, const TImage * image, itk::IOComponentEnum type)
{
  return WithPixelType(type, [&](auto pixel) { return StageAs<decltype(pixel), VDimension>(file, image); });
}

/** Writes all outputs at once, each in a thread, and moves them into their places when all are complete. */
template <unsigned int VDimension>
void
WriteOutputs(RegisterJob & job, RegisterFilter<VDimension> & filter, const FloatImage<VDimension> * labels)
{
  Staging    staging;
  const auto stage = [&](const char * name, const auto & write) {
    if (job.Has(name))
    {
      const OutputFile & file = job.GetOutput(name);
      staging.push_back(std::async(std::launch::async, [&file, write] { return write(file); }));
    }
  };
  using VectorType = itk::Vector<float, VDimension>;
  stage("warped", [image = Detached(filter.GetWarpedImage()), &job](const OutputFile & file) {
    return StageAs<VDimension>(file, image.GetPointer(), job.GetWarpedType());
  });
  stage("labels", [labels, &job](const OutputFile & file) {
    const auto upload = itk::DeviceUploadImageFilter<FloatImage<VDimension>>::New();
    upload->SetComputeDevice("cpu"); // shares the pixels
    upload->SetInput(labels);
    upload->Update();
    return StageAs<VDimension>(file, upload->GetOutput(), job.GetLabelType());
  });
  stage("field", [field = Detached(filter.GetDisplacementField())](const OutputFile & file) {
    return StageAs<VectorType, VDimension>(file, field.GetPointer());
  });
  stage("inverse_field", [field = Detached(filter.GetInverseDisplacementField())](const OutputFile & file) {
    return StageAs<VectorType, VDimension>(file, field.GetPointer());
  });
  stage("jacobian", [image = Detached(filter.GetJacobianImage())](const OutputFile & file) {
    return StageAs<float, VDimension>(file, image.GetPointer());
  });
  stage("transform",
        [&filter](const OutputFile & file) { return StageTransform<VDimension>(file, filter.GetTransform()); });

  std::vector<StagedFile> files;
  for (std::future<StagedFile> & file : staging)
  {
    files.push_back(file.get());
  }
  for (StagedFile & file : files)
  {
    file.Commit();
  }
}

} // namespace

template <unsigned int VDimension>
void
RegisterFiles(RegisterJob & job, const RegisterFilterMaker<VDimension> & makeFilter)
{
  RegisterReport & report = job.GetReport();
  // Parameters are checked before files are read.
  const auto filter = makeFilter();
  job.Configure<VDimension>(*filter);

  const Stopwatch   reading;
  std::future<void> isDeviceReady =
    std::async(std::launch::async, [device = job.GetOptions().compute.GetDevice()] { device.Prepare(); });
  const auto inputs = ReadInputs<VDimension>(job.GetOptions());
  report.Set("/seconds/reading", reading.GetSeconds());
  const Stopwatch waiting;
  isDeviceReady.get();
  report.Set("/seconds/waiting_for_device", waiting.GetSeconds());

  const Stopwatch registering;
  Register<VDimension>(job, inputs, *filter);
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
    labels = RegisterLabels<VDimension>(job, inputs, *filter);
    report.Set("/seconds/labels", warping.GetSeconds());
  }
  const Stopwatch writing;
  WriteOutputs<VDimension>(job, *filter, labels);
  report.Set("/seconds/writing", writing.GetSeconds());
}

template void
RegisterFiles<2>(RegisterJob &, const RegisterFilterMaker<2> &);
template void
RegisterFiles<3>(RegisterJob &, const RegisterFilterMaker<3> &);
