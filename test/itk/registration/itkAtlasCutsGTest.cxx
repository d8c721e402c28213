// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What the atlas filter tells of images that its template cuts.

#include "AtlasPhantom.h"
#include "RegistrationChecks.h"

#include "itkRegionOfInterestImageFilter.h"

using namespace testimages;
using namespace registrationphantom;
using namespace atlasphantom;
using namespace registrationchecks;

class AtlasFilterCuts : public ItkDeviceTest
{
protected:
  /** The lower half of an image along the third axis. */
  static ImageType::Pointer
  LowerHalf(const ImageType * image)
  {
    auto region = image->GetLargestPossibleRegion();
    region.SetSize(2, region.GetSize(2) / 2);
    const auto filter = itk::RegionOfInterestImageFilter<ImageType, ImageType>::New();
    filter->SetInput(image);
    filter->SetRegionOfInterest(region);
    filter->Update();
    return filter->GetOutput();
  }
};

TEST_P(AtlasFilterCuts, AreAWarning)
{
  const auto images = Population<ImageType>();
  const auto atlas = MakeAtlas(images, this->GetDevice());
  atlas->SetNumberOfLevels(1);
  atlas->SetNumberOfIterationsPerLevel({ 1 });
  {
    const WarningCapture warnings;
    atlas->Update();
    EXPECT_EQ(warnings.GetText(), "");
    EXPECT_EQ(atlas->GetCutFractions(), std::vector<double>(3, 0.0));
  }
  atlas->SetReferenceImage(LowerHalf(images[0]));
  const WarningCapture warnings;
  atlas->Update();
  for (const double fraction : atlas->GetCutFractions())
  {
    // The phantom is about as much in the one half as in the other.
    EXPECT_NEAR(fraction, 0.5, 0.25);
  }
  EXPECT_TRUE(
    Contains(warnings.GetText(), "Parts of images lie beyond the grid of the template, and are lost: image 0 ("));
  EXPECT_TRUE(Contains(warnings.GetText(), "image 2 ("));
  EXPECT_TRUE(Contains(warnings.GetText(), "a ReferenceImage whose grid holds all images keeps them"));
}

CUDANEURO_TEST_ON_ALL_DEVICES(AtlasFilterCuts);
