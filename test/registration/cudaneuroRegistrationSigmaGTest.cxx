// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "HardPhantoms.h"
#include "RegistrationRuns.h"

#include <limits>

namespace
{

using namespace cudaneuro;
using namespace hardphantoms;
using namespace registrationruns;

/** \param isSymmetric whether both images move */
RegistrationParameters
OfLevels(bool isSymmetric)
{
  RegistrationParameters parameters = OfUnbiased(0.05);
  parameters.isSymmetric = isSymmetric;
  parameters.levels = { { { 2, 2, 2 }, 12 }, { { 1, 1, 1 }, 12 } };
  return parameters;
}

/** The displacement after the levels that \p parameters has, from \p initial on if that is not empty. */
std::vector<float>
FieldOf(Context &                      context,
        const RegistrationParameters & parameters,
        const HardPair &               pair,
        const std::vector<float> &     initial = {})
{
  RegistrationImages images = ImagesOf(pair);
  if (!initial.empty())
  {
    images.initialField = { initial.data(), 3, MemorySpace::Host };
  }
  std::vector<float>  field(3 * pair.fixed.size());
  RegistrationOutputs outputs;
  outputs.displacement = { field.data(), 3, MemorySpace::Host };
  Register(context, parameters, images, outputs);
  return field;
}

class RegistrationSigma : public DeviceTest
{};

TEST_P(RegistrationSigma, EqualOnesOfLevelsAreOneOfAll)
{
  const HardPair pair = MakeBalls(3);
  for (const bool isSymmetric : { false, true })
  {
    RegistrationParameters parameters = OfLevels(isSymmetric);
    parameters.updateFieldStandardDeviations = { 1.5, 2.0, 2.5 };
    const BothMaps ofAll = RunBothWays(this->GetContext(), parameters, pair);
    parameters.updateFieldStandardDeviationsPerLevel = { parameters.updateFieldStandardDeviations,
                                                         parameters.updateFieldStandardDeviations };
    // Not looked at beside the others.
    parameters.updateFieldStandardDeviations = { 0.0, 0.0, 0.0 };
    const BothMaps perLevel = RunBothWays(this->GetContext(), parameters, pair);
    EXPECT_EQ(perLevel.displacement, ofAll.displacement);
    EXPECT_EQ(perLevel.inverse, ofAll.inverse);
  }
}

TEST_P(RegistrationSigma, ChangesNothingBeforeItsLevel)
{
  const HardPair pair = MakeBalls(3);
  for (const bool isSymmetric : { false, true })
  {
    RegistrationParameters parameters = OfLevels(isSymmetric);
    const auto             energies = [&](double coarse, double fine) {
      parameters.updateFieldStandardDeviationsPerLevel = { { coarse, coarse, coarse }, { fine, fine, fine } };
      std::vector<double> values;
      for (const RegistrationIteration & iteration :
           RunBothWays(this->GetContext(), parameters, pair).result.iterations)
      {
        values.push_back(iteration.energy);
      }
      return values;
    };
    const std::vector<double> wide = energies(3.0, 3.0);
    const std::vector<double> narrowing = energies(3.0, 1.5);
    const std::vector<double> narrow = energies(1.5, 1.5);
    ASSERT_EQ(wide.size(), 24u);
    // The energy of an iteration is the one before its step: the second level's first is still that of the first level.
    EXPECT_TRUE(std::equal(wide.begin(), wide.begin() + 13, narrowing.begin()));
    EXPECT_NE(wide[13], narrowing[13]);
    EXPECT_EQ(wide[0], narrow[0]);
    EXPECT_NE(wide[1], narrow[1]);
  }
}

TEST_P(RegistrationSigma, OfALevelIsThatOfARunOfTheLevelAlone)
{
  const HardPair         pair = MakeBalls(5);
  RegistrationParameters parameters = OfLevels(false);
  // Of one grid, so that the first map need not be resampled for the second run.
  parameters.levels = { { { 1, 1, 1 }, 12 }, { { 1, 1, 1 }, 12 } };
  parameters.updateFieldStandardDeviationsPerLevel = { { 3.0, 3.0, 3.0 }, { 1.5, 1.5, 1.5 } };
  const std::vector<float> both = FieldOf(this->GetContext(), parameters, pair);

  RegistrationParameters alone = OfLevels(false);
  alone.levels = { { { 1, 1, 1 }, 12 } };
  alone.updateFieldStandardDeviations = { 3.0, 3.0, 3.0 };
  const std::vector<float> first = FieldOf(this->GetContext(), alone, pair);
  const std::vector<float> wide = FieldOf(this->GetContext(), alone, pair, first);
  alone.updateFieldStandardDeviations = { 1.5, 1.5, 1.5 };
  const std::vector<float> narrow = FieldOf(this->GetContext(), alone, pair, first);
  // The map between the runs is written in mm and read into voxels, with rounding of about 1e-6 of them.
  EXPECT_LT(LargestDistance(both, narrow), 1e-3);
  EXPECT_GT(LargestDistance(both, wide), 0.1);
}

TEST_P(RegistrationSigma, IsCheckedBeforeWorkStarts)
{
  const HardPair pair = MakeBalls(1);
  const auto     run = [&](const std::vector<std::array<double, 3>> & sigmas,
                       VelocityMethod                             solver = VelocityMethod::Gaussian) {
    RegistrationParameters parameters = OfLevels(false);
    parameters.updateFieldStandardDeviationsPerLevel = sigmas;
    parameters.velocityMethod = solver;
    RunBothWays(this->GetContext(), parameters, pair);
  };
  const std::array<double, 3> usual{ 2.0, 2.0, 2.0 };
  const std::string           number = "the number of values of UpdateFieldStandardDeviationsPerLevel";
  ExpectInvalidParameter([&] { run({ usual }); }, number, "1; it must be that of the levels, 2, or 0");
  ExpectInvalidParameter([&] { run({ usual, usual, usual }); }, number, "3; it must be that of the levels, 2, or 0");
  ExpectInvalidParameter(
    [&] {
      run({ usual, { 2.0, 0.0, 2.0 } });
    },
    "UpdateFieldStandardDeviationsPerLevel[1][1]",
    "0");
  ExpectInvalidParameter(
    [&] {
      run({ { 2.0, 2.0, -1.0 }, usual });
    },
    "UpdateFieldStandardDeviationsPerLevel[0][2]",
    "-1");
  constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
  ExpectInvalidParameter(
    [&] {
      run({ { notANumber, 2.0, 2.0 }, usual });
    },
    "UpdateFieldStandardDeviationsPerLevel[0][0]",
    "nan");
  // Other solvers have no Gaussian.
  run({ usual }, VelocityMethod::SuccessiveOverRelaxation);
}

CUDANEURO_TEST_ON_ALL_DEVICES(RegistrationSigma);

} // namespace
