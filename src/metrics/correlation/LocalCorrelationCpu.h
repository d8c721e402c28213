// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_correlation_LocalCorrelationCpu_h
#define cudaneuro_metrics_correlation_LocalCorrelationCpu_h

#include "core/SoAField.h"
#include "metrics/correlation/LocalCorrelationFormulas.h"

namespace cudaneuro::cpu
{

/** Volumes of one float per voxel, one after another. */
template <std::size_t VCount>
class CorrelationVolumes
{
public:
  CorrelationVolumes(Context & context, std::int64_t voxels)
    : m_Voxels(voxels)
    , m_Memory(context.Allocate(VCount * static_cast<std::size_t>(voxels) * sizeof(float)))
  {}

  float *
  At(std::size_t channel) const
  {
    return static_cast<float *>(m_Memory.Data()) + static_cast<std::int64_t>(channel) * m_Voxels;
  }

private:
  std::int64_t m_Voxels;
  DeviceMemory m_Memory;
};

struct CorrelationEnergy
{
  /** Minus the sum of squared correlations, each with the weight of its box. */
  double energy = 0.0;
  /** The sum of the weights of the boxes. */
  double count = 0.0;
};

/** The local correlation of a fixed image with a deformed moving image. It keeps its memory between calls. */
class LocalCorrelation
{
public:
  /** \param radius half-width of the boxes in voxels */
  LocalCorrelation(Context & context, const Extent & extent, int radius);

  /** Returns memory that the caller fills: the deformed moving image, NaN where either image has no value. */
  float *
  GetDeformed() const
  {
    return m_Deformed.At(0);
  }

  /** Computes the energy and the terms of its derivative.
   * \param weights of the box around each voxel, in 255ths, for BoxesOf::WeightedVoxels only */
  CorrelationEnergy
  ComputeTerms(const float * fixed, BoxesOf boxes, const unsigned char * weights = nullptr) const;

  /** Computes, after ComputeTerms, the derivative of the energy by the deformed image; NaN where it has no value. */
  void
  ComputeDerivative(const float * fixed, float * derivative) const;

  /** Returns a volume that is unused after ComputeTerms. */
  float *
  GetSpareVolume() const
  {
    return m_Sums.At(0);
  }

private:
  void
  SumProducts(const float * fixed) const;

  template <BoxesOf VBoxes>
  CorrelationEnergy
  SumTerms(const unsigned char * weights) const;

  Context &                            m_Context;
  Extent                               m_Extent;
  int                                  m_Radius;
  CorrelationVolumes<1>                m_Deformed;
  CorrelationVolumes<correlationSums>  m_Sums;
  CorrelationVolumes<correlationTerms> m_Terms;
};

} // namespace cudaneuro::cpu

#endif
