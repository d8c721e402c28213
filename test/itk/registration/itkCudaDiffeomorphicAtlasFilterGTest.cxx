// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What the atlas filter computes: mean shapes that are known, order and weights, geometry, masks, outputs.

#include "AtlasPhantom.h"
#include "RegistrationChecks.h"
#include "RegistrationPhantom.h"
#include "itk/TestImages.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace testimages;
using namespace registrationphantom;
using namespace atlasphantom;
using namespace registrationchecks;

/** The plain mean of the images is blurred; the atlas is the shape that is known to be their mean. */
TEST_P(CudaDiffeomorphicAtlasFilter, RecoversTheMeanShape)
{
  const auto atlas = MakeAtlas(this->GetDevice());
  atlas->SetNumberOfIterationsPerLevel({ 40, 20 });
  atlas->ComputeInitialMeanOn();
  atlas->ComputeDeformedImagesOn();
  atlas->Update();
  const auto truth = Moving<ImageType>();
  EXPECT_LT(MeanDifference(atlas->GetOutput(), truth), 0.4 * MeanDifference(atlas->GetInitialMean(), truth));
  double before = 0.0;
  double after = 0.0;
  for (unsigned int image = 0; image < 3; ++image)
  {
    before += MeanDifference(atlas->GetInput(image), atlas->GetOutput());
    after += MeanDifference(atlas->GetDeformedImage(image), atlas->GetOutput());
  }
  EXPECT_LT(after, 0.25 * before);
  EXPECT_EQ(atlas->GetNumberOfFoldedVoxels(), 0u);
  EXPECT_GT(atlas->GetMinimumJacobian(), 0.0);
  const auto energies = atlas->GetEnergies();
  EXPECT_LT(energies.back(), 0.3 * energies.front());
}

/** What the last shape update leaves of the mean is what the inversion of a field and the interpolation of fields that
 * vary over voxels are precise to: some hundredths of a voxel. Without it there is more. */
TEST_P(CudaDiffeomorphicAtlasFilter, DisplacementsHaveMeanZero)
{
  const std::vector<double> weights{ 1.0, 2.0, 0.5 };
  const auto                atlas = MakeAtlas(this->GetDevice());
  atlas->SetWeights(weights);
  atlas->Update();
  EXPECT_LT(LongestMeanDisplacement(atlas.GetPointer(), weights), 0.05);
  // At iterations 10 and 12 of the first level, and at 8 of the second.
  EXPECT_EQ(atlas->GetDrifts().size(), 3u);
  EXPECT_EQ(atlas->GetDriftMaxima().size(), 3u);
  EXPECT_EQ(atlas->GetDriftRotations().size(), 3u);
  EXPECT_GT(atlas->GetDriftRootMeanSquares().front(), 0.0);
  EXPECT_GE(atlas->GetDriftMaxima().front(), atlas->GetDriftRootMeanSquares().front());

  atlas->SetShapeUpdateInterval(0);
  atlas->Update();
  EXPECT_TRUE(atlas->GetDrifts().empty());
  EXPECT_GT(LongestMeanDisplacement(atlas.GetPointer(), weights), 0.1);
}

/** The phantom's whole numbers are sums of integers exactly, so that there is no force at all. */
TEST_P(CudaDiffeomorphicAtlasFilter, IdenticalImagesStay)
{
  const auto image = Phantom<ImageType>(0.2, { { 33, 29, 31 } });
  for (const char * const method : { "Mean", "TrimmedMean", "Median" })
  {
    const auto atlas = MakeAtlas(std::vector<ImageType::Pointer>{ image, image, image }, this->GetDevice());
    atlas->SetMeanMethod(method);
    atlas->SetNumberOfIterations(3);
    ExpectOutput(atlas, Pixels(image.GetPointer()));
    const std::vector<double> zeros(3 * image->GetLargestPossibleRegion().GetNumberOfPixels(), 0.0);
    for (unsigned int i = 0; i < 3; ++i)
    {
      ExpectSame(Numbers<3>(atlas->GetDisplacementField(i)), zeros);
    }
    EXPECT_EQ(atlas->GetMinimumJacobian(), 1.0) << method;
    EXPECT_EQ(atlas->GetEnergy(), 0.0) << method;
  }
}

/** The same bits. */
TEST_P(CudaDiffeomorphicAtlasFilter, OrderDoesNotMatter)
{
  const auto images = Population<ImageType>();
  const auto atlas = MakeAtlas(images, this->GetDevice());
  atlas->SetWeights({ 1.0, 2.0, 0.7 });
  atlas->Update();
  const auto other = MakeAtlas(std::vector<ImageType::Pointer>{ images[2], images[0], images[1] }, this->GetDevice());
  other->SetWeights({ 0.7, 1.0, 2.0 });
  ExpectOutput(other, Pixels(atlas->GetOutput()));
  ExpectSame(Numbers<3>(other->GetDisplacementField(0)), Numbers<3>(atlas->GetDisplacementField(2)));
  ExpectSame(Numbers<3>(other->GetDisplacementField(1)), Numbers<3>(atlas->GetDisplacementField(0)));
}

/** The same bits with two shares as with one. */
TEST_P(CudaDiffeomorphicAtlasFilter, SharesDoNotMatter)
{
  const auto atlas = MakeAtlas(this->GetDevice());
  atlas->Update();
  const auto        shared = MakeAtlas(this->GetDevice());
  const std::string name = this->GetDevice().GetName();
  shared->SetComputeDevices({ name, name });
  shared->Update();
  EXPECT_EQ(shared->GetComputeDevices(), (std::vector<std::string>{ name, name }));
  ExpectSame(Pixels(shared->GetOutput()), Pixels(atlas->GetOutput()));
  ExpectSame(Numbers<3>(shared->GetDisplacementField(2)), Numbers<3>(atlas->GetDisplacementField(2)));
}

/** Weights are divided by their sum, which rounds: the last bits differ, and iterations carry them on. */
TEST_P(CudaDiffeomorphicAtlasFilter, WeightsAreRepetitions)
{
  const auto images = Population<ImageType>();
  const auto weighted = MakeAtlas(images, this->GetDevice());
  weighted->SetWeights({ 2.0, 1.0, 1.0 });
  const auto repeated =
    MakeAtlas(std::vector<ImageType::Pointer>{ images[0], images[0], images[1], images[2] }, this->GetDevice());
  weighted->Update();
  ExpectOutput(repeated, Pixels(weighted->GetOutput()), 0.1); // of 250
  EXPECT_LT(DifferenceInside<3>(repeated->GetDisplacementField(1), weighted->GetDisplacementField(0)).maximum, 0.01);
  EXPECT_NEAR(repeated->GetEnergy(), weighted->GetEnergy(), 1e-3 * weighted->GetEnergy());
}

/** An image of weight 0 follows the template of the others, and does not change it. */
TEST_P(CudaDiffeomorphicAtlasFilter, WeightZeroHasNoInfluence)
{
  const auto images = Population<ImageType>();
  const auto atlas = MakeAtlas(images, this->GetDevice());
  atlas->SetWeights({ 1.0, 0.0, 1.0 });
  atlas->Update();
  const auto other = MakeAtlas(std::vector<ImageType::Pointer>{ images[0], images[2] }, this->GetDevice());
  ExpectOutput(other, Pixels(atlas->GetOutput()), 0.1); // of 250, as above
  const auto toTemplate = Numbers<3>(atlas->GetDisplacementField(1));
  EXPECT_GT(*std::max_element(toTemplate.begin(), toTemplate.end()), 0.05);
}

/** One image of five has failed: it is twice as bright. Without iterations, the template is the median of the images,
 * or their mean without the lowest and the highest value, exactly. */
TEST_P(CudaDiffeomorphicAtlasFilter, RobustMeansLeaveOutASingleImage)
{
  std::vector<ImageType::Pointer> images;
  for (const double scale : { -0.6, -0.2, 0.2, 0.6, 0.1 })
  {
    images.push_back(Deformed<ImageType>(scale));
  }
  float * const failed = images.back()->GetBufferPointer();
  std::for_each(failed, failed + 40 * 40 * 40, [](float & value) { value *= 2.0f; });
  std::vector<double> medians;
  std::vector<double> means;
  for (std::size_t i = 0; i < 40 * 40 * 40; ++i)
  {
    std::vector<double> values;
    values.reserve(images.size());
    for (const auto & image : images)
    {
      values.push_back(static_cast<double>(image->GetBufferPointer()[i]));
    }
    std::sort(values.begin(), values.end());
    medians.push_back(values[2]);
    means.push_back((values[1] + values[2] + values[3]) / 3.0);
  }
  const auto atlas = MakeAtlas(images, this->GetDevice());
  atlas->SetNumberOfIterations(0);
  atlas->SetMeanMethod("Median");
  ExpectOutput(atlas, medians, 1e-4); // of 500: what 32 bits of a float and of a sum resolve
  atlas->SetMeanMethod("TrimmedMean");
  atlas->SetTrimmedFraction(0.2);
  ExpectOutput(atlas, means, 1e-4);
}

/** The template on another grid, which is oblique and whose indices do not begin at 0, of images on several grids. */
TEST_P(CudaDiffeomorphicAtlasFilter, TakesImagesOnAnyGrid)
{
  auto images = Population<ImageType>();
  images[1] = Deformed<ImageType>(populationScales[1], ObliqueGrid<ImageType>());
  const auto grid = ObliqueGrid<ImageType>();
  const auto atlas = MakeAtlas(images, this->GetDevice());
  atlas->SetReferenceImage(grid);
  atlas->ComputeInverseDisplacementFieldsOn();
  atlas->ComputeDeformedImagesOn();
  atlas->ComputeJacobianImagesOn();
  atlas->ComputeInitialMeanOn();
  atlas->Update();
  ExpectSameGeometry<3>(atlas->GetOutput(), grid);
  ExpectSameGeometry<3>(atlas->GetInitialMean(), grid);
  for (unsigned int image = 0; image < 3; ++image)
  {
    ExpectSameGeometry<3>(atlas->GetDisplacementField(image), grid);
    ExpectSameGeometry<3>(atlas->GetInverseDisplacementField(image), grid);
    ExpectSameGeometry<3>(atlas->GetDeformedImage(image), grid);
    ExpectSameGeometry<3>(atlas->GetJacobianImage(image), grid);
  }
  const auto truth = Moving<ImageType>(ObliqueGrid<ImageType>());
  EXPECT_LT(MeanDifference(atlas->GetOutput(), truth), 0.6 * MeanDifference(atlas->GetInitialMean(), truth));
  EXPECT_LT(atlas->GetMaximumInverseConsistency(), 0.5);
}

/** Something bright that one image has, outside its mask, does no harm. */
TEST_P(CudaDiffeomorphicAtlasFilter, HonorsMasks)
{
  const auto images = Population<ImageType>();
  const auto truth = MakeAtlas(images, this->GetDevice());
  truth->Update();
  const auto blob = BoxAround(28.0, 24.0, 20.0);
  const auto mask = MaskWithout(blob, images[0]);
  Brighten(images[1], blob, 400.0f);
  const auto without = MakeAtlas(images, this->GetDevice());
  without->Update();
  const auto atlas = MakeAtlas(images, this->GetDevice());
  atlas->SetMaskImage(1, mask);
  EXPECT_EQ(atlas->GetMaskImage(1), mask.GetPointer());
  EXPECT_EQ(atlas->GetMaskImage(0), nullptr);
  atlas->Update();
  EXPECT_LT(MeanDifference(atlas->GetOutput(), truth->GetOutput()),
            0.2 * MeanDifference(without->GetOutput(), truth->GetOutput()));
  // The mask of all images: the template has no value there.
  atlas->SetMaskImage(1, nullptr);
  atlas->SetMaskImage(mask);
  EXPECT_EQ(atlas->GetMaskImage(2), mask.GetPointer());
  atlas->SetNumberOfIterations(0);
  atlas->Update();
  EXPECT_EQ(atlas->GetOutput()->GetPixel({ { 28, 24, 20 } }), 0.0f);
  EXPECT_NE(atlas->GetOutput()->GetPixel({ { 20, 20, 20 } }), 0.0f);
}

TEST_P(CudaDiffeomorphicAtlasFilter, StartsFromATemplate)
{
  const auto atlas = MakeAtlas(this->GetDevice());
  atlas->SetNumberOfLevels(1);
  atlas->SetNumberOfIterations(1);
  atlas->Update();
  const double ofMean = atlas->GetEnergy();
  atlas->SetInitialTemplate(Deformed<ImageType>(populationScales[2]));
  atlas->Update();
  EXPECT_GT(atlas->GetEnergy(), ofMean);
  EXPECT_EQ(atlas->GetCurrentImageEnergies()[2], 0.0);
}

TEST_P(CudaDiffeomorphicAtlasFilter, WorksIn2D)
{
  using FlatType = itk::Image<float, 2>;
  const auto atlas = MakeAtlas<itk::CudaDiffeomorphicAtlasFilter<FlatType>>(Population<FlatType>(), this->GetDevice());
  atlas->Update();
  EXPECT_LT(LongestMeanDisplacement(atlas.GetPointer(), { 1.0, 1.0, 1.0 }), 0.05);
  EXPECT_LT(atlas->GetEnergies().back(), 0.5 * atlas->GetEnergies().front());
}

/** Integer pixels hold the phantom to half a unit; the template is of float. */
TEST_P(CudaDiffeomorphicAtlasFilter, TakesOtherPixelTypes)
{
  const auto ofFloat = MakeAtlas(this->GetDevice());
  ofFloat->Update();
  using ByteType = itk::Image<unsigned char, 3>;
  const auto atlas = MakeAtlas<itk::CudaDiffeomorphicAtlasFilter<ByteType>>(Population<ByteType>(), this->GetDevice());
  atlas->Update();
  EXPECT_LT(MeanDifference(atlas->GetOutput(), ofFloat->GetOutput()), 1.0);
}

/** Device images have the bits of images. */
TEST_P(CudaDiffeomorphicAtlasFilter, TakesAndGivesDeviceImages)
{
  using DeviceType = itk::DeviceImage<float, 3>;
  using DeviceFieldType = itk::DeviceImage<itk::Vector<float, 3>, 3>;
  const auto onHost = MakeAtlas(this->GetDevice());
  onHost->Update();
  std::vector<DeviceType::Pointer> images;
  for (const auto & image : Population<ImageType>())
  {
    images.push_back(Upload(image.GetPointer(), this->GetDevice()));
  }
  const auto atlas =
    MakeAtlas<itk::CudaDiffeomorphicAtlasFilter<DeviceType, DeviceType, DeviceFieldType>>(images, this->GetDevice());
  ExpectOutput(atlas, Pixels(onHost->GetOutput()));
  ExpectSame(Numbers<3>(itk::CudaNeuroDetail::HostField<3>(atlas->GetDisplacementField(1))),
             Numbers<3>(onHost->GetDisplacementField(1)));
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaDiffeomorphicAtlasFilter);

class CudaDiffeomorphicAtlasFilterOnCuda : public DeviceTest
{};

/** 0.05 voxels are promised, as of the registrations. */
TEST_P(CudaDiffeomorphicAtlasFilterOnCuda, AgreesWithCpu)
{
  for (const char * const method : { "SuccessiveOverRelaxation", "FourierTransform" })
  {
    const auto onDevice = MakeAtlas(itk::ComputeDevice(GetParam()));
    const auto onCpu = MakeAtlas(itk::ComputeDevice());
    for (const auto & atlas : { onDevice, onCpu })
    {
      atlas->SetVelocityMethod(method);
      atlas->Update();
    }
    for (unsigned int image = 0; image < 3; ++image)
    {
      const auto difference =
        DifferenceInside<3>(onDevice->GetDisplacementField(image), onCpu->GetDisplacementField(image), 100.0);
      EXPECT_LT(difference.maximum, 0.05) << method << ' ' << image;
    }
    EXPECT_LT(MeanDifference(onDevice->GetOutput(), onCpu->GetOutput()), 0.1) << method;
  }
}

CUDANEURO_TEST_ON_CUDA(CudaDiffeomorphicAtlasFilterOnCuda);
