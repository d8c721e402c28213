// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "LevelSetTestCases.h"

#include <functional>
#include <limits>

namespace
{

using namespace levelsettests;
using testvolumes::MakeGrid;

class NonLocalMeansLevelSetErrors : public DeviceTest
{
protected:
  void
  ExpectInvalid(const std::function<void(NonLocalMeansLevelSetParameters &)> & change,
                const std::string &                                            name,
                const std::string &                                            value)
  {
    NonLocalMeansLevelSetParameters parameters = SomeParameters();
    change(parameters);
    ExpectInvalidParameter([&] { Denoise(this->GetContext(), parameters, m_Grid, m_Input); }, name, value);
  }

  const Grid               m_Grid = MakeGrid({ 11, 10, 12 });
  const std::vector<float> m_Input = WithNoise(Sphere(m_Grid, 3.0), 0.2);
};

TEST_P(NonLocalMeansLevelSetErrors, Bands)
{
  // No voxel is as near to the surface, or none is farther from it.
  ExpectInvalid([](auto & p) { p.bandWidth = 1e-6; }, "BandWidth", "1e-06");
  ExpectInvalid([](auto & p) { p.bandWidth = 50.0; }, "BandWidth", "50");

  const std::vector<float>        away(m_Input.size(), 7.5f);
  NonLocalMeansLevelSetParameters parameters = SomeParameters();
  const std::string               message = RefusalOf([&] { Denoise(this->GetContext(), parameters, m_Grid, away); });
  EXPECT_NE(message.find("from 7.5 to 7.5"), std::string::npos) << message;
  EXPECT_NE(message.find("no voxel"), std::string::npos) << message;
  const std::vector<unsigned char> nothing(m_Input.size(), 0);
  ExpectInvalidParameter(
    [&] { Denoise(this->GetContext(), parameters, m_Grid, m_Input, nothing); }, "the mask", "0 everywhere");
}

TEST_P(NonLocalMeansLevelSetErrors, DistancesThatAreNone)
{
  const std::pair<float, const char *> values[] = { { std::numeric_limits<float>::quiet_NaN(), "nan" },
                                                    { std::numeric_limits<float>::infinity(), "inf" },
                                                    { -std::numeric_limits<float>::infinity(), "-inf" },
                                                    { 1.25e15f, "1.25" },
                                                    { -3e38f, "-3" } };
  for (const auto & [value, name] : values)
  {
    // The first of two, in a corner that the mask leaves out.
    std::vector<float> input = m_Input;
    input[static_cast<std::size_t>(9 + 11 * (8 + 10 * 1))] = value;
    input[static_cast<std::size_t>(2 + 11 * (3 + 10 * 7))] = value;
    std::vector<unsigned char> mask(input.size(), 1);
    mask[static_cast<std::size_t>(9 + 11 * (8 + 10 * 1))] = 0;
    ExpectInvalidParameter([&] { Denoise(this->GetContext(), SomeParameters(), m_Grid, input, mask); },
                           "the distance at voxel [9, 8, 1]",
                           name);
  }
}

TEST_P(NonLocalMeansLevelSetErrors, Volumes)
{
  Context &          context = this->GetContext();
  std::vector<float> output(m_Input.size());
  const auto         run = [&](const Grid &                   grid,
                       const cudaneuro::ConstVolume & input,
                       const cudaneuro::ConstVolume & mask,
                       const cudaneuro::Volume &      to) {
    return [=, &context] { NonLocalMeansLevelSet(context, SomeParameters(), grid, input, mask, to); };
  };
  const cudaneuro::ConstVolume input = ConstView(m_Input);
  ExpectInvalidParameter(run(m_Grid, {}, {}, View(output)), "input", "absent");
  ExpectInvalidParameter(run(m_Grid, input, {}, {}), "output", "absent");
  ExpectInvalidParameter(run(m_Grid, input, input, View(output)), "the pixel type of the mask", "float32");
  ExpectInvalidParameter(run(MakeGrid({ 11, 120, 1 }), input, {}, View(output)), "size[2]", "1");
  ExpectInvalidParameter(run(MakeGrid({ 1, 110, 12 }), input, {}, View(output)), "size[0]", "1");
  ExpectInvalidParameter(run(MakeGrid({ 11, 0, 12 }), input, {}, View(output)), "size[1]", "0");
  ExpectInvalidParameter(run(MakeGrid({ 11, 10, 12 }, { 1.0, 0.0, 1.0 }), input, {}, View(output)), "spacing[1]", "0");
}

/** One voxel inside and two outside, each averaged with the other two: -0.1 becomes 0.4, and 0.4 becomes 0.15. */
TEST_P(NonLocalMeansLevelSetErrors, SurfacesThatVanish)
{
  std::vector<float> input(m_Input.size(), 3.0f);
  input[442] = -0.1f;
  input[777] = input[888] = 0.4f;
  NonLocalMeansLevelSetParameters parameters = SomeParameters();
  parameters.spatialScale = std::numeric_limits<double>::infinity();
  parameters.similarityScale = 1e30;
  parameters.numberOfIterations = 1;
  const Denoised denoised = Denoise(this->GetContext(), parameters, m_Grid, input);
  EXPECT_NEAR(denoised.distances[442], 0.4, 1e-6);
  EXPECT_NEAR(denoised.distances[777], 0.15, 1e-6);
  EXPECT_EQ(denoised.result.volumeAfter, 0.0);
  parameters.reinitialize = true;
  EXPECT_THROW(Denoise(this->GetContext(), parameters, m_Grid, input), cudaneuro::InvalidParameterError);
  parameters.reinitialize = false;
  parameters.volumeCorrection = true;
  const Denoised corrected = Denoise(this->GetContext(), parameters, m_Grid, input);
  EXPECT_NEAR(corrected.result.volumeAfter, denoised.result.volumeBefore, 1e-5 * denoised.result.volumeBefore);
}

TEST_P(NonLocalMeansLevelSetErrors, NothingIsWrittenBeforeTheInputIsChecked)
{
  std::vector<float> input = m_Input;
  input.back() = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> output(input.size(), 42.0f);
  EXPECT_THROW(NonLocalMeansLevelSet(this->GetContext(), SomeParameters(), m_Grid, ConstView(input), {}, View(output)),
               cudaneuro::InvalidParameterError);
  EXPECT_EQ(output, std::vector<float>(input.size(), 42.0f));
}

TEST_P(NonLocalMeansLevelSetErrors, Aborts)
{
  Context & context = this->GetContext();
  float     last = 0.0f;
  int       reports = 0;
  context.SetProgressFunction([&](float fraction) {
    EXPECT_GE(fraction, last);
    EXPECT_LE(fraction, 1.0f);
    last = fraction;
    ++reports;
    return true;
  });
  NonLocalMeansLevelSetParameters parameters = SomeParameters();
  parameters.numberOfPasses = 3;
  Denoise(context, parameters, m_Grid, m_Input);
  EXPECT_EQ(last, 1.0f);
  EXPECT_GT(reports, 3);
  context.SetProgressFunction([&](float fraction) { return fraction < 0.5f; });
  EXPECT_THROW(Denoise(context, parameters, m_Grid, m_Input), cudaneuro::Aborted);
  context.SetProgressFunction({});
  Denoise(context, parameters, m_Grid, m_Input);
}

TEST_P(NonLocalMeansLevelSetErrors, MemoryLimit)
{
  Context &      context = this->GetContext();
  const Denoised expected = Denoise(context, SomeParameters(), m_Grid, m_Input);
  context.SetMemoryLimit(20000);
  if (this->GetParam().IsCuda())
  {
    EXPECT_THROW(Denoise(context, SomeParameters(), m_Grid, m_Input), cudaneuro::OutOfMemoryError);
    context.SetMemoryLimit(0);
  }
  EXPECT_EQ(Denoise(context, SomeParameters(), m_Grid, m_Input).distances, expected.distances);
}

CUDANEURO_TEST_ON_ALL_DEVICES(NonLocalMeansLevelSetErrors);

} // namespace
