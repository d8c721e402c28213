// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_labels_LabelTermFormulas_h
#define cudaneuro_registration_labels_LabelTermFormulas_h

#include "fields/CellSampler.h"
#include "registration/labels/LabelTerm.h"

/** The label term of one voxel, for both compilers. */
namespace cudaneuro
{

/** A value above all codes. */
constexpr int aboveAllLabels = noLabel + 1;

CUDANEURO_HOST_DEVICE int
SmallerLabel(int a, int b)
{
  return a < b ? a : b;
}

/** \p label if it is above \p previous, otherwise aboveAllLabels. */
CUDANEURO_HOST_DEVICE int
LabelAbove(int label, int previous)
{
  return label > previous ? label : aboveAllLabels;
}

/** The labels at the corners of a cell, in the order of CellValues' members. */
struct CornerLabels
{
  int at[8];

  CornerLabels() = default;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): all are read.
  CUDANEURO_HOST_DEVICE
  CornerLabels(const CellGrid & grid, const Cell & cell, const std::uint16_t * labels)
  {
    ReadRow(labels + cell.offset, at);
    ReadRow(labels + (cell.offset + grid.stepY), at + 2);
    ReadRow(labels + (cell.offset + grid.stepZ), at + 4);
    ReadRow(labels + (cell.offset + grid.stepY + grid.stepZ), at + 6);
  }

  /** 0 where all corners have the label, otherwise a number with other bits. */
  CUDANEURO_HOST_DEVICE int
  DifferenceFrom(int label) const
  {
    int difference = 0;
    for (int corner = 0; corner < 8; ++corner)
    {
      difference |= at[corner] ^ label;
    }
    return difference;
  }

  CUDANEURO_HOST_DEVICE bool
  HaveGap() const
  {
    int largest = at[0];
    for (int corner = 1; corner < 8; ++corner)
    {
      largest = at[corner] > largest ? at[corner] : largest;
    }
    return largest == noLabel;
  }

private:
  CUDANEURO_HOST_DEVICE static void
  ReadRow(const std::uint16_t * from, int * to)
  {
    to[0] = from[0];
    to[1] = from[1];
  }
};

/** The labels of a map at a deformed position. */
struct DeformedLabels
{
  Cell         cell;
  CornerLabels corners;

  /** The smallest label above \p previous, or aboveAllLabels. */
  CUDANEURO_HOST_DEVICE int
  NextAbove(int previous) const
  {
    int next = aboveAllLabels;
    for (int corner = 0; corner < 8; ++corner)
    {
      next = SmallerLabel(next, LabelAbove(corners.at[corner], previous));
    }
    return next;
  }

  /** The interpolated indicator of a label, with its derivatives. */
  CUDANEURO_HOST_DEVICE ValueAndGradient
  IndicatorOf(int label) const
  {
    const int * const at = corners.at;
    const auto        is = [label, at](int corner) { return at[corner] == label ? 1.0f : 0.0f; };
    return cell.InterpolateWithGradient({ is(0), is(1), is(2), is(3), is(4), is(5), is(6), is(7) });
  }
};

/** The label of a voxel of a map that does not move. */
struct StillLabel
{
  int label;

  CUDANEURO_HOST_DEVICE int
  NextAbove(int previous) const
  {
    return LabelAbove(label, previous);
  }

  CUDANEURO_HOST_DEVICE ValueAndGradient
  IndicatorOf(int other) const
  {
    return { other == label ? 1.0f : 0.0f, 0.0f, 0.0f, 0.0f };
  }
};

/** The derivative of the energy by a displacement in voxels. */
struct LabelForce
{
  float x = 0.0f;
  float y = 0.0f;
  float z = 0.0f;

  /** Adds scale * gradient. The fused multiply-add is explicit, so that both maps of a pair get the same bits when they
   * are swapped, whatever contractions the compiler chooses. */
  CUDANEURO_HOST_DEVICE void
  Add(float scale, const ValueAndGradient & sample)
  {
    x = std::fma(scale, sample.x, x);
    y = std::fma(scale, sample.y, y);
    z = std::fma(scale, sample.z, z);
  }

  CUDANEURO_HOST_DEVICE bool
  IsZero() const
  {
    return x == 0.0f && y == 0.0f && z == 0.0f;
  }
};

CUDANEURO_HOST_DEVICE float
WeightOf(const LabelWeights & weights, int label)
{
  return label < weights.count ? weights.values[label] : weights.beyond;
}

/** The term of one voxel: its energy, and the derivatives by the displacements of both maps. */
struct LabelTermOfVoxel
{
  float      energy = 0.0f;
  LabelForce ofMoving;
  LabelForce ofFixed; // used only where the fixed map moves

  /** Sums over the labels at both positions, in the order of their codes.
   * \tparam TFixed DeformedLabels or StillLabel */
  template <typename TFixed>
  CUDANEURO_HOST_DEVICE
  LabelTermOfVoxel(const LabelWeights & weights, const DeformedLabels & moving, const TFixed & fixed)
  {
    int label = SmallerLabel(moving.NextAbove(-1), fixed.NextAbove(-1));
    while (label < noLabel)
    {
      const float            weight = WeightOf(weights, label);
      const ValueAndGradient ofMovingMap = moving.IndicatorOf(label);
      const ValueAndGradient ofFixedMap = fixed.IndicatorOf(label);
      const float            difference = ofMovingMap.value - ofFixedMap.value;
      const float            slope = weight * difference;
      energy = std::fma(0.5f * slope, difference, energy);
      ofMoving.Add(slope, ofMovingMap);
      ofFixed.Add(-slope, ofFixedMap);
      label = SmallerLabel(moving.NextAbove(label), fixed.NextAbove(label));
    }
  }
};

/** The factor of a force along each axis. */
inline std::array<float, 3>
ForceScale(const LabelTerm & term)
{
  std::array<float, 3> scale{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    scale[axis] = static_cast<float>(term.weight) * term.descentScale[axis];
  }
  return scale;
}

/** Whether a voxel has a term; most have none, because the maps agree there, or one of them has no label. */
CUDANEURO_HOST_DEVICE bool
HasLabelTerm(const CornerLabels & moving, int fixed)
{
  return fixed != noLabel && moving.DifferenceFrom(fixed) != 0 && !moving.HaveGap();
}

CUDANEURO_HOST_DEVICE bool
HasLabelTerm(const CornerLabels & moving, const CornerLabels & fixed)
{
  const int label = moving.at[0];
  return (moving.DifferenceFrom(label) | fixed.DifferenceFrom(label)) != 0 && !moving.HaveGap() && !fixed.HaveGap();
}

} // namespace cudaneuro

#endif
