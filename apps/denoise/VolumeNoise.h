// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_denoise_VolumeNoise_h
#define apps_denoise_VolumeNoise_h

#include "denoise/NeighborNoise.h"
#include "itkCudaNoiseEstimateImageFilter.h"
#include "shared/CommandOptions.h"
#include "shared/ProgressBar.h"

#include <optional>
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

  /** Finds the axes along which the noise of the first volume is alike in neighbors, and warns of them.
   * \return whether there are any */
  bool
  CheckNeighbors(const TImage & image, const std::string & name)
  {
    if (!m_AlikeAxes)
    {
      m_AlikeAxes = AxesOfAlikeNoise(image, m_Mask.GetPointer());
      if (IsAny(*m_AlikeAxes))
      {
        PrintWarning("the noise of " + name + " seems to be alike in neighbors along " + NamesOfAxes(*m_AlikeAxes) +
                     ", as interpolation, smoothing and zero-filling make it, unless it has hardly any; " + m_Advice);
      }
    }
    return IsAny(*m_AlikeAxes);
  }

  /** The noise of a volume, which is that of every second voxel where neighbors are alike, if these tell of it. */
  double
  Estimate(const TImage * image, const std::string & name)
  {
    const double noise = this->CheckNeighbors(*image, name) ? this->EstimateOfEverySecond(*image, m_Compute) : 0.0;
    return noise > 0.0 ? noise : this->EstimateOf(image, m_Mask.GetPointer(), m_Compute);
  }

  /** By how much an estimate from all voxels is too small; 1 where the noise of neighbors is independent. Has no
   * progress of its own. */
  double
  FactorOfAllVoxels(const TImage * image, const std::string & name)
  {
    if (!this->CheckNeighbors(*image, name))
    {
      return 1.0;
    }
    ComputeOptions quiet = m_Compute;
    quiet.isQuiet = true;
    const double ofAll = this->EstimateOf(image, m_Mask.GetPointer(), quiet);
    const double ofSecond = this->EstimateOfEverySecond(*image, quiet);
    return ofAll > 0.0 && ofSecond > 0.0 ? ofSecond / ofAll : 1.0;
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
  EstimateOfEverySecond(const TImage & image, const ComputeOptions & compute)
  {
    const auto mask = m_Mask.IsNull() ? nullptr : EverySecondVoxel(*m_Mask, *m_AlikeAxes);
    return this->EstimateOf(EverySecondVoxel(image, *m_AlikeAxes), mask, compute);
  }

  const ComputeOptions                 m_Compute;
  const std::string                    m_Advice;
  std::optional<AxisFlags>             m_AlikeAxes;
  typename MaskImageType::ConstPointer m_Mask;
  typename FilterType::Pointer         m_Filter = FilterType::New();
};

#endif
