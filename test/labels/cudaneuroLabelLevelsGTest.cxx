// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Level sets of labels, and their weights by labels that are left out, against a reference in double precision.

#include "DeviceTest.h"
#include "core/CounterRandom.h"
#include "labels/levels/ChebyshevSeries.h"
#include "labels/FitWeights.h"
#include "labels/levels/LabelLevels.h"
#include "labels/LabelTestCases.h"
#include "labels/ReferenceLabelLevels.h"

#include "jobs/DeviceJob.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace labeltests;

namespace
{

/** A small label whose band is narrower than those of the filter, so that dense matrices are small. */
cudaneuro::LabelDomain
MakeSmallLabel(cudaneuro::Context & context, const Vector & spacing)
{
  const LabelImage image = WithFlips(
    MakeImage({ 9, 9, 9 },
              spacing,
              [&](const Vector & p) {
                return Distance({ p[0] / spacing[0], p[1] / spacing[1], p[2] / spacing[2] }, { 4.1, 3.9, 4.0 }) < 2.6;
              }),
    0.2);
  const cudaneuro::Grid &   grid = image.geometry.grid;
  const cudaneuro::LabelBox box = FindBoxes(context, grid, image.View(), { 1.0 }).front();
  cudaneuro::LabelDomain    label;
  label.grid = MakeLabelGrid(context, grid, image.View(), box);
  const cudaneuro::LabelBand wide = MakeLabelBand(context, label.grid);
  // Keeps the voxels near the middle of the box.
  label.band.numbers.assign(wide.numbers.size(), -1);
  const auto & extent = label.grid.extent;
  const Vector center{ 0.5 * extent.x, 0.5 * extent.y, 0.5 * extent.z };
  for (const std::int32_t voxel : wide.voxels)
  {
    const std::array<int, 3> i = label.grid.IndexOf(voxel);
    if (Distance({ 0.5 + i[0], 0.5 + i[1], 0.5 + i[2] }, center) < 4.8)
    {
      label.band.numbers[static_cast<std::size_t>(voxel)] = label.band.count++;
      label.band.voxels.push_back(voxel);
      label.band.codes.push_back(label.grid.codes[static_cast<std::size_t>(voxel)]);
    }
  }
  label.band.FindNeighbors(context, extent);
  label.spline = MakeSplineBand(context, extent, label.band);
  label.coarse = MakeSplineBand(context, label.spline.extent, label.spline.nodes);
  return label;
}

reference::Numbers
VersionOf(const cudaneuro::VersionValues & values, int version)
{
  reference::Numbers numbers;
  for (std::size_t j = static_cast<std::size_t>(version); j < values.size(); j += cudaneuro::versions)
  {
    numbers.push_back(values[j]);
  }
  return numbers;
}

double
LargestDifference(const reference::Numbers & a, const reference::Numbers & b)
{
  double largest = a.size() == b.size() ? 0.0 : HUGE_VAL;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
  {
    largest = std::max(largest, std::abs(a[i] - b[i]));
  }
  return largest;
}

class LabelLevels : public DeviceTest
{
protected:
  void
  ExpectFits(const Vector & spacing)
  {
    const cudaneuro::LabelDomain label = MakeSmallLabel(this->GetContext(), spacing);
    ASSERT_GT(label.band.count, 200);
    const reference::Matrix  laplacian = reference::LaplacianOf(label.grid, label.band);
    const reference::Splines splines(label);
    const reference::Splines coarseSplines(label, 2);
    const reference::Numbers votes(static_cast<std::size_t>(label.band.count), 1.0);
    cudaneuro::RunDeviceJob(this->GetContext(), [&] {
      const auto levels = MakeLabelLevels(this->GetContext(), label);
      levels->Fit();
      for (const std::size_t fit : { 0, 3, 5, 8 })
      {
        const cudaneuro::LabelFit & constants = cudaneuro::labelFits[fit];
        const bool                  isOfVoxels = fit < cudaneuro::firstSplineFit;
        const reference::Matrix smoother = isOfVoxels ? reference::Smoother(laplacian, constants) : reference::Matrix();
        for (const int version : { 0, 2 })
        {
          const reference::Numbers pilot = reference::Pilot(label.grid, label.band, constants.pilotSigma, version);
          const reference::Numbers expected =
            isOfVoxels ? reference::Fitted(label.band, smoother, constants, version, pilot, votes)
                       : reference::FittedBySplines(label.band,
                                                    fit < cudaneuro::firstCoarseFit ? splines : coarseSplines,
                                                    constants,
                                                    version,
                                                    pilot,
                                                    votes);
          // The series are wrong by up to 1e-3 of what they are applied to, which are changes of up to 3 voxels, in
          // each of 2 to 4 rounds of 25 or 40 steps, over some ten of which an error adds up.
          EXPECT_LT(LargestDifference(VersionOf(levels->GetFit(fit), version), expected), 0.04)
            << "fit " << fit << ", version " << version;
        }
      }
    });
  }
};

} // namespace

TEST_P(LabelLevels, FitsAgreeWithReference)
{
  this->ExpectFits({ 1.0, 1.0, 1.0 });
}

TEST_P(LabelLevels, FitsOfLongVoxelsAgreeWithReference)
{
  this->ExpectFits({ 1.0, 1.3, 2.1 });
}

TEST_P(LabelLevels, MixtureAgreesWithReference)
{
  const cudaneuro::LabelDomain label = MakeSmallLabel(this->GetContext(), { 1.0, 1.0, 1.2 });
  const reference::Splines     splines(label);
  const auto                   count = static_cast<std::size_t>(label.band.count);
  cudaneuro::RunDeviceJob(this->GetContext(), [&] {
    const auto levels = MakeLabelLevels(this->GetContext(), label);
    levels->Fit();
    levels->Judge();
    // The distances by level sets that do not know the label, and which labels judge.
    std::vector<std::vector<reference::Numbers>> distances;
    for (std::size_t fit = 0; fit < cudaneuro::numberOfFits; ++fit)
    {
      distances.emplace_back();
      for (int version = 0; version < cudaneuro::versions; ++version)
      {
        distances.back().push_back(
          reference::Distances(label.grid, label.band, VersionOf(levels->GetFit(fit), version)));
      }
    }
    std::vector<bool>   judges(count);
    cudaneuro::LossSums sums(cudaneuro::numberOfFits);
    const auto          found = levels->GetJudges();
    int                 numberOfJudges = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
      double nearest = HUGE_VAL;
      for (const std::size_t fit : { 3, 4, 5, 6 })
      {
        nearest = std::min(nearest, std::abs(distances[fit][0][i]));
      }
      judges[i] = (label.band.codes[i] & 2) != 0 && label.band.codes[i] / 4 > 0 && nearest < 1.6;
      numberOfJudges += judges[i] ? 1 : 0;
      EXPECT_EQ(found[i] != 0, judges[i]) << i;
    }
    EXPECT_GT(numberOfJudges, 50);
    const auto sideOf = [&](std::size_t i) { return (label.band.codes[i] & 1) != 0 ? 1.0 : -1.0; };
    for (std::size_t fit = 0; fit < sums.size(); ++fit)
    {
      for (std::size_t width = 0; width < sums[fit].size(); ++width)
      {
        for (std::size_t i = 0; i < count; ++i)
        {
          const std::size_t part = label.band.codes[i] / 4u;
          sums[fit][width] +=
            judges[i] ? reference::Loss(sideOf(i) * distances[fit][part][i], cudaneuro::judgingWidths[width]) : 0.0;
        }
        // Losses of single precision, of distances over widths of up to 60.
        EXPECT_NEAR(levels->SumLosses()[fit][width], sums[fit][width], 1e-4 * sums[fit][width]);
      }
    }
    const double width = cudaneuro::BestWidth(sums);
    ChooseFits(this->GetContext(), label, *levels);
    const reference::Matrix         pooling = splines.Pooling(6.0);
    std::vector<reference::Numbers> losses;
    const double                    factor = 4.0 / 3.0 * std::pow(2.0 * 3.14159265358979 * 36.0, 1.5) /
                          (label.grid.spacing[0] * label.grid.spacing[1] * label.grid.spacing[2]);
    for (std::size_t fit = 0; fit < cudaneuro::numberOfFits; ++fit)
    {
      reference::Numbers loss(count, 0.0);
      for (std::size_t i = 0; i < count; ++i)
      {
        const std::size_t part = label.band.codes[i] / 4u;
        loss[i] = judges[i] ? factor * reference::Loss(sideOf(i) * distances[fit][part][i], width) : 0.0;
      }
      losses.push_back(reference::Product(pooling, loss));
    }
    std::vector<reference::Numbers> weights(losses.size(), reference::Numbers(losses.front().size()));
    for (std::size_t node = 0; node < losses.front().size(); ++node)
    {
      double least = HUGE_VAL;
      double sum = 0.0;
      for (const auto & loss : losses)
      {
        least = std::min(least, loss[node]);
      }
      for (std::size_t fit = 0; fit < losses.size(); ++fit)
      {
        weights[fit][node] = std::exp(least - losses[fit][node]);
        sum += weights[fit][node];
      }
      for (auto & weight : weights)
      {
        weight[node] /= sum;
      }
    }
    reference::Numbers expected(count, 0.0);
    for (std::size_t fit = 0; fit < losses.size(); ++fit)
    {
      const reference::Numbers atVoxels = splines.AtVoxels(weights[fit]);
      const reference::Numbers level = VersionOf(levels->GetFit(fit), 0);
      for (std::size_t i = 0; i < count; ++i)
      {
        expected[i] += atVoxels[i] * level[i];
      }
    }
    // Pooled losses of some hundred, by 30 steps in single precision, are wrong by 0.01; differences of them make the
    // weights, by which level sets are mixed that are a voxel apart.
    EXPECT_LT(LargestDifference(VersionOf(levels->GetLevels(), 0), expected), 0.03);
  });
}

TEST_P(LabelLevels, LastStepAgreesWithReference)
{
  const cudaneuro::LabelDomain label = MakeSmallLabel(this->GetContext(), { 1.0, 1.0, 1.0 });
  const reference::Matrix      laplacian = reference::LaplacianOf(label.grid, label.band);
  const auto                   count = static_cast<std::size_t>(label.band.count);
  reference::Numbers           distances(count);
  reference::Numbers           votes(count);
  std::vector<float>           floatDistances(count);
  std::vector<float>           floatVotes(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    const std::array<int, 3> place = label.grid.IndexOf(label.band.voxels[i]);
    const Vector             center{ 0.5 * label.grid.extent.x, 0.5 * label.grid.extent.y, 0.5 * label.grid.extent.z };
    floatDistances[i] = static_cast<float>(2.4 - Distance({ 0.5 + place[0], 0.5 + place[1], 0.5 + place[2] }, center));
    floatVotes[i] = i % 5 == 0 ? 0.0f : 1.0f;
    distances[i] = floatDistances[i];
    votes[i] = floatVotes[i];
  }
  for (const float width : { 0.05f, 0.25f })
  {
    const cudaneuro::LabelFit last = cudaneuro::LastFit(width);
    EXPECT_EQ(last.width, width);
    const reference::Numbers expected =
      reference::Fitted(label.band, reference::Smoother(laplacian, last), last, 0, distances, votes);
    cudaneuro::RunDeviceJob(this->GetContext(), [&] {
      const auto               levels = MakeLabelLevels(this->GetContext(), label);
      const std::vector<float> change = levels->Correct(width, floatDistances, floatVotes);
      reference::Numbers       corrected(count);
      for (std::size_t i = 0; i < count; ++i)
      {
        corrected[i] = distances[i] + change[i];
      }
      // As for the fits.
      EXPECT_LT(LargestDifference(corrected, expected), 0.01);
      EXPECT_GT(LargestDifference(distances, expected), 0.05);
    });
  }
}

TEST_P(LabelLevels, PoolingAgreesWithReference)
{
  const cudaneuro::LabelDomain label = MakeSmallLabel(this->GetContext(), { 1.0, 1.0, 1.0 });
  const reference::Splines     splines(label);
  std::vector<float>           values(static_cast<std::size_t>(label.band.count), 0.0f);
  for (std::size_t i = 0; i < values.size(); i += 7)
  {
    values[i] = static_cast<float>(cudaneuro::RandomUniform(5, i));
  }
  const auto pooling = splines.Pooling(2.5);
  const auto expected = reference::Product(pooling, reference::Numbers(values.begin(), values.end()));
  cudaneuro::RunDeviceJob(this->GetContext(), [&] {
    const auto levels = MakeLabelLevels(this->GetContext(), label);
    const auto pooled = levels->Pool({ values, values, values, values, values }, 2.5);
    ASSERT_EQ(pooled.size(), 5u);
    for (const std::vector<float> & candidate : pooled)
    {
      // Single precision, over some 20 steps of a series.
      EXPECT_LT(LargestDifference(reference::Numbers(candidate.begin(), candidate.end()), expected), 1e-5);
      EXPECT_EQ(candidate, pooled[0]);
    }
    const auto pooledConstant = levels->Pool({ std::vector<float>(values.size(), 3.0f) }, 6.0);
    for (const float value : pooledConstant.front())
    {
      EXPECT_NEAR(value, 3.0f, 1e-4f);
    }
  });
}

CUDANEURO_TEST_ON_ALL_DEVICES(LabelLevels);

TEST(ChebyshevSeries, IsTheFunction)
{
  for (const double strength : { 4e-4, 0.4, 36.0, 6000.0 })
  {
    const std::vector<float> series = cudaneuro::PenaltyCoefficients(strength, 12.0, 1.0, 0, 1e-3);
    EXPECT_GE(series.size(), 3u);
    double largest = 0.0;
    for (int i = 0; i <= 100; ++i)
    {
      const double angle = 3.14159265358979323846 * i / 100;
      const double s = 6.0 * (1.0 - std::cos(angle));
      double       sum = 0.0;
      for (std::size_t k = 0; k < series.size(); ++k)
      {
        sum += series[k] * std::cos(static_cast<double>(k) * angle);
      }
      largest = std::max(largest, std::abs(sum - 1.0 / (1.0 + strength * s * s * s)));
    }
    // The tolerance, twice where the first coefficient is changed, and the rounding of the coefficients.
    EXPECT_LT(largest, 2.02e-3) << strength;
    EXPECT_NEAR(std::accumulate(series.begin(), series.end(), 0.0), 1.0, 1e-6) << strength;
  }
}
