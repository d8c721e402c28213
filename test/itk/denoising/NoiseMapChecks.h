// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef NoiseMapChecks_h
#define NoiseMapChecks_h

#include "itk/TestImages.h"

#include <string>
#include <vector>

/** What every denoising filter must do that takes the noise at each voxel from a map. */
namespace filterchecks
{

using namespace testimages;

/** Checks the results and refusals of a filter that takes a noise map.
 * \param filter has the input, of 13 x 11 x 9 voxels, and no parameter that is a multiple of the noise
 * \param setNumber sets that parameter for a number as noise; \p setAutomatic gives it back to the map
 * \param reference returns the definition's result for a noise at each voxel
 * \param refusal what is said of a parameter that was set beside the map */
template <typename TFilter, typename TSetNumber, typename TSetAutomatic, typename TReference>
void
CheckNoiseMap(TFilter *             filter,
              const TSetNumber &    setNumber,
              const TSetAutomatic & setAutomatic,
              const TReference &    reference,
              const std::string &   refusal)
{
  using ImageType = itk::Image<float, 3>;
  const itk::Size<3> size{ { 13, 11, 9 } };
  const double       tolerance = 2e-3; // 1e-5 of the range of 200
  const auto         map = Phantom<ImageType>(0.2, size);
  map->FillBuffer(6.0f);
  filter->SetNoiseMapImage(map);
  filter->Update();
  const std::vector<double> ofMap = Pixels(filter->GetOutput());
  EXPECT_EQ(filter->GetNumberOfVoxelsWithoutNoise(), 0U);
  filter->SetNoiseMapImage(nullptr);
  setNumber(6.0);
  filter->Update();
  // Factors may be multiplied in another order.
  ExpectSame(Pixels(filter->GetOutput()), ofMap, 1e-4);
  filter->SetNoiseMapImage(map);
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), refusal));
  setAutomatic();

  for (std::size_t i = 0; i < 13 * 11 * 9; ++i)
  {
    map->GetBufferPointer()[i] = i % 31 == 3 ? 0.0f : 4.0f + 0.7f * static_cast<float>(i % 13);
  }
  map->Modified();
  filter->Update();
  EXPECT_EQ(filter->GetNumberOfVoxelsWithoutNoise(), 42U);
  ExpectSame(Pixels(filter->GetOutput()), reference(Pixels(map.GetPointer())), tolerance);

  map->GetBufferPointer()[13 * 11 * 2 + 13 * 4 + 5] = -2.0f;
  map->Modified();
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "NoiseMap at voxel (5, 4, 2) is -2; it must be finite"));
  filter->SetNoiseMapImage(Phantom<ImageType>(0.2, { { 13, 11, 8 } }));
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "NoiseMap"));
  const auto integers = itk::Image<short, 3>::New();
  integers->CopyInformation(filter->GetInput());
  integers->SetRegions(filter->GetInput()->GetLargestPossibleRegion());
  integers->Allocate(true);
  filter->SetNoiseMapImage(integers);
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "A noise map must be an Image or a DeviceImage of float"));
}

} // namespace filterchecks

#endif
