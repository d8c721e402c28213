// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/AdaptiveNonLocalMeans.h"
#include "cudaneuro/AnisotropicDiffusion.h"
#include "cudaneuro/Atlas.h"
#include "cudaneuro/Bilateral.h"
#include "cudaneuro/GeodesicShooting.h"
#include "cudaneuro/LinearRegistration.h"
#include "cudaneuro/NoiseMap.h"
#include "cudaneuro/NonLocalMeans.h"
#include "cudaneuro/NonLocalMeansLevelSet.h"
#include "cudaneuro/Registration.h"
#include "cudaneuro/StructuralSimilarity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#if !CUDANEURO_ENGINE_ONLY
#  include "itkCudaNeuroLandmarkMatching.h"
#endif

/** The tables of the pages have a row for each number, with the range that its description has, and its default. */
namespace
{

using namespace cudaneuro;

/** A row of a table of parameters. */
struct PageRow
{
  std::string text;
  /** What stands in the column "default". */
  std::string defaults;
};

std::vector<std::string>
CellsOf(const std::string & line)
{
  std::vector<std::string> cells;
  std::istringstream       text(line);
  for (std::string cell; std::getline(text, cell, '|');)
  {
    const std::size_t begin = std::min(cell.find_first_not_of(' '), cell.size());
    cells.push_back(cell.substr(begin, cell.find_last_not_of(' ') + 1 - begin));
  }
  return cells;
}

/** The rows of setters, of all tables of a page. */
std::vector<PageRow>
RowsOf(const std::string & page)
{
  std::ifstream        file(std::string(CUDANEURO_PAGES) + "/" + page);
  std::vector<PageRow> rows;
  std::string          header;
  std::size_t          column = 0;
  for (std::string line; std::getline(file, line); header = line)
  {
    const std::vector<std::string> cells = CellsOf(line);
    if (line.rfind("| ---", 0) == 0)
    {
      const std::vector<std::string> names = CellsOf(header);
      column = static_cast<std::size_t>(std::find(names.begin(), names.end(), "default") - names.begin());
    }
    else if (line.rfind("| `", 0) == 0)
    {
      rows.push_back({ line, column < cells.size() ? cells[column] : "" });
    }
  }
  return rows;
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

/** Whether a text has a word, a number or a name. */
bool
HasWord(const std::string & text, const std::string & word)
{
  const auto isPart = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '.');
  };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
  {
    if (!(at > 0 && isPart(at - 1)) && !isPart(at + word.size()))
    {
      return true;
    }
  }
  return false;
}

/** The default as pages have it: the name of an enumeration's value, a number, or the first one of a list; empty for
 * other values. */
template <typename TValue>
std::string
DefaultOf(const TValue & value)
{
  if constexpr (std::is_enum_v<TValue>)
  {
    std::ostringstream name;
    name << value;
    return name.str();
  }
  else if constexpr (std::is_arithmetic_v<TValue> && !std::is_same_v<TValue, bool>)
  {
    return TextOf(static_cast<double>(value));
  }
  else if constexpr (std::is_same_v<TValue, std::array<double, 3>> || std::is_same_v<TValue, std::array<int, 3>> ||
                     std::is_same_v<TValue, std::array<double, 2>>)
  {
    return DefaultOf(value[0]);
  }
  return "";
}

/** Expects a row of each number that has its range. Where rows of a number or an enumeration say a default that does
 * not follow from other things, one of them has that of the parameters. */
template <typename TParameters>
void
ExpectRows(const std::vector<PageRow> & rows, const TParameters & parameters)
{
  ASSERT_FALSE(rows.empty());
  ForEachParameter(parameters, [&](const auto & parameter, const auto & value) {
    constexpr bool    isEnum = std::is_enum_v<std::decay_t<decltype(value)>>;
    const bool        hasRange = std::isfinite(parameter.range.minimum);
    const std::string setter = std::string("`Set") + parameter.name + "`";
    std::string       defaults;
    bool              hasRow = false;
    for (const PageRow & row : rows)
    {
      if (row.text.find(setter) != std::string::npos)
      {
        hasRow = hasRow || row.text.find(TextOf(parameter.range)) != std::string::npos;
        const bool isValue = isEnum || (!row.defaults.empty() && std::isdigit(row.defaults[0]) != 0);
        defaults += isValue ? row.defaults + '\n' : "";
      }
    }
    if (hasRange)
    {
      EXPECT_TRUE(hasRow) << "no row of " << setter << " has the range " << TextOf(parameter.range);
    }
    const std::string own = DefaultOf(value);
    if ((hasRange || isEnum) && !own.empty() && !defaults.empty())
    {
      EXPECT_TRUE(HasWord(defaults, own)) << "no row of " << setter << " has the default " << own;
    }
  });
}

} // namespace

TEST(ParameterPages, Denoising)
{
  const std::vector<PageRow> rows = RowsOf("denoising.md");
  ExpectRows(rows, BilateralParameters());
  ExpectRows(rows, AnisotropicDiffusionParameters());
  ExpectRows(rows, NonLocalMeansParameters());
  ExpectRows(rows, StructuralSimilarityParameters());
}

TEST(ParameterPages, AdaptiveNonLocalMeans)
{
  ExpectRows(RowsOf("adaptive-non-local-means.md"), AdaptiveNonLocalMeansParameters());
}

TEST(ParameterPages, NoiseMap)
{
  ExpectRows(RowsOf("noise.md"), NoiseMapParameters());
}

TEST(ParameterPages, Registration)
{
  ExpectRows(RowsOf("registration.md"), UnbiasedRegistrationParameters());
}

TEST(ParameterPages, LinearRegistration)
{
  const std::vector<PageRow> rows = RowsOf("linear-registration.md");
  ExpectRows(rows, LinearRegistrationParameters());
  ExpectRows(rows, LinearMetricParameters());
}

TEST(ParameterPages, Atlas)
{
  const std::vector<PageRow> rows = RowsOf("atlas.md");
  ExpectRows(rows, AtlasParameters());
  ExpectRows(rows, AtlasCheckpoint());
}

TEST(ParameterPages, Landmarks)
{
  const std::vector<PageRow> rows = RowsOf("landmarks.md");
  ExpectRows(rows, GeodesicShootingParameters());
#if !CUDANEURO_ENGINE_ONLY
  ExpectRows(rows, itk::CudaNeuroDetail::LandmarkMatchingParameters());
#endif
}

TEST(ParameterPages, Surfaces)
{
  ExpectRows(RowsOf("surface.md"), NonLocalMeansLevelSetParameters());
}

TEST(ParameterPages, NumbersAreSpelledAsOnPages)
{
  EXPECT_EQ(TextOf(Between(1e-6, 1e6)), "1e-6 to 1e6");
  EXPECT_EQ(TextOf(Between(0.0, 0.5)), "0 to 0.5");
  EXPECT_EQ(TextOf(AtLeast(1)), "at least 1");
  EXPECT_EQ(TextOf(OrZero(Between(1e-6, 1e6))), "1e-6 to 1e6, or 0");
  EXPECT_EQ(TextOf(InSteps(3, 7, 2)), "3 to 7 in steps of 2");
}
