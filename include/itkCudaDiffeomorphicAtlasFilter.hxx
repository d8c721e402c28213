// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDiffeomorphicAtlasFilter_hxx
#define itkCudaDiffeomorphicAtlasFilter_hxx

#include "itkCudaDiffeomorphicAtlasFilter.h"
#include "itkCudaDiffeomorphicAtlasFilterChannels.hxx"
#include "itkCudaDiffeomorphicAtlasFilterInputs.hxx"
#include "itkCudaDiffeomorphicAtlasFilterOutputs.hxx"
#include "itkCudaDiffeomorphicAtlasFilterPoints.hxx"
#include "itkCudaFluidRegistrationTransforms.h"
#include "itkCudaNeuroPointsAndLabels.h"

#include <algorithm>
#include <string>

namespace itk
{

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::Compute(cudaneuro::Context & context)
{
  m_StopIterations = false;
  m_SaveCheckpoint = false;
  this->m_Result = {};

  const unsigned int         count = this->GetNumberOfImages();
  const RealVectorType       weights = m_Weights.empty() ? RealVectorType(count, 1.0) : m_Weights;
  cudaneuro::AtlasParameters parameters = this->MakeParameters();
  // A channel that has images may lack parameters.
  CudaNeuroDetail::CompleteFurtherChannels(this, parameters.registration);
  cudaneuro::DiffeomorphicAtlas atlas(
    parameters, CudaNeuroDetail::GeometryOf<ImageDimension>(this->GetGridImage()), weights, this->MakeDevices());
  // The engine's progress function returns whether to continue, and must not throw.
  atlas.SetProgressFunction([&context](float fraction) {
    try
    {
      context.ReportProgress(static_cast<double>(fraction));
    }
    catch (const cudaneuro::Aborted &)
    {
      return false;
    }
    return true;
  });
  constexpr double endOfReading = 0.05;
  constexpr double endOfIterations = 0.95;
  for (unsigned int image = 0; image < count; ++image)
  {
    RunStep(context, endOfReading * image / count, endOfReading * (image + 1) / count, [&] {
      this->WithAtlasImage(
        context, image, [&](const cudaneuro::AtlasImage & input) { atlas.SetImage(static_cast<int>(image), input); });
      this->m_Result.cutFractions.push_back(atlas.GetCutFraction(static_cast<int>(image)));
    });
  }
  this->WarnOfCutImages();
  {
    const cudaneuro::Context::ProgressRange progress(context, endOfReading, endOfIterations);
    this->Run(atlas);
  }
  const cudaneuro::Context::ProgressRange progress(context, endOfIterations, 1.0);
  this->WriteOutputs(context, atlas);
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
template <typename TFunction>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::RunStep(cudaneuro::Context & context,
                                                                                     double               begin,
                                                                                     double               end,
                                                                                     const TFunction &    step)
{
  {
    const cudaneuro::Context::ProgressRange progress(context, begin, begin);
    step();
  }
  context.ReportProgress(end);
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
template <typename TFunction>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::WithAtlasImage(
  cudaneuro::Context & context, unsigned int image, const TFunction & use) const
{
  cudaneuro::AtlasImage input;
  const std::string     name = "image " + std::to_string(image);
  input.name = std::to_string(image); // the engine's messages add what it is
  this->VerifyPixels(this->GetInput(image), name.c_str());
  input.geometry = CudaNeuroDetail::GeometryOf<ImageDimension>(this->GetInput(image));
  input.image = CudaNeuroDetail::VolumeOf(this->GetInput(image));
  input.mask = this->MaskVolumeOf(("the mask of " + name).c_str(), this->GetMaskImage(image));
  if (const DisplacementFieldType * const field = this->GetInitialDisplacementField(image))
  {
    this->VerifyPixels(field, ("the initial displacement field of " + name).c_str());
    input.initialField = CudaNeuroDetail::FieldOf(field);
  }
  const InitialMap initial = this->MakeInitialMap(context, image);
  input.transform = initial.transform;
  input.transformField = initial.field;
  for (unsigned int channel = 1; channel < this->GetNumberOfChannels(); ++channel)
  {
    input.furtherChannels.push_back(this->MakeChannel(channel, image));
  }
  use(input);
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::MakeInitialMap(
  cudaneuro::Context & context, unsigned int image) const -> InitialMap
{
  InitialMap                  map;
  const TransformType * const transform = this->GetInitialTransform(image);
  if (transform == nullptr)
  {
    return map;
  }
  try
  {
    CudaNeuroDetail::TransformQueue<ImageDimension> queue;
    CudaNeuroDetail::AppendParts<ImageDimension>(transform, queue);
    map.transform = CudaNeuroDetail::TakeLinearParts<ImageDimension>(queue);
    if (!queue.empty())
    {
      map.sampled =
        CudaNeuroDetail::SampleTransforms<ImageDimension>(context, queue, this->GetGridImage()).GetPointer();
      map.field = CudaNeuroDetail::FieldOf(map.sampled.GetPointer());
    }
  }
  catch (const ExceptionObject & error)
  {
    itkExceptionMacro("The initial transform of image " << image << ": " << error.GetDescription());
  }
  return map;
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::Run(cudaneuro::DiffeomorphicAtlas & atlas)
{
  if (const OutputImageType * const image = this->GetInitialTemplate())
  {
    this->VerifyPixels(image, "the initial template");
    atlas.SetInitialTemplate(CudaNeuroDetail::VolumeOf(image));
  }
  if (!m_CheckpointFolder.empty())
  {
    atlas.SetCheckpoint({ m_CheckpointFolder, m_CheckpointInterval });
    if (m_Resume && cudaneuro::DiffeomorphicAtlas::HasCheckpoint(m_CheckpointFolder))
    {
      atlas.Resume(m_CheckpointFolder);
    }
  }
  atlas.Run([this](const IterationType &) { return this->ObserveIteration(); }, this->m_Result);
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
cudaneuro::AtlasAction
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::ObserveIteration()
{
  this->InvokeEvent(IterationEvent());
  if (this->GetAbortGenerateData())
  {
    throw cudaneuro::Aborted();
  }
  using Action = cudaneuro::AtlasAction;
  if (m_SaveCheckpoint.exchange(false))
  {
    return m_StopIterations ? Action::SaveAndStop : Action::Save;
  }
  return m_StopIterations ? Action::Stop : Action::Continue;
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::WriteOutputs(
  cudaneuro::Context & context, cudaneuro::DiffeomorphicAtlas & atlas)
{
  const unsigned int count = this->GetNumberOfImages();
  const double       steps = count + (this->HasLabels() ? 2.0 : 1.0);
  RunStep(context, 0.0, 1.0 / steps, [&] {
    atlas.GetTemplate(CudaNeuroDetail::VolumeOf(this->GetOutput()));
    for (unsigned int channel = 1; channel < this->GetNumberOfChannels(); ++channel)
    {
      atlas.GetTemplate(CudaNeuroDetail::VolumeOf(this->GetChannelTemplate(channel)), static_cast<int>(channel));
    }
    if (m_ComputeInitialMean)
    {
      for (unsigned int channel = 0; channel < this->GetNumberOfChannels(); ++channel)
      {
        atlas.GetInitialMean(CudaNeuroDetail::VolumeOf(this->GetChannelInitialMean(channel)),
                             static_cast<int>(channel));
      }
    }
  });
  for (unsigned int image = 0; image < count; ++image)
  {
    RunStep(
      context, (image + 1.0) / steps, (image + 2.0) / steps, [&] { this->WriteOutputsOf(context, atlas, image); });
  }
  if (this->HasLabels())
  {
    this->WriteLabels(context, atlas);
  }
  if (!m_Points.empty())
  {
    RunStep(context, 1.0, 1.0, [&] { this->WritePoints(context, atlas); });
  }
  for (unsigned int image = 0; m_ComputeDisplacementFields && image < count; ++image)
  {
    m_Maps.push_back(this->MakeMap(image));
  }
  if (this->m_Result.numberOfFoldedVoxels > 0)
  {
    itkWarningMacro(
      "The maps fold at " << this->m_Result.numberOfFoldedVoxels
                          << " voxels of the template, where their Jacobian determinants are not positive; "
                          << "a smaller MaximumStep or more smoothing may prevent it");
  }
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::WriteOutputsOf(
  cudaneuro::Context & context, cudaneuro::DiffeomorphicAtlas & atlas, unsigned int image)
{
  cudaneuro::AtlasImageOutputs outputs;
  if (m_ComputeDisplacementFields)
  {
    outputs.displacement = CudaNeuroDetail::FieldOf(this->GetDisplacementField(image));
  }
  if (m_ComputeInverseDisplacementFields)
  {
    outputs.inverse = CudaNeuroDetail::FieldOf(this->GetInverseDisplacementField(image));
  }
  if (m_ComputeDeformedImages)
  {
    outputs.deformed = CudaNeuroDetail::VolumeOf(this->GetDeformedImage(image));
    for (unsigned int channel = 1; channel < this->GetNumberOfChannels(); ++channel)
    {
      outputs.deformedChannels.push_back(CudaNeuroDetail::VolumeOf(this->GetChannelDeformedImage(channel, image)));
    }
  }
  if (m_ComputeJacobianImages)
  {
    outputs.jacobian = CudaNeuroDetail::VolumeOf(this->GetJacobianImage(image));
  }
  cudaneuro::AtlasImageResult result;
  const auto                  getImage = [&](const cudaneuro::AtlasImage * source) {
    result = atlas.GetImage(static_cast<int>(image), outputs, source);
  };
  if (m_ComputeDeformedImages)
  {
    this->WithAtlasImage(context, image, [&](const cudaneuro::AtlasImage & source) { getImage(&source); });
  }
  else
  {
    getImage(nullptr);
  }
  if (result.isDamped)
  {
    itkWarningMacro(
      "The map of image "
      << image << " was brought nearer to the identity, as it folded on a finer grid where smoothing did not help; "
      << "the image aligns less than the energies tell, and a better initial transform helps");
  }
  auto & all = this->m_Result;
  all.numberOfOutliers += result.numberOfOutliers;
  all.numberOfFoldedVoxels += result.jacobian.numberOfFoldedVoxels;
  all.maximumInverseConsistency = std::max(all.maximumInverseConsistency, result.inversion.maximumResidual);
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::WriteLabels(
  cudaneuro::Context & context, cudaneuro::DiffeomorphicAtlas & atlas)
{
  const unsigned int                      count = this->GetNumberOfImages();
  const double                            steps = count + 2.0;
  const cudaneuro::Context::ProgressRange progress(context, (count + 1.0) / steps, 1.0);
  for (unsigned int image = 0; image < count; ++image)
  {
    const MaskImageType * const labels = this->GetLabelImage(image);
    if (labels == nullptr)
    {
      continue;
    }
    RunStep(context, image / (count + 1.0), (image + 1.0) / (count + 1.0), [&] {
      const InitialMap       initial = this->MakeInitialMap(context, image);
      const std::string      name = "the labels of image " + std::to_string(image);
      cudaneuro::AtlasLabels input;
      input.name = std::to_string(image); // the engine's messages add what it is
      input.geometry = CudaNeuroDetail::GeometryOf<ImageDimension>(labels);
      input.labels =
        CudaNeuroDetail::LabelVolumeOf<ImageDimension>(this, name.c_str(), labels, this->GetComputeDevice());
      input.transform = initial.transform;
      input.transformField = initial.field;
      atlas.SetLabels(static_cast<int>(image), input);
    });
  }
  RunStep(context, count / (count + 1.0), 1.0, [&] {
    atlas.GetLabels(
      { CudaNeuroDetail::VolumeOf(this->GetLabelTemplate()), CudaNeuroDetail::VolumeOf(this->GetLabelProbability()) });
  });
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::MakeMap(unsigned int image) -> Map
{
  Map map;
  map.initialTransform = CudaNeuroDetail::CopyOfParts<ImageDimension>(this->GetInitialTransform(image));
  map.field = DisplacementFieldType::New();
  map.field->Graft(this->GetDisplacementField(image));
  if (m_ComputeInverseDisplacementFields)
  {
    map.inverse = DisplacementFieldType::New();
    map.inverse->Graft(this->GetInverseDisplacementField(image));
  }
  return map;
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::SaveCheckpoint()
{
  if (m_CheckpointFolder.empty())
  {
    itkExceptionMacro("A checkpoint cannot be saved: CheckpointFolder is empty");
  }
  m_SaveCheckpoint = true;
}

#if !defined(ITK_WRAPPING_PARSER)
template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetTransform(unsigned int image) const ->
  typename CompositeTransformType::Pointer
{
  if (m_Maps.empty())
  {
    itkExceptionMacro(
      "There is no transform yet: the last update has not come to its end, or had ComputeDisplacementFields off");
  }
  if (image >= m_Maps.size())
  {
    itkExceptionMacro("There is no transform of image " << image << ": the last update had " << m_Maps.size()
                                                        << " images, from 0");
  }
  const Map &                         map = m_Maps[image];
  const DisplacementFieldType * const field = map.field;
  const DisplacementFieldType * const inverse = map.inverse;
  return CudaNeuroDetail::MapOf<ImageDimension>(map.initialTransform.GetPointer(), field, inverse);
}
#endif

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::PrintSelf(std::ostream & os,
                                                                                       Indent         indent) const
{
  Superclass::PrintSelf(os, indent);
  const auto onOff = [](bool value) { return value ? "On" : "Off"; };
  os << indent << "NumberOfImages: " << this->GetNumberOfImages() << std::endl;
  os << indent << "Weights: " << (m_Weights.empty() ? "(equal)" : CudaNeuroDetail::ListOf(m_Weights)) << std::endl;
  os << indent << "NumberOfChannels: " << this->GetNumberOfChannels() << std::endl;
  os << indent << "NumberOfImagesWithPoints: " << m_Points.size() << std::endl;
  os << indent << "InitialTransforms: " << m_InitialTransforms.size() << std::endl;
  os << indent << "CheckpointFolder: " << m_CheckpointFolder << std::endl;
  os << indent << "CheckpointInterval: " << m_CheckpointInterval << std::endl;
  os << indent << "Resume: " << onOff(m_Resume) << std::endl;
  for (const OutputKind & kind : this->GetOutputKinds())
  {
    os << indent << "Compute" << kind.name << "s: " << onOff(kind.isComputed) << std::endl;
  }
  os << indent << "ComputeInitialMean: " << onOff(m_ComputeInitialMean) << std::endl;
}

} // namespace itk

#endif
