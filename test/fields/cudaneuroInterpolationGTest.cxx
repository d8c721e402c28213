// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "FieldTestCases.h"
#include "ReferenceInterpolation.h"

#include <functional>
#include <sstream>

namespace
{

using namespace fieldtests;
using cudaneuro::Interpolation;

constexpr Interpolation wide[] = { Interpolation::CubicBSpline, Interpolation::WindowedSinc };
constexpr float         notANumber = std::numeric_limits<float>::quiet_NaN();

class InterpolationTest : public DeviceTest
{
protected:
  /** The image at the voxels of another grid, by a map and a field that may be empty. */
  std::vector<float>
  Warped(Interpolation                      interpolation,
         const cudaneuro::Geometry &        inputGeometry,
         const std::vector<float> &         input,
         const cudaneuro::Geometry &        outputGeometry,
         const cudaneuro::AffineMap &       map = {},
         const std::vector<float> &         field = {},
         const std::vector<unsigned char> & mask = {})
  {
    cudaneuro::WarpParameters parameters;
    parameters.interpolation = interpolation;
    parameters.edgePaddingValue = background;
    std::vector<float> output(static_cast<std::size_t>(outputGeometry.grid.NumberOfVoxels()), notANumber);
    cudaneuro::WarpImage(this->GetContext(),
                         parameters,
                         inputGeometry,
                         ConstView(input),
                         ConstView(mask),
                         outputGeometry,
                         map,
                         ConstFieldView(field),
                         View(output));
    return output;
  }

  static constexpr double background = -3.25;
};

/** Calls body(index on the input grid, voxel of the output) where there is an input. */
void
ForMappedVoxels(const cudaneuro::Geometry &                                        inputGeometry,
                const cudaneuro::Geometry &                                        outputGeometry,
                const cudaneuro::AffineMap &                                       map,
                const std::vector<double> &                                        field,
                const std::function<void(const reference::Point &, std::size_t)> & body)
{
  reference::ForAllVoxels(outputGeometry.grid, [&](const reference::Point & voxel, std::size_t i) {
    reference::Point point = reference::PointOfIndex(outputGeometry, voxel);
    for (int axis = 0; axis < 3 && !field.empty(); ++axis)
    {
      point[axis] += field[3 * i + axis];
    }
    const reference::Point index = reference::IndexOfPoint(inputGeometry, reference::Apply(map, point));
    if (reference::IsInside(inputGeometry.grid, index))
    {
      body(index, i);
    }
  });
}

struct Sizes
{
  std::array<std::int64_t, 3> input;
  std::array<std::int64_t, 3> output;
};

/** Longer and shorter than parts of lines on a GPU, with axes of one voxel, and of two. */
const Sizes allSizes[] = { { { 19, 23, 17 }, { 37, 11, 13 } }, { { 3, 2, 5 }, { 9, 7, 6 } },
                           { { 21, 18, 1 }, { 35, 9, 1 } },    { { 1, 12, 7 }, { 9, 1, 6 } },
                           { { 1, 1, 1 }, { 1, 1, 1 } },       { { 141, 5, 4 }, { 60, 6, 5 } },
                           { { 5, 301, 3 }, { 6, 60, 4 } },    { { 34, 3, 75 }, { 9, 4, 60 } } };

TEST_P(InterpolationTest, AgreesWithReference)
{
  // Float has 6e-8 of values of 1100; splines multiply that by 27 at most, and positions of up to 10 voxels have 6e-7,
  // of slopes up to 3000 a voxel between the bars of the phantom.
  constexpr double tolerance = 3e-6 * 1000.0;
  for (const Sizes & sizes : allSizes)
  {
    const cudaneuro::Geometry input = ObliqueGeometry(sizes.input, 0.3);
    const cudaneuro::Geometry output = ObliqueGeometry(sizes.output, -0.2);
    const std::vector<float>  image = testvolumes::NoisyPhantom(input.grid);
    const std::vector<double> values = ToDouble(image);
    const std::vector<double> coefficients = reference::SplineCoefficients(input.grid, values);
    for (const bool hasField : { false, true })
    {
      const std::vector<double> field = hasField ? WavyField(output, 3.0) : std::vector<double>();
      for (const Interpolation interpolation : wide)
      {
        const std::vector<float> result =
          this->Warped(interpolation, input, image, output, SmallAffineMap(), ToFloat(field));
        std::vector<double> expected(result.size(), background);
        ForMappedVoxels(input, output, SmallAffineMap(), field, [&](const reference::Point & index, std::size_t i) {
          expected[i] = interpolation == Interpolation::CubicBSpline
                          ? reference::SplineAt(input.grid, coefficients, index)
                          : reference::WindowedSincAt(input.grid, values, index);
        });
        EXPECT_LE(LargestDifference(result, expected), tolerance)
          << interpolation << " of " << sizes.input[0] << " x " << sizes.input[1] << " x " << sizes.input[2]
          << ", field " << hasField;
      }
    }
  }
}

TEST_P(InterpolationTest, LabelsAgreeWithReference)
{
  // Rows within a piece of the CPU's vectors, and longer than two.
  const Sizes sizesOfLabels[] = { { { 11, 9, 7 }, { 16, 13, 11 } }, { { 141, 5, 4 }, { 150, 6, 5 } } };
  for (const Sizes & sizes : sizesOfLabels)
  {
    const cudaneuro::Geometry input = ObliqueGeometry(sizes.input, 0.3);
    const cudaneuro::Geometry output = ObliqueGeometry(sizes.output, -0.2);
    std::vector<float>        labels(static_cast<std::size_t>(input.grid.NumberOfVoxels()));
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
      labels[i] = std::floor(4.0f * static_cast<float>(testvolumes::UniformNoise(5, i))) - 1.0f;
    }
    labels[100] = 16777216.0f;
    labels[200] = notANumber;
    const std::vector<double> field = WavyField(output, 1.5);
    for (const bool hasMask : { false, true })
    {
      const std::vector<unsigned char> mask =
        hasMask ? testvolumes::BallMask(input.grid) : std::vector<unsigned char>();
      const std::vector<float> result =
        this->Warped(Interpolation::Label, input, labels, output, SmallAffineMap(), ToFloat(field), mask);
      std::vector<double> expected(result.size(), background);
      std::vector<bool>   isTie(result.size());
      ForMappedVoxels(input, output, SmallAffineMap(), field, [&](const reference::Point & index, std::size_t i) {
        const auto weights = reference::LabelWeights(input.grid, ToDouble(labels), mask, index);
        expected[i] = weights.empty() ? background : weights[0].second;
        // What rounding decides; where the smallest is to win has a test of its own.
        isTie[i] = weights.size() > 1 && weights[0].first - weights[1].first < 1e-4;
      });
      std::size_t different = 0;
      std::size_t found = 0;
      for (std::size_t i = 0; i < result.size(); ++i)
      {
        different += !isTie[i] && static_cast<double>(result[i]) != expected[i] ? 1 : 0;
        found += expected[i] != background ? 1 : 0;
      }
      EXPECT_EQ(different, 0u) << "mask " << hasMask;
      EXPECT_GT(found, result.size() / 20);
      EXPECT_LE(std::count(isTie.begin(), isTie.end(), true), 3);
    }
  }
}

TEST_P(InterpolationTest, OfEqualLabelsItIsTheSmallest)
{
  cudaneuro::Geometry input = AlignedGeometry({ 4, 1, 1 });
  cudaneuro::Geometry half = input;
  half.origin[0] = 0.5;
  const auto moved = [&](const std::vector<float> & labels) {
    return this->Warped(Interpolation::Label, input, labels, half);
  };
  EXPECT_EQ(moved({ 7.0f, 3.0f, 9.0f, 9.0f }), (std::vector<float>{ 3.0f, 3.0f, 9.0f, -3.25f }));
  EXPECT_EQ(moved({ -2.0f, -5.0f, 0.0f, 1.0f }), (std::vector<float>{ -5.0f, -5.0f, 0.0f, -3.25f }));
  // Two of one label in a cell outweigh each other label.
  input = AlignedGeometry({ 2, 2, 1 });
  cudaneuro::Geometry middle = AlignedGeometry({ 1, 1, 1 });
  middle.origin = { 0.5, 0.5, 0.0 };
  EXPECT_EQ(this->Warped(Interpolation::Label, input, { 1.0f, 4.0f, 4.0f, 2.0f }, middle), std::vector<float>{ 4.0f });
}

TEST_P(InterpolationTest, VoxelsKeepTheirValues)
{
  const auto               geometry = AlignedGeometry({ 34, 17, 40 });
  const std::vector<float> image = testvolumes::NoisyPhantom(geometry.grid);
  EXPECT_TRUE(IsSameBits(this->Warped(Interpolation::WindowedSinc, geometry, image, geometry), image));
  EXPECT_TRUE(IsSameBits(this->Warped(Interpolation::Label, geometry, image, geometry), image));
  // 6e-8 of 1100, at most 27 times as much after three filters.
  EXPECT_LE(LargestDifference(this->Warped(Interpolation::CubicBSpline, geometry, image, geometry), image), 1e-3);
}

TEST_P(InterpolationTest, ConstantImagesStayConstant)
{
  const cudaneuro::Geometry input = ObliqueGeometry({ 37, 45, 18 }, 0.3);
  const cudaneuro::Geometry output = ObliqueGeometry({ 40, 40, 20 }, -0.2);
  const std::vector<float>  image(static_cast<std::size_t>(input.grid.NumberOfVoxels()), 123.0f);
  const std::vector<float>  field = ToFloat(WavyField(output, 2.0));
  for (const Interpolation interpolation : wide)
  {
    std::size_t inside = 0;
    for (const float value : this->Warped(interpolation, input, image, output, SmallAffineMap(), field))
    {
      if (value != static_cast<float>(background))
      {
        ++inside;
        // Some units in the last place, of filters and of sums of weights.
        EXPECT_NEAR(value, 123.0, 123.0 * 1e-6) << interpolation;
      }
    }
    EXPECT_GT(inside, 10000u);
  }
}

TEST_P(InterpolationTest, SplinesReproduceCubics)
{
  const cudaneuro::Geometry input = AlignedGeometry({ 44, 43, 42 });
  const auto                cubic = [](const reference::Point & p) {
    const double x = (p[0] - 21.0) / 4.0;
    const double y = (p[1] - 21.0) / 4.0;
    const double z = (p[2] - 21.0) / 4.0;
    return 0.3 * x * x * x - x * x + 0.5 * y * y * y * (1.0 + x) + z * z * z - 0.7 * z * z * y + 2.0;
  };
  std::vector<float> image(static_cast<std::size_t>(input.grid.NumberOfVoxels()));
  reference::ForAllVoxels(
    input.grid, [&](const reference::Point & voxel, std::size_t i) { image[i] = static_cast<float>(cubic(voxel)); });
  // The middle, where ends, which are 17 voxels away, count for 2e-10 of the slopes there.
  cudaneuro::Geometry output = AlignedGeometry({ 21, 21, 21 });
  output.grid.spacing = { 0.37, 0.37, 0.37 };
  output.origin = { 17.3, 17.4, 17.5 };
  std::vector<double> expected(static_cast<std::size_t>(output.grid.NumberOfVoxels()));
  reference::ForAllVoxels(output.grid, [&](const reference::Point & voxel, std::size_t i) {
    expected[i] = cubic(reference::PointOfIndex(output, voxel));
  });
  // Values of the cells are up to 6, those within the filters' reach up to 200.
  EXPECT_LE(LargestDifference(this->Warped(Interpolation::CubicBSpline, input, image, output), expected), 1e-5);
}

TEST_P(InterpolationTest, VoxelsThatAreNotFiniteDoNotSpread)
{
  const cudaneuro::Geometry input = ObliqueGeometry({ 39, 23, 17 }, 0.3);
  const cudaneuro::Geometry output = ObliqueGeometry({ 37, 21, 13 }, -0.2);
  std::vector<float>        image = testvolumes::NoisyPhantom(input.grid);
  testvolumes::SprinkleNotFinite(image, 300);
  std::fill_n(image.begin() + 39 * 100, 39, notANumber); // a whole row
  const std::vector<double> filled = reference::FilledRows(input.grid, ToDouble(image));
  const std::vector<double> coefficients = reference::SplineCoefficients(input.grid, filled);
  const std::vector<float>  linear = this->Warped(Interpolation::Linear, input, image, output, SmallAffineMap());
  for (const Interpolation interpolation : wide)
  {
    std::vector<float>  result = this->Warped(interpolation, input, image, output, SmallAffineMap());
    std::vector<double> expected(result.size(), background);
    ForMappedVoxels(input, output, SmallAffineMap(), {}, [&](const reference::Point & index, std::size_t i) {
      expected[i] = interpolation == Interpolation::CubicBSpline ? reference::SplineAt(input.grid, coefficients, index)
                                                                 : reference::WindowedSincAt(input.grid, filled, index);
    });
    std::size_t notFinite = 0;
    for (std::size_t i = 0; i < result.size(); ++i)
    {
      EXPECT_EQ(std::isfinite(result[i]), std::isfinite(linear[i]));
      if (!std::isfinite(linear[i]))
      {
        ++notFinite;
        result[i] = 0.0f;
        expected[i] = 0.0;
      }
    }
    EXPECT_GT(notFinite, 50u);
    EXPECT_LE(LargestDifference(result, expected), 3e-6 * 1000.0) << interpolation; // as AgreesWithReference
  }
}

TEST_P(InterpolationTest, FieldsOfTwoComponentsAreThoseOfThree)
{
  const cudaneuro::Geometry geometry = AlignedGeometry({ 31, 26, 1 });
  const std::vector<float>  three = ToFloat(FlatField(WavyField(geometry, 2.0)));
  const std::vector<float>  two = WithoutThirdComponent(three);
  const std::vector<float>  image = testvolumes::NoisyPhantom(geometry.grid);
  for (const Interpolation interpolation : cudaneuro::ValuesOf<Interpolation>())
  {
    std::vector<float> warped[2] = { image, image };
    int                i = 0;
    for (const cudaneuro::ConstField & view : { ConstFieldView(three), ConstFieldView(two, 2) })
    {
      cudaneuro::WarpImage(this->GetContext(),
                           { interpolation, 0.0 },
                           geometry,
                           ConstView(image),
                           {},
                           geometry,
                           {},
                           view,
                           View(warped[i++]));
    }
    EXPECT_TRUE(IsSameBits(warped[0], warped[1])) << interpolation;
  }
}

TEST_P(InterpolationTest, RefusesMasksAndNames)
{
  const cudaneuro::Geometry        geometry = AlignedGeometry({ 4, 3, 2 });
  const std::vector<float>         image(24);
  const std::vector<unsigned char> mask(24, 1);
  for (const Interpolation interpolation : wide)
  {
    std::ostringstream name;
    name << interpolation;
    ExpectInvalidParameter(
      [&] { this->Warped(interpolation, geometry, image, geometry, {}, {}, mask); }, "Interpolation", name.str());
  }
  Interpolation interpolation = Interpolation::Linear;
  EXPECT_THROW(cudaneuro::FromName("cubic", interpolation), cudaneuro::InvalidParameterError);
  cudaneuro::FromName("CubicBSpline", interpolation);
  EXPECT_EQ(interpolation, Interpolation::CubicBSpline);
  ExpectInvalidParameter([&] { this->Warped(static_cast<Interpolation>(9), geometry, image, geometry); },
                         "Interpolation",
                         "(unknown interpolation 9)");
}

CUDANEURO_TEST_ON_ALL_DEVICES(InterpolationTest);

} // namespace
