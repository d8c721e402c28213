// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_itk_TargetMatching_h
#define cudaneuro_itk_TargetMatching_h

#include "itk/LimitedMemoryBfgs.h"
#include "itkCudaNeuroLandmarkMatching.h"

#include <vector>

namespace itk::CudaNeuroDetail
{

/** The iterations of one target. */
class TargetMatching
{
public:
  /** \p parameters and \p state must outlive this object. */
  TargetMatching(int target, const LandmarkMatchingParameters & parameters, LandmarkMatchingState & state);

  bool
  IsActive() const
  {
    return m_IsActive;
  }
  int
  GetTarget() const
  {
    return m_Target;
  }
  const LandmarkMatchingState &
  GetState() const
  {
    return m_State;
  }

  /** The evaluation that is needed next. */
  cudaneuro::ShootingEvaluation
  MakeEvaluation();

  /** Processes the evaluated loss. \returns whether an iteration has ended */
  bool
  Advance(const cudaneuro::ShootingLoss & loss);

  void
  Stop(LandmarkMatchingStop reason);

private:
  bool
  Begin(const cudaneuro::ShootingLoss & loss);
  bool
  GoOn(const cudaneuro::ShootingLoss & loss);
  void
  StopIfDone(LimitedMemoryBfgs::Status status);

  const LandmarkMatchingParameters & m_Parameters;
  LandmarkMatchingState &            m_State;
  LimitedMemoryBfgs                  m_Optimizer;
  std::vector<double>                m_Gradient;
  double                             m_FirstGradientNorm = 0.0;
  int                                m_Target;
  bool                               m_IsActive = true;
};

} // namespace itk::CudaNeuroDetail

#endif
