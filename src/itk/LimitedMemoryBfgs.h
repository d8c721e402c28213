// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_itk_LimitedMemoryBfgs_h
#define cudaneuro_itk_LimitedMemoryBfgs_h

#include <memory>
#include <vector>

namespace itk
{

/** Minimizes a function of many variables by the limited-memory BFGS method with the line search of More and Thuente,
 * as implemented in netlib's lbfgs, which asks its caller for values and gradients. An object is used by one thread;
 * several objects may be used at the same time. */
class LimitedMemoryBfgs
{
public:
  /** \param corrections number of pairs of steps and gradient changes that are kept */
  LimitedMemoryBfgs(std::vector<double> start, unsigned int corrections);
  ~LimitedMemoryBfgs();
  LimitedMemoryBfgs(const LimitedMemoryBfgs &) = delete;
  LimitedMemoryBfgs &
  operator=(const LimitedMemoryBfgs &) = delete;

  enum class Status
  {
    /** Advance needs value and gradient at the point. */
    Evaluate,
    /** The gradient at the best point is 0. */
    Minimum,
    /** The line search has not found a point that is better than the best one. */
    NoDecrease
  };

  /** The point at which the function is to be evaluated. */
  const std::vector<double> &
  GetPoint() const
  {
    return m_Point;
  }

  /** The end of the last iteration, initially the start. */
  const std::vector<double> &
  GetBestPoint() const
  {
    return m_BestPoint;
  }

  /** Number of completed iterations. A call of Advance that completes one has made the point of its value the best. */
  unsigned int
  GetNumberOfIterations() const
  {
    return m_NumberOfIterations;
  }

  /** Continues with the value and the gradient at GetPoint, which are finite. The gradient at the start is not 0. */
  Status
  Advance(double value, std::vector<double> & gradient);

private:
  /** The state of netlib's minimizer between two calls. */
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
