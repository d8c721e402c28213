// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_QuasiNewton_h
#define cudaneuro_linear_QuasiNewton_h

#include <functional>
#include <vector>

namespace cudaneuro
{

struct QuasiNewtonParameters
{
  int iterations = 100;
  /** Length of the first step, while the Hessian is unknown, and maximum length of a step. */
  double firstStep = 0.5;
  double longestStep = 2.0;
  /** The minimization ends when a step is no longer than this. */
  double shortestStep = 0.01;
};

/** Minimizes a function by the method of Broyden, Fletcher, Goldfarb and Shanno (Nocedal and Wright, Numerical
 * Optimization, 2006, chapter 6), with steps of limited length and a backtracking line search.
 *
 * The caller evaluates the function, so that many minimizations can share a batch: while not IsDone(), the caller
 * evaluates the function at GetTrial(), and passes the result to Advance(). A value that is not finite shortens the
 * step.
 *
 * Kinks of a function look like a large curvature, and shorten steps too early. After a short step the Hessian is
 * therefore discarded, and the minimization ends only after a short step of steepest descent. */
class QuasiNewton
{
public:
  using Vector = std::vector<double>;
  /** A measure of the step between two points. */
  using StepLength = std::function<double(const Vector & from, const Vector & to)>;

  QuasiNewton(const QuasiNewtonParameters & parameters, Vector start, StepLength length);

  /** Whether the value at the start is known. */
  bool
  HasBegun() const
  {
    return m_HasBegun;
  }
  bool
  IsDone() const
  {
    return m_IsDone;
  }
  const Vector &
  GetTrial() const
  {
    return m_Trial;
  }
  /** Processes the function's value and gradient at the trial.
   * \returns whether this ended an iteration: the trial, now GetPoint(), is better */
  bool
  Advance(double value, const Vector & gradient);

  /** The best point so far, and the length of the step there. */
  const Vector &
  GetPoint() const
  {
    return m_Point;
  }
  double
  GetValue() const
  {
    return m_Value;
  }
  double
  GetStep() const
  {
    return m_Step;
  }
  int
  GetNumberOfIterations() const
  {
    return m_Iterations;
  }

private:
  void
  Begin(double value, const Vector & gradient);
  void
  Accept(double value, const Vector & gradient);
  void
  Shorten(double value, const Vector & gradient);
  void
  UpdateInverseHessian(const Vector & step, const Vector & change);
  /** Sets the direction, and the trial at its end. */
  void
  ChooseDirection();
  /** Replaces a direction that led to a short step by that of steepest descent. */
  void
  Restart();
  void
  SetTrial(double fraction);

  QuasiNewtonParameters m_Parameters;
  StepLength            m_Length;
  Vector                m_Point;
  Vector                m_Gradient;
  Vector                m_Direction;
  Vector                m_Trial;
  /** By rows; empty until a change of the gradient is known: the direction is then that of steepest descent. */
  Vector m_InverseHessian;
  double m_Value = 0.0;
  double m_Slope = 0.0;
  double m_Fraction = 1.0;
  double m_Step = 0.0;
  int    m_Iterations = 0;
  bool   m_IsSteepest = false;
  bool   m_HasBegun = false;
  bool   m_IsDone = false;
};

} // namespace cudaneuro

#endif
