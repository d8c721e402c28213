// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_synthetic_PortableSine_h
#define cudaneuro_synthetic_PortableSine_h

#include <cmath>

namespace cudaneuro
{

/** sin(2 pi turns) to 1e-13, by its series, with the same bits on every machine, unlike a library's sine. */
inline double
SineOfTurns(double turns)
{
  constexpr double twoPi = 6.28318530717958647693;
  double           t = turns - std::floor(turns + 0.5); // in [-1/2, 1/2)
  if (std::abs(t) > 0.25)
  {
    t = (t > 0.0 ? 0.5 : -0.5) - t;
  }
  const double x = twoPi * t; // at most pi / 2, so that x^21 / 21! < 1e-15
  double       series = 1.0;
  for (int order = 19; order > 1; order -= 2)
  {
    series = 1.0 - series * x * x / (order * (order - 1));
  }
  return x * series;
}

} // namespace cudaneuro

#endif
