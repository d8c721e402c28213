// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/step/RegistrationForceCpu.h"

#include "core/IntegerMath.h"
#include "core/VectorDispatch.h"
#include "fields/CellSampler.h"
#include "registration/step/UnbiasedFormulas.h"

#include <algorithm>
#include <vector>

namespace cudaneuro::cpu
{

namespace
{

/** Planes of a task. The stresses of one more plane on either side are computed twice. */
constexpr int planesPerPart = 8;

/** The stresses of one plane, weighted for the differences of its neighbors: component a along axis b is at [3 * b +
 * a]. */
class StressPlane
{
public:
  explicit StressPlane(std::int64_t voxels)
    : m_Voxels(voxels)
    , m_Values(static_cast<std::size_t>(9 * voxels))
  {}

  float *
  At(int axis, int component)
  {
    return m_Values.data() + (3 * axis + component) * m_Voxels;
  }

private:
  std::int64_t       m_Voxels;
  std::vector<float> m_Values;
};

class ForceOfPart
{
public:
  ForceOfPart(const RegistrationParameters & parameters,
              const ImagePair &              images,
              const ConstSoAField &          displacement,
              const float *                  derivative,
              const SoAField &               force,
              ForceUse                       use)
    : m_Use(use)
    , m_Parameters(parameters)
    , m_Images(images)
    , m_Extent(images.extent)
    , m_Grid(images.extent)
    , m_Displacement(displacement)
    , m_Derivative(derivative)
    , m_Force(force)
    , m_PlaneVoxels(std::int64_t{ images.extent.x } * images.extent.y)
  {}

  /** Computes the force of planes [begin, end). */
  ForceSums
  Run(int begin, int end)
  {
    if (m_Parameters.unbiasedWeight > 0.0)
    {
      this->RunUnbiased(begin, end);
    }
    else
    {
      this->RunPlain(begin, end);
    }
    return m_Sums;
  }

private:
  FieldGradient
  MapAt(int x, int y, int z) const
  {
    return IdentityPlus(GradientAt(m_Displacement, m_Extent, x, y, z));
  }

  void
  Note(float jacobian)
  {
    // NaN counts as a fold.
    m_Sums.minimumJacobian = jacobian == jacobian ? std::min(m_Sums.minimumJacobian, jacobian) : -1.0f;
  }

  void
  RunPlain(int begin, int end)
  {
    for (int z = begin; z < end; ++z)
    {
      std::int64_t i = z * m_PlaneVoxels;
      for (int y = 0; y < m_Extent.y; ++y)
      {
        for (int x = 0; x < m_Extent.x; ++x, ++i)
        {
          const FieldGradient map = this->MapAt(x, y, z);
          this->Note(Determinant(map));
          this->Write(i, this->ImageForcesAt(x, y, z, i, map));
        }
      }
    }
  }

  void
  RunUnbiased(int begin, int end)
  {
    StressPlane below(m_PlaneVoxels);
    StressPlane own(m_PlaneVoxels);
    StressPlane above(m_PlaneVoxels);
    if (begin > 0)
    {
      this->FillStress(begin - 1, false, below);
    }
    this->FillStress(begin, true, own);
    for (int z = begin; z < end; ++z)
    {
      if (z + 1 < m_Extent.z)
      {
        this->FillStress(z + 1, z + 1 < end, above);
      }
      this->ForceOfPlane(z, below, own, above);
      std::swap(below, own);
      std::swap(own, above);
    }
  }

  void
  FillStress(int z, bool isOwn, StressPlane & stress)
  {
    const auto   lambda = static_cast<float>(m_Parameters.unbiasedWeight);
    const float  weightZ = StressWeight(z, m_Extent.z);
    std::int64_t i = 0;
    for (int y = 0; y < m_Extent.y; ++y)
    {
      const float weightY = StressWeight(y, m_Extent.y);
      for (int x = 0; x < m_Extent.x; ++x, ++i)
      {
        const FieldGradient map = this->MapAt(x, y, z);
        const FieldGradient c = Cofactors(map);
        const float         jacobian = map.xx * c.xx + map.xy * c.xy + map.xz * c.xz;
        const BiasTerm      bias = BiasTermOf(jacobian);
        if (isOwn)
        {
          m_Sums.biasEnergy += static_cast<double>(bias.energy);
          this->Note(jacobian);
        }
        const float weight = lambda * bias.derivative;
        const float weights[3] = { weight * StressWeight(x, m_Extent.x), weight * weightY, weight * weightZ };
        const float cofactors[3][3] = { { c.xx, c.yx, c.zx }, { c.xy, c.yy, c.zy }, { c.xz, c.yz, c.zz } };
        for (int axis = 0; axis < 3; ++axis)
        {
          for (int component = 0; component < 3; ++component)
          {
            stress.At(axis, component)[i] = weights[axis] * cofactors[axis][component];
          }
        }
      }
    }
  }

  /** The transpose of the central difference. Outside the grid the stress is minus that of the border. */
  static float
  Divergence(bool hasLower, float lower, float own, bool hasUpper, float upper)
  {
    return (hasLower ? lower : -own) - (hasUpper ? upper : -own);
  }

  void
  ForceOfPlane(int z, StressPlane & below, StressPlane & own, StressPlane & above)
  {
    const bool   hasBelow = z > 0;
    const bool   hasAbove = z + 1 < m_Extent.z;
    std::int64_t inPlane = 0;
    for (int y = 0; y < m_Extent.y; ++y)
    {
      const bool hasLowerY = y > 0;
      const bool hasUpperY = y + 1 < m_Extent.y;
      for (int x = 0; x < m_Extent.x; ++x, ++inPlane)
      {
        const bool           hasLowerX = x > 0;
        const bool           hasUpperX = x + 1 < m_Extent.x;
        const std::int64_t   i = z * m_PlaneVoxels + inPlane;
        std::array<float, 3> force = this->ImageForcesAt(x, y, z, i, {});
        for (int component = 0; component < 3; ++component)
        {
          const float * const alongX = own.At(0, component) + inPlane;
          const float * const alongY = own.At(1, component) + inPlane;
          const float         alongZ = own.At(2, component)[inPlane];
          force[component] +=
            Divergence(hasLowerX, hasLowerX ? alongX[-1] : 0.0f, *alongX, hasUpperX, hasUpperX ? alongX[1] : 0.0f) +
            Divergence(hasLowerY,
                       hasLowerY ? alongY[-m_Extent.x] : 0.0f,
                       *alongY,
                       hasUpperY,
                       hasUpperY ? alongY[m_Extent.x] : 0.0f) +
            Divergence(hasBelow,
                       hasBelow ? below.At(2, component)[inPlane] : 0.0f,
                       alongZ,
                       hasAbove,
                       hasAbove ? above.At(2, component)[inPlane] : 0.0f);
        }
        this->Write(i, force);
      }
    }
  }

  /** The force from the images, 0 where an image has no value; adds to the energy.
   * \param map the derivative of the map, read only for the gradient of the deformed image */
  std::array<float, 3>
  ImageForceAt(int x, int y, int z, std::int64_t i, const FieldGradient & map)
  {
    const float px = static_cast<float>(x) + m_Displacement.x[i];
    const float py = static_cast<float>(y) + m_Displacement.y[i];
    const float pz = static_cast<float>(z) + m_Displacement.z[i];
    if (!m_Grid.Contains(px, py, pz))
    {
      return {};
    }
    const Cell  cell(m_Grid, px, py, pz);
    const auto  sample = cell.InterpolateWithGradient(cell.Load(m_Grid, m_Images.moving));
    const float derivative = m_Derivative != nullptr ? m_Derivative[i] : sample.value - m_Images.fixed[i];
    // NaN is unequal to itself.
    if (!(derivative == derivative) || !(sample.value == sample.value))
    {
      return {};
    }
    if (m_Derivative == nullptr)
    {
      m_Sums.imageEnergy += static_cast<double>(0.5f * derivative * derivative);
    }
    std::array<float, 3> gradient{ sample.x, sample.y, sample.z };
    if (m_Parameters.useDeformedGradient)
    {
      gradient = { map.xx * sample.x + map.yx * sample.y + map.zx * sample.z,
                   map.xy * sample.x + map.yy * sample.y + map.zy * sample.z,
                   map.xz * sample.x + map.yz * sample.y + map.zz * sample.z };
    }
    const float scaled = m_Images.share * derivative;
    return { scaled * gradient[0], scaled * gradient[1], scaled * gradient[2] };
  }

  void
  Write(std::int64_t i, const std::array<float, 3> & force)
  {
    float * const components[3] = { m_Force.x, m_Force.y, m_Force.z };
    for (int axis = 0; axis < 3; ++axis)
    {
      float & voxel = components[axis][i];
      switch (m_Use)
      {
        case ForceUse::Whole:
        case ForceUse::Completed:
          voxel = m_Images.descentScale[axis] * force[axis];
          break;
        case ForceUse::Begun:
          voxel = force[axis];
          break;
        case ForceUse::Added:
          voxel += force[axis];
          break;
      }
    }
  }

  /** The force of the images; includes that of other channels if this is the last one. */
  std::array<float, 3>
  ImageForcesAt(int x, int y, int z, std::int64_t i, const FieldGradient & map)
  {
    std::array<float, 3> force = this->ImageForceAt(x, y, z, i, map);
    if (m_Use == ForceUse::Completed)
    {
      force = { m_Force.x[i] + force[0], m_Force.y[i] + force[1], m_Force.z[i] + force[2] };
    }
    return force;
  }

  ForceUse                       m_Use;
  const RegistrationParameters & m_Parameters;
  const ImagePair &              m_Images;
  Extent                         m_Extent;
  CellGrid                       m_Grid;
  ConstSoAField                  m_Displacement;
  const float *                  m_Derivative;
  SoAField                       m_Force;
  std::int64_t                   m_PlaneVoxels;
  ForceSums                      m_Sums = ForceSums::Empty();
};

} // namespace

ForceSums
RegistrationForce(Context &                      context,
                  const RegistrationParameters & parameters,
                  const ImagePair &              images,
                  const ConstSoAField &          displacement,
                  const float *                  derivative,
                  const SoAField &               force,
                  ForceUse                       use)
{
  const int              parts = DivideUp(images.extent.z, planesPerPart);
  std::vector<ForceSums> sums(static_cast<std::size_t>(parts));
  context.ParallelFor(parts, [&](std::int64_t part) {
    const int begin = static_cast<int>(part) * planesPerPart;
    const int end = std::min(begin + planesPerPart, images.extent.z);
    VectorDispatch([&] {
      sums[static_cast<std::size_t>(part)] =
        ForceOfPart(parameters, images, displacement, derivative, force, use).Run(begin, end);
    });
  });
  ForceSums total = ForceSums::Empty();
  for (const ForceSums & sum : sums)
  {
    total.Include(sum);
  }
  return total;
}

} // namespace cudaneuro::cpu
