// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ReferenceInterpolation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace reference
{
namespace
{

/** The value of the basis, or the window, at a distance. */
double
SplineBasis(double x)
{
  x = std::abs(x);
  return x < 1.0 ? 2.0 / 3.0 - x * x + 0.5 * x * x * x : (x < 2.0 ? std::pow(2.0 - x, 3) / 6.0 : 0.0);
}

double
Sinc(double x)
{
  constexpr double pi = 3.14159265358979324;
  return x == 0.0 ? 1.0 : std::sin(pi * x) / (pi * x);
}

double
Lanczos(double x)
{
  return std::abs(x) < 3.0 ? Sinc(x) * Sinc(x / 3.0) : 0.0;
}

std::int64_t
Mirror(std::int64_t i, std::int64_t length)
{
  while (length > 1 && (i < 0 || i >= length))
  {
    i = i < 0 ? -i : 2 * (length - 1) - i;
  }
  return length > 1 ? i : 0;
}

std::int64_t
Clamp(std::int64_t i, std::int64_t length)
{
  return std::clamp<std::int64_t>(i, 0, length - 1);
}

/** The weights of a kernel along one axis, by voxels of the grid. */
std::map<std::int64_t, double>
LineWeights(double                                                          index,
            std::int64_t                                                    length,
            const std::function<double(double)> &                           kernel,
            const std::function<std::int64_t(std::int64_t, std::int64_t)> & place)
{
  std::map<std::int64_t, double> weights;
  double                         sum = 0.0;
  const auto                     base = static_cast<std::int64_t>(std::floor(index));
  for (std::int64_t i = base - 4; i <= base + 5; ++i)
  {
    const double weight = kernel(index - static_cast<double>(i));
    sum += weight;
    weights[place(i, length)] += weight;
  }
  for (auto & [voxel, weight] : weights)
  {
    weight /= sum;
  }
  return weights;
}

double
WeightedSum(const cudaneuro::Grid &                                         grid,
            const std::vector<double> &                                     values,
            const Point &                                                   index,
            const std::function<double(double)> &                           kernel,
            const std::function<std::int64_t(std::int64_t, std::int64_t)> & place)
{
  std::array<std::map<std::int64_t, double>, 3> weights;
  for (int axis = 0; axis < 3; ++axis)
  {
    weights[axis] = LineWeights(index[axis], grid.size[axis], kernel, place);
  }
  double sum = 0.0;
  for (const auto & [z, weightZ] : weights[2])
  {
    for (const auto & [y, weightY] : weights[1])
    {
      for (const auto & [x, weightX] : weights[0])
      {
        const double value = values[static_cast<std::size_t>((z * grid.size[1] + y) * grid.size[0] + x)];
        sum += weightX * weightY * weightZ == 0.0 ? 0.0 : weightX * weightY * weightZ * value;
      }
    }
  }
  return sum;
}

/** Solves (c[i - 1] + 4 c[i] + c[i + 1]) / 6 = value[i] with mirrored ends, by elimination. */
std::vector<double>
SolvedLine(const std::vector<double> & values)
{
  const std::size_t n = values.size();
  if (n == 1)
  {
    return values;
  }
  std::vector<double> factors(n);
  std::vector<double> result(n);
  for (std::size_t i = 0; i < n; ++i)
  {
    const double before = i == 0 ? 0.0 : (i == n - 1 ? 2.0 : 1.0);
    const double behind = i == 0 ? 2.0 : 1.0;
    const double pivot = 4.0 - (i == 0 ? 0.0 : before * factors[i - 1]);
    factors[i] = behind / pivot;
    result[i] = (6.0 * values[i] - (i == 0 ? 0.0 : before * result[i - 1])) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 0;)
  {
    result[i] -= factors[i] * result[i + 1];
  }
  return result;
}

} // namespace

std::vector<double>
SplineCoefficients(const cudaneuro::Grid & grid, const std::vector<double> & values)
{
  std::vector<double> result = values;
  std::size_t         stride = 1;
  for (int axis = 0; axis < 3; ++axis)
  {
    const auto length = static_cast<std::size_t>(grid.size[axis]);
    for (std::size_t i = 0; i < result.size(); ++i)
    {
      if (i / stride % length == 0)
      {
        std::vector<double> line(length);
        for (std::size_t k = 0; k < length; ++k)
        {
          line[k] = result[i + k * stride];
        }
        line = SolvedLine(line);
        for (std::size_t k = 0; k < length; ++k)
        {
          result[i + k * stride] = line[k];
        }
      }
    }
    stride *= length;
  }
  return result;
}

double
SplineAt(const cudaneuro::Grid & grid, const std::vector<double> & coefficients, const Point & index)
{
  return WeightedSum(grid, coefficients, index, SplineBasis, Mirror);
}

double
WindowedSincAt(const cudaneuro::Grid & grid, const std::vector<double> & values, const Point & index)
{
  return WeightedSum(grid, values, index, Lanczos, Clamp);
}

std::vector<std::pair<double, double>>
LabelWeights(const cudaneuro::Grid &            grid,
             const std::vector<double> &        labels,
             const std::vector<unsigned char> & mask,
             const Point &                      index)
{
  const std::vector<double> whole =
    mask.empty() ? std::vector<double>(labels.size(), 1.0) : std::vector<double>(mask.begin(), mask.end());
  std::map<double, double> votes;
  const auto               linear = [](double x) { return std::max(0.0, 1.0 - std::abs(x)); };
  std::vector<double>      isLabel(labels.size());
  std::map<double, bool>   all;
  for (std::size_t i = 0; i < labels.size(); ++i)
  {
    if (!std::isnan(labels[i]) && whole[i] != 0.0)
    {
      all[labels[i]] = true;
    }
  }
  for (const auto & [label, is] : all)
  {
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
      isLabel[i] = labels[i] == label && whole[i] != 0.0 ? 1.0 : 0.0;
    }
    const double weight = WeightedSum(grid, isLabel, index, linear, Clamp);
    if (weight > 0.0)
    {
      votes[label] = weight;
    }
  }
  std::vector<std::pair<double, double>> result;
  for (const auto & [label, weight] : votes)
  {
    result.emplace_back(weight, label);
  }
  std::stable_sort(result.begin(), result.end(), [](const auto & a, const auto & b) { return a.first > b.first; });
  return result;
}

std::vector<double>
FilledRows(const cudaneuro::Grid & grid, std::vector<double> values)
{
  const auto length = static_cast<std::size_t>(grid.size[0]);
  for (std::size_t row = 0; row < values.size(); row += length)
  {
    for (std::size_t x = 0; x < length; ++x)
    {
      if (!std::isfinite(values[row + x]))
      {
        const auto   end = values.begin() + static_cast<std::ptrdiff_t>(row + length);
        const auto   here = values.begin() + static_cast<std::ptrdiff_t>(row + x);
        const auto   found = std::find_if(here, end, [](double value) { return std::isfinite(value); });
        const double after = found == end ? 0.0 : *found;
        values[row + x] = x > 0 ? values[row + x - 1] : after;
      }
    }
  }
  return values;
}

} // namespace reference
