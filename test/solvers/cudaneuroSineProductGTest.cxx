// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "HelmholtzTest.h"
#include "solvers/SineProductFormulas.h"

#include <algorithm>
#include <cmath>

using namespace helmholtz;

namespace
{

const Extent productSizes[] = { { 192, 58, 96 }, { 106, 12, 30 }, { 33, 67, 130 }, { 1, 192, 5 }, { 192, 2, 9 },
                                { 2, 66, 2 },    { 3, 2, 192 },   { 1, 1, 1 },     { 2, 1, 1 },   { 1, 2, 3 },
                                { 65, 50, 1 },   { 192, 106, 1 }, { 1, 130, 1 } };

} // namespace

class SineProduct : public HelmholtzTest
{
protected:
  void
  SetUp() override
  {
    HelmholtzTest::SetUp();
    if (!this->IsSkipped() && !this->GetContext().GetDevice().IsCuda())
    {
      GTEST_SKIP() << "the CPU has no products";
    }
  }
};

CUDANEURO_TEST_ON_ALL_DEVICES(SineProduct);

TEST_P(SineProduct, SolvesTheEquation)
{
  for (const Extent & extent : productSizes)
  {
    const HelmholtzParameters parameters = ParametersFor(extent);
    const Components          force = MakeRandomField(extent, 6);
    const auto                run = [&] {
      return this->RunFft(extent, parameters, force, MakeRandomField(extent, 7), nullptr, SineTransform::Product);
    };
    const Components velocity = run();
    Components       applied;
    for (std::size_t component = 0; component < 3; ++component)
    {
      applied[component] = reference::ApplyHelmholtz(extent, parameters, velocity[component]);
    }
    // Rounding of the transforms, to 1e-6 of the largest velocity, times the operator's norm. The largest force is
    // about 1.
    const double norm = 4.0 * cudaneuro::HelmholtzDimensions(extent) * parameters.alpha + parameters.gamma;
    const double largest = std::max({ LargestOf(velocity[0]), LargestOf(velocity[1]), LargestOf(velocity[2]) });
    ExpectNear(applied, force, 1e-6 * std::max(1.0, norm * largest), NameOf(extent));
    EXPECT_EQ(velocity, run()) << NameOf(extent);
  }
}

TEST_P(SineProduct, IsTheFourierTransforms)
{
  const std::string reason = this->ReasonForNoFft();
  if (!reason.empty())
  {
    GTEST_SKIP() << reason;
  }
  for (const Extent & extent : productSizes)
  {
    const HelmholtzParameters parameters = ParametersFor(extent);
    const Components          force = MakeRandomField(extent, 6);
    const Components          start = MakeZeros(extent);
    // Both round each of 6 transforms, to some 1e-7 of the largest value.
    ExpectNear(this->RunFft(extent, parameters, force, start, nullptr, SineTransform::Product),
               this->RunFft(extent, parameters, force, start, nullptr, SineTransform::Fourier),
               2e-6,
               NameOf(extent));
  }
}

TEST_P(SineProduct, HasAGateAndTheLargestSquare)
{
  const Extent              extent{ 67, 50, 11 };
  const HelmholtzParameters parameters;
  const Components          force = MakeRandomField(extent, 4);
  this->ExpectGateAndLargestSquare(extent, [&](const Components & start, Words & words) {
    return this->RunFft(extent, parameters, force, start, &words, SineTransform::Product);
  });
}

TEST(SineProductFormulas, FoldedMatricesAreTheTransform)
{
  for (const int n : { 1, 2, 3, 31, 64, 65, 192 })
  {
    const std::vector<float> matrix = cudaneuro::FoldedSineMatrix(n);
    const Component          values = MakeRandom({ n, 1, 1 }, 3);
    for (int k = 0; k < n; ++k)
    {
      double expected = 0.0;
      for (int j = 0; j < n; ++j)
      {
        expected += std::sqrt(2.0 / (n + 1)) * std::sin(cudaneuro::helmholtzPi * (k + 1) * (j + 1) / (n + 1)) *
                    values[static_cast<std::size_t>(j)];
      }
      double actual = 0.0;
      for (int j = 0; j < (n + 1) / 2; ++j)
      {
        const double value = values[static_cast<std::size_t>(j)];
        const double mirrored = values[static_cast<std::size_t>(n - 1 - j)];
        const int    at = ((k % 2) * cudaneuro::FoldedColumns(n) + j) * cudaneuro::FoldedRows(n) + k / 2;
        actual += matrix[static_cast<std::size_t>(at)] * (k % 2 == 0 ? value + mirrored : value - mirrored);
      }
      // The matrix is rounded to float; the values are below 1.
      EXPECT_NEAR(actual, expected, 1e-6) << n << ", " << k;
    }
  }
}

TEST(SineProductFormulas, LargestPrimeFactors)
{
  const int pairs[][2] = {
    { 2, 2 }, { 3, 3 }, { 4, 2 }, { 12, 3 }, { 49, 7 }, { 193, 193 }, { 386, 193 }, { 1024, 2 }
  };
  for (const auto & pair : pairs)
  {
    EXPECT_EQ(cudaneuro::LargestPrimeFactor(pair[0]), pair[1]);
  }
}

TEST(SineProductFormulas, LongLinesTakeTheFourierTransform)
{
  EXPECT_TRUE(cudaneuro::SineProductsAreCheaper({ 192, 192, 192 }));
  EXPECT_FALSE(cudaneuro::SineProductsAreCheaper({ 1023, 1023, 20 }));
}
