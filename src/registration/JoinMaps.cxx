// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/Dispatch.h"
#include "fields/FieldComposition.h"
#include "fields/FieldInversion.h"
#include "fields/Jacobian.h"
#include "images/ImagePreparation.h"
#include "registration/MapRepair.h"
#include "registration/FoldRepair.h"
#include "registration/RegistrationRun.h"
#include "registration/step/StepLimitFormulas.h"

namespace cudaneuro
{

void
MarkOrigins(Context & context, const WrongVoxels & wrong)
{
  CUDANEURO_DISPATCH(context, MarkOrigins(context, wrong));
}

void
RepairComponent(Context &     context,
                std::int64_t  numberOfVoxels,
                const float * marks,
                float         scale,
                const float * smoothed,
                float *       component)
{
  CUDANEURO_DISPATCH(context, RepairComponent(context, numberOfVoxels, marks, scale, smoothed, component));
}

namespace
{

/** Joins two halves h1 and h2, which lead from a middle to the images, to the map h = h2(h1^-1) and its
 * inverse k = h1(h2^-1), and repairs the halves where h or k is wrong, both alike, so that neither image is
 * privileged.
 *
 * J(h) is J(h2) divided by J(h1). Where h1 is near its bound, its inverse stretches some voxels over many, and
 * h2 is interpolated between them; there the bounds of the halves bound neither h nor its inverse error. */
class MapJoiner
{
public:
  MapJoiner(const RegistrationRun & run, SoAFieldMemory & first, SoAFieldMemory & second)
    : m_Run(run)
    , m_Extent(run.GetExtent())
    , m_Halves{ first, second }
    , m_Bound(boundMargin * static_cast<float>(run.parameters.jacobianBound))
    , m_Inverses{ this->MakeField(), this->MakeField() }
    , m_Joined{ this->MakeField(), this->MakeField() }
    , m_Residual(this->MakeField())
    , m_Jacobian(AllocateFloats(run.context, run.NumberOfVoxels()))
    , m_Marks(AllocateFloats(run.context, run.NumberOfVoxels()))
  {}

  /** Joins the halves, and repairs them until both maps are right. From the first damping round on, only the bound
   * counts; the remaining error of the inverse is reported.
   * \returns the number of rounds */
  int
  Join()
  {
    for (int round = 0;; ++round)
    {
      this->JoinHalves();
      const bool isRight = this->Mark(round < firstDampingRound);
      if (isRight || (round >= firstDampingRound && this->KeepsBound(0) && this->KeepsBound(1)))
      {
        return round;
      }
      RepairFolds(m_Run.context,
                  round,
                  { m_Extent, Floats(m_Marks), m_Residual.View(), { m_Halves[0].View(), m_Halves[1].View() } });
    }
  }

  /** \param side 0 for the map from the grid of the first half to that of the second, 1 for its inverse */
  const SoAFieldMemory &
  GetJoined(std::size_t side) const
  {
    return m_Joined[side];
  }

private:
  SoAFieldMemory
  MakeField() const
  {
    return { m_Run.context, m_Run.NumberOfVoxels() };
  }

  void
  JoinHalves()
  {
    for (std::size_t side = 0; side < 2; ++side)
    {
      const SoAField inverse = m_Inverses[side].View();
      InvertField(m_Run.context, m_Run.parameters.inversion, m_Extent, m_Halves[side].View(), inverse);
      ComposeFields(m_Run.context, m_Extent, inverse, m_Halves[1 - side].View(), m_Joined[side].View());
    }
  }

  /** Marks the voxels of the halves that make the maps wrong; errors of the inverse only if \p withInverseErrors.
   * \returns whether both maps are right */
  bool
  Mark(bool withInverseErrors)
  {
    bool isRight = true;
    FillWithZeros(m_Run.context, m_Run.NumberOfVoxels(), Floats(m_Marks));
    for (std::size_t side = 0; side < 2; ++side)
    {
      const SoAField map = m_Joined[side].View();
      const SoAField other = m_Joined[1 - side].View();
      m_Jacobians[side] = JacobianDeterminant(m_Run.context, m_Extent, map, Floats(m_Jacobian));
      this->MeasureResidual(map, other, withInverseErrors);
      MarkOrigins(
        m_Run.context,
        { m_Extent, Floats(m_Jacobian), m_Bound, map, m_Residual.View(), m_Inverses[side].View(), Floats(m_Marks) });
      const double error = InverseResidual(m_Run.context, m_Extent, other, map).maximumResidual;
      isRight = isRight && this->KeepsBound(side) && error <= largestInverseError;
    }
    return isRight;
  }

  bool
  KeepsBound(std::size_t side) const
  {
    return m_Jacobians[side].numberOfFoldedVoxels == 0 && m_Jacobians[side].minimum >= m_Bound;
  }

  /** Computes the residual of the inverse, or sets it to 0 where such errors do not count. */
  void
  MeasureResidual(const SoAField & map, const SoAField & other, bool withInverseErrors)
  {
    const SoAField residual = m_Residual.View();
    if (withInverseErrors)
    {
      ComposeFields(m_Run.context, m_Extent, map, other, residual);
      return;
    }
    for (float * const component : { residual.x, residual.y, residual.z })
    {
      FillWithZeros(m_Run.context, m_Run.NumberOfVoxels(), component);
    }
  }

  const RegistrationRun &       m_Run;
  Extent                        m_Extent;
  std::array<SoAFieldMemory, 2> m_Halves;
  float                         m_Bound;
  std::array<SoAFieldMemory, 2> m_Inverses;
  std::array<SoAFieldMemory, 2> m_Joined;
  SoAFieldMemory                m_Residual;
  DeviceMemory                  m_Jacobian;
  DeviceMemory                  m_Marks;
  std::array<JacobianResult, 2> m_Jacobians{};
};

} // namespace

void
JoinMaps(const RegistrationRun & run, LevelMap & map, RegistrationResult & result)
{
  if (map.toFixed.View().x == nullptr)
  {
    return;
  }
  Context::ProgressSteps progress(run.context);
  progress.UpTo(0.0); // the number of steps is unknown, and each reports from 0 to 1
  MapJoiner joiner(run, map.toFixed, map.displacement);
  map.CountRepair(joiner.Join());
  map.displacement = joiner.GetJoined(0);
  map.inverse = joiner.GetJoined(1);
  map.toFixed = {};
  result.inversion = InverseResidual(run.context, run.GetExtent(), map.displacement.View(), map.inverse.View());
}

} // namespace cudaneuro
