// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itk/LimitedMemoryBfgs.h"

#include <vnl/algo/vnl_netlib.h>

#include <utility>

namespace itk
{

struct LimitedMemoryBfgs::State
{
  v3p_netlib_integer        corrections = 0;
  v3p_netlib_integer        flag = 0;
  v3p_netlib_lbfgs_global_t global{};
};

LimitedMemoryBfgs::LimitedMemoryBfgs(std::vector<double> start, unsigned int corrections)
  : m_Point(std::move(start))
  , m_BestPoint(m_Point)
  , m_Evaluated(m_Point.size())
  , m_Diagonal(m_Point.size())
  , m_Workspace(m_Point.size() * (2 * std::size_t{ corrections } + 1) + 2 * std::size_t{ corrections })
  , m_State(std::make_unique<State>())
{
  m_State->corrections = corrections;
  v3p_netlib_lbfgs_init(&m_State->global);
  m_State->global.lp = 0; // no output
}

LimitedMemoryBfgs::~LimitedMemoryBfgs() = default;

auto
LimitedMemoryBfgs::Advance(double value, std::vector<double> & gradient) -> Status
{
  auto                  size = static_cast<v3p_netlib_integer>(m_Point.size());
  v3p_netlib_logical    hasDiagonal = 0;
  v3p_netlib_integer    printing[2] = { -1, 0 };
  v3p_netlib_doublereal gradientTolerance = 0.0;
  v3p_netlib_doublereal intervalTolerance = 1e-16;
  m_Evaluated = m_Point;
  v3p_netlib_lbfgs_(&size,
                    &m_State->corrections,
                    m_Point.data(),
                    &value,
                    gradient.data(),
                    &hasDiagonal,
                    m_Diagonal.data(),
                    printing,
                    &gradientTolerance,
                    &intervalTolerance,
                    m_Workspace.data(),
                    &m_State->flag,
                    &m_State->global);
  if (m_State->flag < 0)
  {
    return Status::NoDecrease;
  }
  // private_iter is the number of the iteration that has begun; at the end none has.
  const auto iterations =
    static_cast<unsigned int>(m_State->flag == 0 ? m_State->global.private_iter : m_State->global.private_iter - 1);
  if (iterations != m_NumberOfIterations)
  {
    m_NumberOfIterations = iterations;
    m_BestPoint.swap(m_Evaluated);
  }
  return m_State->flag == 0 ? Status::Minimum : Status::Evaluate;
}

} // namespace itk
