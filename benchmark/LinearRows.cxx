// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Topics.h"

#include "data/LinearCase.h"
#include "core/CounterRandom.h"
#include "cudaneuro/LinearRegistration.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace cudaneuro::benchmark
{

namespace
{

/** Voxels along each axis of the images on the coarsest level of a search, and the number of maps that it tries. */
constexpr std::int64_t searchSide = 32;
constexpr std::size_t  searchMaps = 2000;

template <typename TValue>
[[noreturn]] void
ThrowWrong(const std::string & row, const std::string & what, const TValue & value)
{
  std::ostringstream message;
  message << "\"" << row << "\" has a wrong result: " << what << " " << value;
  throw std::runtime_error(message.str());
}

/** Returns the limit of reading both images \p times times. */
Limit
ReadingImages(const Size & size, double times)
{
  constexpr double bytesPerVoxel = 8.0;
  return CopyRate(bytesPerVoxel * VoxelsOf(size) * times);
}

AffineMap
Moved(const AffineMap & map, double x, double y, double z)
{
  AffineMap moved = map;
  moved.offset[0] += x;
  moved.offset[1] += y;
  moved.offset[2] += z;
  return moved;
}

/** Returns the motion of an affine registration: rotated, scaled, sheared and shifted. */
AffineMap
AffineMotion()
{
  AffineMap shape;
  shape.matrix = { 1.05, 0.02, 0.0, 0.0, 0.96, -0.03, 0.01, 0.0, 1.03 };
  return Moved(Compose(RotationBy(8.0, -6.0, 11.0), shape), 6.0, -4.0, 5.0);
}

/** Returns a motion that is far from all usual starts. */
AffineMap
LargeRotation()
{
  return Moved(RotationBy(140.0, 35.0, -110.0), 5.0, 8.0, -6.0);
}

/** Returns the map plus \p amount of a direction in which all of its entries change: 1 moves points of the head by
 * about 1 mm. */
AffineMap
Stepped(const AffineMap & map, double amount)
{
  AffineMap stepped = map;
  for (std::size_t i = 0; i < 9; ++i)
  {
    stepped.matrix[i] += amount * (i % 2 == 0 ? 0.006 : -0.004);
  }
  return Moved(stepped, 0.5 * amount, -0.4 * amount, 0.6 * amount);
}

/** Returns the derivative along the direction of Stepped. */
double
AlongSteps(const LinearMetricEvaluation & evaluation)
{
  const AffineMap from;
  const AffineMap to = Stepped(from, 1.0);
  double          sum = 0.0;
  for (std::size_t i = 0; i < 9; ++i)
  {
    sum += evaluation.derivativeByMatrix[i] * (to.matrix[i] - from.matrix[i]);
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    sum += evaluation.derivativeByOffset[axis] * (to.offset[axis] - from.offset[axis]);
  }
  return sum;
}

/** Checks a derivative against the central difference of values. */
void
RequireDerivative(const std::string & row, LinearMetric & metric, const LinearMetricEvaluation & evaluation)
{
  constexpr double step = 0.1; // a fraction of a voxel in which the derivative changes little
  // Maps that move little keep the smaller fixed image on the moving grid. The larger moving image loses voxels as it
  // moves, which the value includes and the derivative does not.
  const double tolerance = metric.GetParameters().useSymmetricMetric ? 0.2 : 0.05;

  std::vector<LinearMetricEvaluation> sides(2);
  sides[0].map = Stepped(evaluation.map, -step);
  sides[1].map = Stepped(evaluation.map, step);
  metric.Evaluate(sides, false);
  const double difference = (sides[1].value - sides[0].value) / (2.0 * step);
  const double derivative = AlongSteps(evaluation);
  if (!(std::abs(derivative - difference) <= tolerance * std::abs(difference)))
  {
    ThrowWrong(row, "a derivative over a difference of values is", derivative / difference);
  }
}

/** Returns the row of the value of one map and its derivative. */
Row
MetricRow(const Settings & settings, const Size & size, RegistrationMetric metricType, bool isSymmetric)
{
  LinearMetricParameters parameters;
  parameters.metric = metricType;
  parameters.useSymmetricMetric = isSymmetric;
  std::ostringstream text;
  text << "linear metric " << metricType << (isSymmetric ? ", symmetric" : "") << ", kernel";
  const std::string name = text.str();
  return { name, size, ReadingImages(size, isSymmetric ? 2.0 : 1.0), [=, &settings] {
            LinearCase   oneCase(settings.device, size, Moved(RotationBy(1.0, -0.5, 1.5), 1.0, -1.0, 0.5));
            LinearMetric metric(oneCase.GetContext(), parameters, oneCase.GetImages());
            std::vector<LinearMetricEvaluation> evaluations(1);
            evaluations[0].map = Stepped(oneCase.GetTrueMap(), 2.0);
            const double milliseconds =
              MedianOnDevice(settings.repetition, oneCase.GetContext(), [&] { metric.Evaluate(evaluations); });
            RequireDerivative(name, metric, evaluations[0]);
            return milliseconds;
          } };
}

/** Returns the row of the values of all maps that a search tries, one of which is the true one. */
Row
SearchRow(const Settings & settings)
{
  const std::string name = "linear metric MutualInformation, " + std::to_string(searchMaps) + " maps, call";
  const Size        size{ searchSide, searchSide, searchSide };
  return { name, size, ReadingImages(size, searchMaps), [=, &settings] {
            constexpr std::size_t trueIndex = searchMaps / 3;
            LinearCase            oneCase(settings.device, size, LargeRotation());
            LinearMetric          metric(oneCase.GetContext(), {}, oneCase.GetImages());

            std::vector<LinearMetricEvaluation> evaluations(searchMaps);
            for (std::size_t i = 0; i < searchMaps; ++i)
            {
              const auto angle = [i](std::uint64_t axis) { return 360.0 * RandomUniform(axis, i); };
              evaluations[i].map = RotationBy(angle(0), angle(1), angle(2));
              evaluations[i].map.offset = oneCase.GetTrueMap().offset;
            }
            evaluations[trueIndex].map = oneCase.GetTrueMap();
            const double milliseconds =
              MedianByTheClock(settings.repetition, [&] { metric.Evaluate(evaluations, false); });
            const auto best = std::min_element(
              evaluations.begin(), evaluations.end(), [](const auto & a, const auto & b) { return a.value < b.value; });
            if (best != evaluations.begin() + trueIndex)
            {
              ThrowWrong(name, "the best map is number", best - evaluations.begin());
            }
            return milliseconds;
          } };
}

/** Returns levels that leave 16 voxels along the shortest axis, or the unshrunk image. */
std::vector<RegistrationLevel>
LevelsOf(const Size & size)
{
  std::vector<RegistrationLevel> levels;
  for (const int factor : { 8, 4, 2, 1 })
  {
    if (*std::min_element(size.begin(), size.end()) / factor >= 16 || factor == 1)
    {
      levels.push_back({ { factor, factor, factor }, 100 });
    }
  }
  return levels;
}

/** Returns the row of a whole registration, with images on the device. */
Row
RegistrationRow(const Settings &                     settings,
                const std::string &                  name,
                const Size &                         size,
                const AffineMap &                    motion,
                const LinearRegistrationParameters & parameters)
{
  return {
    name,
    size,
    nullptr,
    [=, &settings] {
      LinearCase               oneCase(settings.device, size, motion);
      LinearRegistrationResult result;
      const double             milliseconds = MedianByTheClock(
        settings.repetition, [&] { result = RegisterLinearly(oneCase.GetContext(), parameters, oneCase.GetImages()); });
      // Edges are as wide as voxels. The wider they are, the less they restrain a map that makes the head, and so the
      // entropy of the moving image, a little larger. The minimum among affine maps was found 0.2 mm from the true map
      // at voxels of 1 mm, and its value was the better one.
      const double tolerance = 0.25 * std::max(1.0, std::pow(oneCase.GetVoxelSize(), 2.0));
      const double error = oneCase.ErrorOf(result.transform);
      if (!(error <= tolerance))
      {
        ThrowWrong(name, "the largest error in mm is", error);
      }
      return milliseconds;
    }
  };
}

/** Whether the images are sharp enough for results that can be checked. */
bool
IsLargeEnough(const Size & size)
{
  return *std::min_element(size.begin(), size.end()) >= 48;
}

} // namespace

Table
LinearRows(const Settings & settings)
{
  Table rows;
  for (const Size & size : settings.linearSizes)
  {
    if (!IsLargeEnough(size))
    {
      continue;
    }
    rows.push_back(MetricRow(settings, size, RegistrationMetric::MutualInformation, false));
    rows.push_back(MetricRow(settings, size, RegistrationMetric::MutualInformation, true));
    rows.push_back(MetricRow(settings, size, RegistrationMetric::MeanSquares, false));
    rows.push_back(MetricRow(settings, size, RegistrationMetric::LocalCorrelation, false));
    LinearRegistrationParameters parameters;
    parameters.levels = LevelsOf(size);
    rows.push_back(RegistrationRow(settings, "linear registration affine, call", size, AffineMotion(), parameters));
    parameters.transformType = LinearTransformType::Rigid;
    parameters.searchAngle = 180.0;
    rows.push_back(
      RegistrationRow(settings, "linear registration rigid, all rotations, call", size, LargeRotation(), parameters));
  }
  if (!settings.linearSizes.empty())
  {
    rows.push_back(SearchRow(settings));
  }
  return rows;
}

} // namespace cudaneuro::benchmark
