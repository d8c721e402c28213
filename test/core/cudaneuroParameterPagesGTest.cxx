// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/AnisotropicDiffusion.h"
#include "cudaneuro/Bilateral.h"
#include "cudaneuro/NonLocalMeans.h"
#include "cudaneuro/NonLocalMeansLevelSet.h"
#include "cudaneuro/Registration.h"
#include "itkCudaNeuroLandmarkMatching.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

/** The tables of the pages have a row for each number, with the range that its description has. */
namespace
{

using namespace cudaneuro;

std::vector<std::string>
LinesOf(const std::string & page)
{
  std::ifstream            file(std::string(CUDANEURO_PAGES) + "/" + page);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
  {
    lines.push_back(line);
  }
  return lines;
}

/** A number as pages have it: "1e-6" rather than "1e-06". */
std::string
TextOf(double value)
{
  char        text[40];
  const auto  end = std::to_chars(text, text + sizeof(text), value).ptr;
  std::string number(text, end);
  for (const char * const zero : { "e-0", "e+0", "e+" })
  {
    const std::size_t at = number.find(zero);
    if (at != std::string::npos)
    {
      number.erase(at + (zero[1] == '-' ? 2 : 1), std::string(zero).size() - (zero[1] == '-' ? 2 : 1));
    }
  }
  return number;
}

std::string
TextOf(const ParameterRange & range)
{
  return (std::isfinite(range.maximum) ? TextOf(range.minimum) + " to " + TextOf(range.maximum)
                                       : "at least " + TextOf(range.minimum)) +
         (range.step > 0.0 ? " in steps of " + TextOf(range.step) : "") + (range.orZero ? ", or 0" : "");
}

/** Expects a row of the parameter that has its range. */
void
ExpectRow(const std::vector<std::string> & lines, const std::string & name, const ParameterRange & range)
{
  for (const std::string & line : lines)
  {
    if (line.rfind("| `", 0) == 0 && line.find("`Set" + name + "`") != std::string::npos &&
        line.find(TextOf(range)) != std::string::npos)
    {
      return;
    }
  }
  ADD_FAILURE() << "no row of `Set" << name << "` has the range " << TextOf(range);
}

template <typename TParameters>
void
ExpectRows(const std::vector<std::string> & lines, const TParameters & parameters)
{
  ForEachParameter(parameters, [&](const auto & parameter, const auto &) {
    if (std::isfinite(parameter.range.minimum))
    {
      ExpectRow(lines, parameter.name, parameter.range);
    }
  });
}

} // namespace

TEST(ParameterPages, Denoising)
{
  const std::vector<std::string> lines = LinesOf("denoising.md");
  ASSERT_FALSE(lines.empty());
  ExpectRows(lines, BilateralParameters());
  ExpectRows(lines, AnisotropicDiffusionParameters());
  ExpectRows(lines, NonLocalMeansParameters());
}

TEST(ParameterPages, Registration)
{
  const std::vector<std::string> lines = LinesOf("registration.md");
  ASSERT_FALSE(lines.empty());
  ExpectRows(lines, RegistrationParameters());
}

TEST(ParameterPages, Landmarks)
{
  const std::vector<std::string> lines = LinesOf("landmarks.md");
  ASSERT_FALSE(lines.empty());
  ExpectRows(lines, GeodesicShootingParameters());
  ExpectRows(lines, itk::CudaNeuroDetail::LandmarkMatchingParameters());
}

TEST(ParameterPages, Surfaces)
{
  const std::vector<std::string> lines = LinesOf("surface.md");
  ASSERT_FALSE(lines.empty());
  ExpectRows(lines, NonLocalMeansLevelSetParameters());
}

TEST(ParameterPages, NumbersAreSpelledAsOnPages)
{
  EXPECT_EQ(TextOf(Between(1e-6, 1e6)), "1e-6 to 1e6");
  EXPECT_EQ(TextOf(Between(0.0, 0.5)), "0 to 0.5");
  EXPECT_EQ(TextOf(AtLeast(1)), "at least 1");
  EXPECT_EQ(TextOf(OrZero(Between(1e-6, 1e6))), "1e-6 to 1e6, or 0");
  EXPECT_EQ(TextOf(InSteps(3, 7, 2)), "3 to 7 in steps of 2");
}
