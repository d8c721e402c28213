// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Synthetic populations: maps that do not fold, centered on the template, and the same bits everywhere.

#include "DeviceTest.h"
#include "atlas/checkpoints/Checksum.h"
#include "cudaneuro/DisplacementField.h"
#include "cudaneuro/SyntheticPopulation.h"

#include <algorithm>
#include <cmath>

namespace
{

using cudaneuro::Geometry;
using cudaneuro::SyntheticPopulation;
using cudaneuro::SyntheticPopulationParameters;

/** An oblique grid with unequal spacing. */
Geometry
MakeGeometry(const std::array<std::int64_t, 3> & size, double spacing)
{
  Geometry geometry;
  geometry.grid.size = size;
  geometry.grid.spacing = { spacing, 1.1 * spacing, size[2] > 1 ? 0.9 * spacing : 1.0 };
  geometry.origin = { 10.0, -20.0, size[2] > 1 ? 30.0 : 0.0 };
  geometry.direction = { 0.8, -0.6, 0.0, 0.6, 0.8, 0.0, 0.0, 0.0, 1.0 };
  return geometry;
}

Geometry
Volume()
{
  return MakeGeometry({ 48, 44, 40 }, 4.0);
}

Geometry
Slice()
{
  return MakeGeometry({ 96, 80, 1 }, 2.0);
}

struct SyntheticImage
{
  std::vector<float> values;
  std::vector<float> displacement;
};

unsigned int
ComponentsOf(const Geometry & geometry)
{
  return geometry.grid.size[2] == 1 ? 2 : 3;
}

class Synthetic : public ::testing::Test
{
protected:
  SyntheticImage
  Image(const Geometry & geometry, const SyntheticPopulationParameters & parameters, int index)
  {
    const auto     voxels = static_cast<std::size_t>(geometry.grid.NumberOfVoxels());
    SyntheticImage image{ std::vector<float>(voxels), std::vector<float>(voxels * ComponentsOf(geometry)) };
    SyntheticPopulation(geometry, parameters)
      .WriteImage(m_Context, index, image.values.data(), image.displacement.data());
    return image;
  }

  std::vector<float>
  Template(const Geometry & geometry, const SyntheticPopulationParameters & parameters = {})
  {
    std::vector<float> values(geometry.grid.NumberOfVoxels());
    SyntheticPopulation(geometry, parameters).WriteTemplate(m_Context, values.data());
    return values;
  }

  /** The root of the mean square over the images of the displacements' length in the middle of the grid, and that of
   * the images' mean displacement over the whole grid, in mm. */
  struct Lengths
  {
    double inTheMiddle;
    double ofTheMean;
  };
  Lengths
  MeasureLengths(const Geometry & geometry, const SyntheticPopulationParameters & parameters);

  cudaneuro::Context m_Context{ cudaneuro::Device() };
};

Synthetic::Lengths
Synthetic::MeasureLengths(const Geometry & geometry, const SyntheticPopulationParameters & parameters)
{
  const auto &        size = geometry.grid.size;
  const unsigned int  components = ComponentsOf(geometry);
  const auto          voxels = static_cast<std::size_t>(geometry.grid.NumberOfVoxels());
  std::vector<double> mean(voxels * components);
  double              squares = 0.0;
  double              count = 0.0;
  const auto          isMiddle = [&size](std::int64_t i, int axis) {
    return size[axis] == 1 || (i >= size[axis] / 3 && i < 2 * size[axis] / 3);
  };
  for (int index = 0; index < parameters.numberOfImages; ++index)
  {
    const std::vector<float> displacement = this->Image(geometry, parameters, index).displacement;
    for (std::size_t i = 0; i < displacement.size(); ++i)
    {
      const double       value = displacement[i];
      const std::int64_t voxel = static_cast<std::int64_t>(i) / components;
      mean[i] += value / parameters.numberOfImages;
      if (isMiddle(voxel % size[0], 0) && isMiddle(voxel / size[0] % size[1], 1) &&
          isMiddle(voxel / (size[0] * size[1]), 2))
      {
        squares += value * value;
        count += 1.0 / components;
      }
    }
  }
  double squaresOfMean = 0.0;
  for (const double value : mean)
  {
    squaresOfMean += value * value;
  }
  return { std::sqrt(squares / count), std::sqrt(squaresOfMean / static_cast<double>(voxels)) };
}

SyntheticPopulationParameters
Parameters(double displacement, double smoothness, double noise)
{
  SyntheticPopulationParameters parameters;
  parameters.numberOfImages = 8;
  parameters.displacement = displacement;
  parameters.smoothness = smoothness;
  parameters.noise = noise;
  return parameters;
}

} // namespace

/** The template uses the range of intensities, and its background is 0. */
TEST_F(Synthetic, Template)
{
  for (const Geometry & geometry : { Volume(), Slice() })
  {
    const std::vector<float> values = this->Template(geometry);
    EXPECT_EQ(values.front(), 0.0f);
    EXPECT_EQ(values.back(), 0.0f);
    EXPECT_EQ(*std::min_element(values.begin(), values.end()), 0.0f);
    const float largest = *std::max_element(values.begin(), values.end());
    EXPECT_LE(largest, 1.0f);
    EXPECT_GE(largest, 0.85f);
    // Gray and white matter together fill a good part of the grid.
    const auto bright = std::count_if(values.begin(), values.end(), [](float value) { return value > 0.5f; });
    EXPECT_GT(static_cast<double>(bright), 0.1 * static_cast<double>(values.size()));
  }
}

/** Also where displacements are as long as their scale, the most that is allowed. */
TEST_F(Synthetic, MapsDoNotFold)
{
  for (const Geometry & geometry : { Volume(), Slice() })
  {
    for (const double displacement : { 5.0, 30.0 })
    {
      const auto parameters = Parameters(displacement, std::max(15.0, displacement), 0.0);
      for (int index = 0; index < parameters.numberOfImages; ++index)
      {
        const SyntheticImage            image = this->Image(geometry, parameters, index);
        const cudaneuro::JacobianResult jacobian = DisplacementFieldJacobianDeterminant(
          m_Context, geometry, { image.displacement.data(), ComponentsOf(geometry), cudaneuro::MemorySpace::Host }, {});
        EXPECT_GT(jacobian.minimum, 0.0) << displacement << " mm, image " << index;
        EXPECT_EQ(jacobian.numberOfFoldedVoxels, 0);
      }
    }
  }
}

/** Displacements have the length asked for. Their mean is of second order: with maps that were not centered it would be
 * the length over the root of 8, 35 %. */
TEST_F(Synthetic, TheTemplateIsTheCenter)
{
  for (const Geometry & geometry : { Volume(), Slice() })
  {
    for (const double displacement : { 0.2, 4.0 })
    {
      const Lengths lengths = this->MeasureLengths(geometry, Parameters(displacement, 15.0, 0.0));
      // Between 1 and 3 scales of the noise are in the middle, times 8 images: a sample of some dozens.
      EXPECT_NEAR(lengths.inTheMiddle, displacement, 0.25 * displacement);
      EXPECT_LT(lengths.ofTheMean, displacement * displacement / 15.0) << displacement;
      EXPECT_LT(lengths.ofTheMean, 0.1 * displacement) << displacement;
    }
  }
}

/** The image is the template at p + displacement(p), as WarpImage has it. */
TEST_F(Synthetic, DisplacementsTellWhereTheImageComesFrom)
{
  for (const Geometry & geometry : { Volume(), Slice() })
  {
    const auto               parameters = Parameters(6.0, 15.0, 0.0);
    const SyntheticImage     image = this->Image(geometry, parameters, 3);
    const std::vector<float> original = this->Template(geometry);
    std::vector<float>       warped(original.size());
    WarpImage(m_Context,
              {},
              geometry,
              ConstView(original),
              {},
              geometry,
              {},
              { image.displacement.data(), ComponentsOf(geometry), cudaneuro::MemorySpace::Host },
              View(warped));
    double error = 0.0;
    double change = 0.0;
    for (std::size_t i = 0; i < warped.size(); ++i)
    {
      error += std::abs(warped[i] - image.values[i]) / static_cast<double>(warped.size());
      change += std::abs(original[i] - image.values[i]) / static_cast<double>(warped.size());
    }
    // Linear interpolation between edges that are two voxels wide errs by some hundredths at the edges.
    EXPECT_LT(error, 0.01);
    EXPECT_GT(change, 4.0 * error);
  }
}

/** Without displacements, what is left is noise: mean, standard deviation and tails of a normal distribution. */
TEST_F(Synthetic, NoiseIsNormal)
{
  constexpr double         sigma = 0.05;
  const std::vector<float> original = this->Template(Volume());
  const std::vector<float> values = this->Image(Volume(), Parameters(0.0, 15.0, sigma), 2).values;
  const double             count = static_cast<double>(values.size());
  std::array<double, 5>    moments{};
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    const double noise = (static_cast<double>(values[i]) - original[i]) / sigma;
    for (int power = 1; power <= 4; ++power)
    {
      moments[power] += std::pow(noise, power) / count;
    }
  }
  // Five standard deviations of the moments of as many normal numbers: variances 1, 2, 15 and 96 over the count.
  EXPECT_NEAR(moments[1], 0.0, 5.0 * std::sqrt(1.0 / count));
  EXPECT_NEAR(moments[2], 1.0, 5.0 * std::sqrt(2.0 / count));
  EXPECT_NEAR(moments[3], 0.0, 5.0 * std::sqrt(15.0 / count));
  EXPECT_NEAR(moments[4], 3.0, 5.0 * std::sqrt(96.0 / count));
}

/** The same bits on every machine and with every number of threads, and others with another seed or image. */
TEST_F(Synthetic, IsRepeatable)
{
  const auto checksum = [](const std::vector<float> & values) {
    return cudaneuro::Checksum(values.data(), values.size() * sizeof(float));
  };
  auto                 parameters = Parameters(5.0, 15.0, 0.02);
  const SyntheticImage image = this->Image(Volume(), parameters, 1);
  m_Context.SetNumberOfThreads(1);
  EXPECT_EQ(this->Image(Volume(), parameters, 1).values, image.values);
  // From a run on x86-64.
  EXPECT_EQ(checksum(this->Template(Volume())), 0xc0f9a9fe46a25757ULL);
  EXPECT_EQ(checksum(image.values), 0xd40567b22356a01aULL);
  EXPECT_EQ(checksum(image.displacement), 0x28c80e9428918bf4ULL);
  EXPECT_NE(this->Image(Volume(), parameters, 2).values, image.values);
  parameters.seed = 2;
  EXPECT_NE(this->Image(Volume(), parameters, 1).displacement, image.displacement);
  EXPECT_NE(this->Image(Volume(), parameters, 1).values, image.values);
}

TEST_F(Synthetic, RefusesParameters)
{
  const auto refuse =
    [](const SyntheticPopulationParameters & parameters, const std::string & name, const std::string & value) {
      ExpectInvalidParameter([&] { SyntheticPopulation(Volume(), parameters); }, name, value);
    };
  auto parameters = Parameters(1.0, 15.0, 0.0);
  parameters.numberOfImages = 1;
  refuse(parameters, "NumberOfImages", "1");
  refuse(Parameters(-1.0, 15.0, 0.0), "Displacement", "-1");
  refuse(Parameters(15.5, 15.0, 0.0), "Displacement", "15.5");
  // The largest spacing is 4.4.
  refuse(Parameters(1.0, 4.0, 0.0), "Smoothness", "4");
  refuse(Parameters(1.0, 15.0, -0.5), "Noise", "-0.5");
  const SyntheticPopulation population(Volume(), Parameters(1.0, 15.0, 0.0));
  for (const int index : { -1, 8 })
  {
    ExpectInvalidParameter(
      [&] { population.WriteImage(m_Context, index, nullptr, nullptr); }, "index", std::to_string(index));
  }
}
