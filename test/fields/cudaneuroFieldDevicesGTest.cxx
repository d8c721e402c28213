// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "FieldTestCases.h"

#include <functional>

namespace
{

using namespace fieldtests;

/** The results of all functions on displacement fields in one case. */
struct Results
{
  std::vector<float>         warped;
  std::vector<float>         masked;
  std::vector<float>         nearest;
  std::vector<float>         cubic;
  std::vector<float>         sinc;
  std::vector<float>         label;
  std::vector<float>         composed;
  std::vector<float>         inverse;
  std::vector<float>         determinants;
  cudaneuro::InversionResult inversion;
  cudaneuro::JacobianResult  jacobian;
};

Results
ComputeAll(cudaneuro::Context & context)
{
  const cudaneuro::Geometry        geometry = ObliqueGeometry({ 67, 45, 38 }, 0.3);
  const cudaneuro::Geometry        other = ObliqueGeometry({ 51, 58, 33 }, -0.2);
  const std::vector<float>         image = testvolumes::NoisyPhantom(other.grid);
  const std::vector<unsigned char> mask = testvolumes::BallMask(other.grid);
  const std::vector<float>         field = ToFloat(FadingField(geometry, 5.0));
  const std::vector<float>         otherField = ToFloat(WavyField(other, 3.0));
  const std::size_t                voxels = field.size() / 3;

  Results    results{ std::vector<float>(voxels),
                   std::vector<float>(voxels),
                   std::vector<float>(voxels),
                   std::vector<float>(voxels),
                   std::vector<float>(voxels),
                   std::vector<float>(voxels),
                   std::vector<float>(field.size()),
                   std::vector<float>(field.size()),
                   std::vector<float>(voxels),
                   {},
                   {} };
  const auto warp =
    [&](const cudaneuro::ConstVolume & maskView, cudaneuro::Interpolation interpolation, std::vector<float> & output) {
      cudaneuro::WarpParameters parameters;
      parameters.interpolation = interpolation;
      cudaneuro::WarpImage(context,
                           parameters,
                           other,
                           ConstView(image),
                           maskView,
                           geometry,
                           SmallAffineMap(),
                           ConstFieldView(field),
                           View(output));
    };
  warp({}, cudaneuro::Interpolation::Linear, results.warped);
  warp(ConstView(mask), cudaneuro::Interpolation::Linear, results.masked);
  warp(ConstView(mask), cudaneuro::Interpolation::Nearest, results.nearest);
  warp({}, cudaneuro::Interpolation::CubicBSpline, results.cubic);
  warp({}, cudaneuro::Interpolation::WindowedSinc, results.sinc);
  warp(ConstView(mask), cudaneuro::Interpolation::Label, results.label);
  cudaneuro::ComposeDisplacementFields(
    context, geometry, ConstFieldView(field), other, ConstFieldView(otherField), FieldView(results.composed));
  results.inversion =
    cudaneuro::InvertDisplacementField(context, {}, geometry, ConstFieldView(field), FieldView(results.inverse));
  results.jacobian = cudaneuro::DisplacementFieldJacobianDeterminant(
    context, geometry, ConstFieldView(field), View(results.determinants));
  return results;
}

class FieldDevices : public DeviceTest
{};

TEST_P(FieldDevices, SameBitsRunAfterRun)
{
  const Results first = ComputeAll(this->GetContext());
  const Results second = ComputeAll(this->GetContext());
  EXPECT_TRUE(IsSameBits(first.warped, second.warped));
  EXPECT_TRUE(IsSameBits(first.masked, second.masked));
  EXPECT_TRUE(IsSameBits(first.cubic, second.cubic));
  EXPECT_TRUE(IsSameBits(first.sinc, second.sinc));
  EXPECT_TRUE(IsSameBits(first.label, second.label));
  EXPECT_TRUE(IsSameBits(first.composed, second.composed));
  EXPECT_TRUE(IsSameBits(first.inverse, second.inverse));
  EXPECT_TRUE(IsSameBits(first.determinants, second.determinants));
  EXPECT_EQ(first.inversion.meanResidual, second.inversion.meanResidual);
  EXPECT_EQ(first.jacobian.meanLogarithm, second.jacobian.meanLogarithm);
  EXPECT_EQ(first.jacobian.standardDeviationLogarithm, second.jacobian.standardDeviationLogarithm);
}

/** The number of voxels that differ by more than \p tolerance. */
std::size_t
CountDifferent(const std::vector<float> & a, const std::vector<float> & b, double tolerance)
{
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    count += std::abs(a[i] - b[i]) > tolerance ? 1 : 0;
  }
  return count;
}

TEST_P(FieldDevices, AgreesWithCpu)
{
  cudaneuro::Context cpu{ cudaneuro::Device() };
  const Results      expected = ComputeAll(cpu);
  const Results      results = ComputeAll(this->GetContext());
  // Rounding may take a voxel across the edge of the grid or of the mask, or halfway to another.
  constexpr double      tolerance = 1e-6 * 1000.0;
  constexpr std::size_t fewVoxels = 5;
  EXPECT_LE(CountDifferent(results.warped, expected.warped, tolerance), fewVoxels);
  EXPECT_LE(CountDifferent(results.masked, expected.masked, 10.0 * tolerance), fewVoxels);
  EXPECT_LE(CountDifferent(results.nearest, expected.nearest, 0.0), fewVoxels);
  // Coefficients of splines are up to 27 times the values.
  EXPECT_LE(CountDifferent(results.cubic, expected.cubic, 3.0 * tolerance), fewVoxels);
  EXPECT_LE(CountDifferent(results.sinc, expected.sinc, 3.0 * tolerance), fewVoxels);
  EXPECT_LE(CountDifferent(results.label, expected.label, 0.0), fewVoxels);
  EXPECT_LE(LargestDifference(results.composed, expected.composed), 1e-5);
  EXPECT_LE(LargestDifference(results.inverse, expected.inverse), 0.02);
  EXPECT_LE(LargestDifference(results.determinants, expected.determinants), 1e-5);
  EXPECT_NEAR(results.inversion.meanResidual, expected.inversion.meanResidual, 1e-4);
  EXPECT_NEAR(results.jacobian.meanLogarithm, expected.jacobian.meanLogarithm, 1e-6);
  EXPECT_EQ(results.jacobian.numberOfFoldedVoxels, expected.jacobian.numberOfFoldedVoxels);
}

/** A copy of a vector on the context's device. */
template <typename T>
cudaneuro::DeviceMemory
Upload(cudaneuro::Context & context, const std::vector<T> & values)
{
  const auto              size = static_cast<std::int64_t>(values.size());
  cudaneuro::DeviceMemory memory = context.Allocate(values.size() * sizeof(T));
  cudaneuro::CopyVolume(context,
                        testvolumes::MakeGrid({ size, 1, 1 }),
                        ConstView(values),
                        { memory.Data(), cudaneuro::PixelTypeOf<T>::value, cudaneuro::MemorySpace::Device });
  return memory;
}

std::vector<float>
Download(cudaneuro::Context & context, const cudaneuro::DeviceMemory & memory, std::size_t size)
{
  std::vector<float> values(size);
  cudaneuro::CopyVolume(context,
                        testvolumes::MakeGrid({ static_cast<std::int64_t>(size), 1, 1 }),
                        { memory.Data(), cudaneuro::PixelType::Float, cudaneuro::MemorySpace::Device },
                        View(values));
  return values;
}

TEST_P(FieldDevices, DeviceMemoryIsUsedWhereItIs)
{
  if (!this->GetParam().IsCuda())
  {
    GTEST_SKIP() << "on the CPU all memory is the host's";
  }
  cudaneuro::Context &      context = this->GetContext();
  const cudaneuro::Geometry geometry = ObliqueGeometry({ 37, 25, 18 }, 0.3);
  const std::vector<float>  image = testvolumes::NoisyPhantom(geometry.grid);
  const std::vector<float>  field = ToFloat(FadingField(geometry, 4.0));
  std::vector<float>        warped(image.size());
  std::vector<float>        composed(field.size());
  context.ResetStatistics();
  cudaneuro::WarpImage(context, {}, geometry, ConstView(image), {}, geometry, {}, ConstFieldView(field), View(warped));
  EXPECT_EQ(context.GetStatistics().hostToDeviceBytes, (image.size() + field.size()) * sizeof(float));
  EXPECT_EQ(context.GetStatistics().deviceToHostBytes, warped.size() * sizeof(float));
  EXPECT_GT(context.GetStatistics().deviceMilliseconds, 0.0);
  cudaneuro::ComposeDisplacementFields(
    context, geometry, ConstFieldView(field), geometry, ConstFieldView(field), FieldView(composed));

  constexpr auto              device = cudaneuro::MemorySpace::Device;
  const auto                  deviceImage = Upload(context, image);
  const auto                  deviceField = Upload(context, field);
  const auto                  deviceWarped = context.Allocate(image.size() * sizeof(float));
  const auto                  deviceComposed = context.Allocate(field.size() * sizeof(float));
  const cudaneuro::ConstField fieldView{ static_cast<const float *>(deviceField.Data()), 3, device };
  context.ResetStatistics();
  cudaneuro::WarpImage(context,
                       {},
                       geometry,
                       { deviceImage.Data(), cudaneuro::PixelType::Float, device },
                       {},
                       geometry,
                       {},
                       fieldView,
                       { deviceWarped.Data(), cudaneuro::PixelType::Float, device });
  cudaneuro::ComposeDisplacementFields(
    context, geometry, fieldView, geometry, fieldView, { static_cast<float *>(deviceComposed.Data()), 3, device });
  EXPECT_EQ(context.GetStatistics().hostToDeviceBytes, 0U);
  EXPECT_EQ(context.GetStatistics().deviceToHostBytes, 0U);
  EXPECT_TRUE(IsSameBits(Download(context, deviceWarped, image.size()), warped));
  EXPECT_TRUE(IsSameBits(Download(context, deviceComposed, field.size()), composed));
}

TEST_P(FieldDevices, ProgressRisesAndAborts)
{
  const cudaneuro::Geometry geometry = ObliqueGeometry({ 37, 25, 18 }, 0.3);
  const std::vector<float>  image = testvolumes::NoisyPhantom(geometry.grid);
  const std::vector<float>  field = ToFloat(FadingField(geometry, 4.0));
  std::vector<short>        warped(image.size());
  std::vector<float>        result(field.size());
  cudaneuro::Context &      context = this->GetContext();

  const std::function<void()> functions[] = {
    [&] {
      cudaneuro::WarpImage(
        context, {}, geometry, ConstView(image), {}, geometry, {}, ConstFieldView(field), View(warped));
    },
    [&] {
      cudaneuro::ComposeDisplacementFields(
        context, geometry, ConstFieldView(field), geometry, ConstFieldView(field), FieldView(result));
    },
    [&] { cudaneuro::InvertDisplacementField(context, {}, geometry, ConstFieldView(field), FieldView(result)); },
    [&] { cudaneuro::DisplacementFieldJacobianDeterminant(context, geometry, ConstFieldView(field), View(result)); }
  };
  for (const auto & function : functions)
  {
    float last = 0.0f;
    context.SetProgressFunction([&](float fraction) {
      EXPECT_GE(fraction, last - 1e-6f);
      last = fraction;
      return true;
    });
    function();
    EXPECT_FLOAT_EQ(last, 1.0f);
    context.SetProgressFunction([](float fraction) { return fraction < 0.3f; });
    EXPECT_THROW(function(), cudaneuro::Aborted);
    context.SetProgressFunction({});
  }
}

TEST_P(FieldDevices, RejectsBadInput)
{
  cudaneuro::Context &      context = this->GetContext();
  const cudaneuro::Geometry geometry = AlignedGeometry({ 4, 3, 2 });
  std::vector<float>        volume(24);
  std::vector<float>        field(72);
  std::vector<float>        result(72);
  const auto                warp = [&](const cudaneuro::Geometry &   input,
                        const cudaneuro::AffineMap &  transform,
                        const cudaneuro::ConstField & displacement) {
    cudaneuro::WarpImage(context, {}, input, ConstView(volume), {}, geometry, transform, displacement, View(result));
  };
  cudaneuro::AffineMap transform;
  transform.matrix[4] = std::numeric_limits<double>::quiet_NaN();
  ExpectInvalidParameter([&] { warp(geometry, transform, {}); }, "transform.matrix[4]", "nan");
  ExpectInvalidParameter([&] { warp(geometry, {}, ConstFieldView(field, 2)); }, "field.components", "2");
  cudaneuro::Geometry bad = geometry;
  bad.origin[1] = std::numeric_limits<double>::infinity();
  ExpectInvalidParameter([&] { warp(bad, {}, {}); }, "inputGeometry.origin[1]", "inf");
  bad = geometry;
  bad.grid.size[2] = 0;
  ExpectInvalidParameter([&] { warp(bad, {}, {}); }, "size[2]", "0");
  bad = geometry;
  bad.direction[0] = 0.0;
  EXPECT_THROW(warp(bad, {}, {}), cudaneuro::InvalidParameterError);
  const auto invert = [&](int iterations, double tolerance, const cudaneuro::ConstField & displacement) {
    cudaneuro::InversionParameters parameters;
    parameters.maximumNumberOfIterations = iterations;
    parameters.tolerance = tolerance;
    cudaneuro::InvertDisplacementField(context, parameters, geometry, displacement, FieldView(result));
  };
  ExpectInvalidParameter([&] { invert(0, 0.1, ConstFieldView(field)); }, "MaximumNumberOfIterations", "0");
  ExpectInvalidParameter([&] { invert(5, 0.0, ConstFieldView(field)); }, "Tolerance", "0");
  ExpectInvalidParameter([&] { invert(5, 0.1, {}); }, "field", "absent");
  ExpectInvalidParameter(
    [&] { cudaneuro::DisplacementFieldJacobianDeterminant(context, geometry, ConstFieldView(field, 4), {}); },
    "field.components",
    "4");
  ExpectInvalidParameter(
    [&] {
      cudaneuro::ComposeDisplacementFields(context, geometry, {}, geometry, ConstFieldView(field), FieldView(result));
    },
    "first",
    "absent");
  ExpectInvalidParameter(
    [&] { cudaneuro::ResampleDisplacementField(context, geometry, {}, geometry, FieldView(result)); },
    "input",
    "absent");
}

CUDANEURO_TEST_ON_ALL_DEVICES(FieldDevices);

} // namespace
