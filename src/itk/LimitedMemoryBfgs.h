// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_itk_LimitedMemoryBfgs_h
#define cudaneuro_itk_LimitedMemoryBfgs_h

#include <memory>
#include <vector>

namespace itk
{

/** Minimizes a function of many variables by the limited-memory BFGS method with the line search of More and
 * Thuente: netlib's lbfgs, which asks its caller for values and gradients. One object serves one thread; several may
 * be used at once. */
class LimitedMemoryBfgs
{
public:
  /** \param corrections how many pairs of steps and gradient changes are kept. */
  LimitedMemoryBfgs(std::vector<double> start, unsigned int corrections);
  ~LimitedMemoryBfgs();
  LimitedMemoryBfgs(const LimitedMemoryBfgs &) = delete;
  LimitedMemoryBfgs &
  operator=(const LimitedMemoryBfgs &) = delete;

  enum class Status
  {
    /** Advance wants value and gradient at the point. */
    Evaluate,
    /** The gradient at the best point is 0. */
    Minimum,
    /** The line search has not found a point that is better than the best one. */
    NoDecrease
  };

  /** The point that is to be evaluated. */
  const std::vector<double> &
  GetPoint() const
  {
    return m_Point;
  }

  /** The end of the last iteration, at first the start. */
  const std::vector<double> &
  GetBestPoint() const
  {
    return m_BestPoint;
  }

  /** Iterations that are done. A call of Advance that adds one has taken the point of its value as the best. */
  unsigned int
  GetNumberOfIterations() const
  {
    return m_NumberOfIterations;
  }

  /** Goes on with the value and the gradient at GetPoint, which are finite. The gradient at the start is not 0. */
  Status
  Advance(double value, std::vector<double> & gradient);

private:
  /** What netlib knows between two calls. */
  struct State;

  std::vector<double>    m_Point;
  std::vector<double>    m_BestPoint;
  std::vector<double>    m_Evaluated;
  std::vector<double>    m_Diagonal;
  std::vector<double>    m_Workspace;
  std::unique_ptr<State> m_State;
  unsigned int           m_NumberOfIterations = 0;
};

} // namespace itk

#endif
