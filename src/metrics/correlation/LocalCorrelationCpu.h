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
  /** Minus the sum of squared correlations. */
  double energy = 0.0;
  /** The number of boxes, each counted by its weight. */
  double count = 0.0;
};

/** The local correlation of a fixed image with a deformed moving image. Keeps the memory that it takes. */
class LocalCorrelation
{
public:
  /** \param radius half-width of the boxes in voxels */
  LocalCorrelation(Context & context, const Extent & extent, int radius);

  /** To be filled: the deformed moving image, NaN where it has no value, and where the fixed image has none. */
  float *
  GetDeformed() const
  {
    return m_Deformed.At(0);
  }

  /** The energy and the terms of its derivative.
   * \param weights how much the box around a voxel counts, in 255ths, for BoxesOf::WeightedVoxels alone */
  CorrelationEnergy
  ComputeTerms(const float * fixed, BoxesOf boxes, const unsigned char * weights = nullptr) const;

  /** After ComputeTerms: the derivative of the energy by the deformed image, NaN where that has no value. */
  void
  ComputeDerivative(const float * fixed, float * derivative) const;

  /** A volume that holds nothing after ComputeTerms. */
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
