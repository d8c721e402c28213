// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_denoise_VolumeNoise_h
#define apps_denoise_VolumeNoise_h

#include "denoise/NeighborNoise.h"
#include "itkCudaNoiseEstimateImageFilter.h"
#include "shared/CommandOptions.h"
#include "shared/ProgressBar.h"

#include <string>

/** Runs a filter that estimates noise before that of a task, as a stage of its own. */
template <typename TFilter>
void
UpdateNoiseFilter(TFilter & filter, const ComputeOptions & compute)
{
  if (!compute.isQuiet)
  {
    ProgressBar::ExpectStages(2);
  }
  UpdateFilter(filter, compute, "Estimating noise");
}

/** Estimates the noise of volumes on one grid as one number, also where it is alike in neighbors. */
template <typename TImage>
class VolumeNoise
{
public:
  using MaskImageType = itk::Image<unsigned char, TImage::ImageDimension>;

  /** \param advice ends the warning of noise that is alike in neighbors */
  VolumeNoise(const ComputeOptions & compute, const char * advice)
    : m_Compute(compute)
    , m_Advice(advice)
  {}

  /** Sets the mask of all volumes; null is none. */
  void
  SetMask(const MaskImageType * mask)
  {
    m_Mask = mask;
  }

  /** Warns of the first volume whose noise is alike in neighbors. */
  void
  CheckNeighbors(const TImage & image, const std::string & name)
  {
    if (!m_HasWarned)
    {
      this->WarnOf(AxesOfAlikeNoise(image, m_Mask.GetPointer()), name);
    }
  }

  /** The noise of a volume, which is that of every second voxel where neighbors are alike, if these tell of it. */
  double
  Estimate(const TImage * image, const std::string & name)
  {
    const AxisFlags axes = AxesOfAlikeNoise(*image, m_Mask.GetPointer());
    const double    noise = IsAny(axes) ? this->EstimateOfEverySecond(*image, axes, m_Compute) : 0.0;
    if (noise > 0.0)
    {
      this->WarnOf(axes, name);
      return noise;
    }
    return this->EstimateOf(image, m_Mask.GetPointer(), m_Compute);
  }

  /** By how much an estimate from all voxels is too small; 1 where the noise of neighbors is independent. Has no
   * progress of its own. */
  double
  FactorOfAllVoxels(const TImage * image, const std::string & name)
  {
    const AxisFlags axes = AxesOfAlikeNoise(*image, m_Mask.GetPointer());
    if (!IsAny(axes))
    {
      return 1.0;
    }
    ComputeOptions quiet = m_Compute;
    quiet.isQuiet = true;
    const double ofAll = this->EstimateOf(image, m_Mask.GetPointer(), quiet);
    const double ofSecond = this->EstimateOfEverySecond(*image, axes, quiet);
    if (!(ofAll > 0.0 && ofSecond > 0.0))
    {
      return 1.0;
    }
    this->WarnOf(axes, name);
    return ofSecond / ofAll;
  }

private:
  using FilterType = itk::CudaNoiseEstimateImageFilter<TImage>;

  double
  EstimateOf(const TImage * image, const MaskImageType * mask, const ComputeOptions & compute)
  {
    m_Filter->SetInput(image);
    m_Filter->SetMaskImage(mask);
    UpdateNoiseFilter(*m_Filter, compute);
    return m_Filter->GetNoiseStandardDeviation();
  }

  double
  EstimateOfEverySecond(const TImage & image, const AxisFlags & axes, const ComputeOptions & compute)
  {
    const auto mask = m_Mask.IsNull() ? nullptr : EverySecondVoxel(*m_Mask, axes);
    return this->EstimateOf(EverySecondVoxel(image, axes), mask, compute);
  }

  void
  WarnOf(const AxisFlags & axes, const std::string & name)
  {
    if (IsAny(axes) && !m_HasWarned)
    {
      m_HasWarned = true;
      PrintWarning("the noise of " + name + " seems to be alike in neighbors along " + NamesOfAxes(axes) +
                   ", as interpolation, smoothing and zero-filling make it, unless it has hardly any; " + m_Advice);
    }
  }

  const ComputeOptions                 m_Compute;
  const std::string                    m_Advice;
  bool                                 m_HasWarned = false;
  typename MaskImageType::ConstPointer m_Mask;
  typename FilterType::Pointer         m_Filter = FilterType::New();
};

#endif
