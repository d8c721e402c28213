// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/ApproximateMath.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

/** Functions of the host against those of long double. */
namespace
{

/** The largest relative error of 2^x from \p least to 0. */
template <typename T>
double
LargestErrorOfExp2(T least)
{
  double largest = 0.0;
  for (int i = 0; i <= 300000; ++i)
  {
    const T           x = least * static_cast<T>(i) / T(300000);
    const long double exact = std::exp2(static_cast<long double>(x));
    const long double error = (cudaneuro::Exp2Polynomial(x) - exact) / exact;
    largest = std::max(largest, static_cast<double>(std::abs(error)));
  }
  return largest;
}

TEST(ApproximateMath, Exp2Polynomial)
{
  EXPECT_LE(LargestErrorOfExp2(-126.0f), 1e-7);
  EXPECT_LE(LargestErrorOfExp2(-1022.0), 4e-16);
  // Where the arguments of kernels are.
  EXPECT_LE(LargestErrorOfExp2(-2.0), 4e-16);
}

TEST(ApproximateMath, Exp2PolynomialAtTheEnds)
{
  EXPECT_EQ(cudaneuro::Exp2Polynomial(0.0f), 1.0f);
  EXPECT_EQ(cudaneuro::Exp2Polynomial(0.0), 1.0);
  EXPECT_EQ(cudaneuro::Exp2Polynomial(-126.5f), 0.0f);
  EXPECT_EQ(cudaneuro::Exp2Polynomial(-1022.5), 0.0);
  EXPECT_EQ(cudaneuro::Exp2Polynomial(-std::numeric_limits<float>::infinity()), 0.0f);
  EXPECT_EQ(cudaneuro::Exp2Polynomial(-std::numeric_limits<double>::infinity()), 0.0);
  EXPECT_EQ(cudaneuro::Exp2Polynomial(-64.0f, -64.0f), std::exp2(-64.0f));
  EXPECT_EQ(cudaneuro::Exp2Polynomial(-64.5f, -64.0f), 0.0f);
}

} // namespace
