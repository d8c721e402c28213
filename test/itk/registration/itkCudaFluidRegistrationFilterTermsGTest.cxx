// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What the registration filters make of channels, points and labels; what they are worth is tested in the engine.

#include "RegistrationChecks.h"
#include "itkCudaGreedyFluidRegistrationFilter.h"
#include "itkCudaSymmetricRegistrationFilter.h"
#include "itkCudaUnbiasedFluidRegistrationFilter.h"
#include "itkDeviceUploadImageFilter.h"
#include "itkPointSet.h"
#include "itkTranslationTransform.h"

#include <algorithm>
#include <vector>

using namespace testimages;
using namespace registrationphantom;
using namespace registrationchecks;

namespace
{

using UnbiasedType = itk::CudaUnbiasedFluidRegistrationFilter<ImageType>;
using SymmetricType = itk::CudaSymmetricRegistrationFilter<ImageType>;
using GreedyType = itk::CudaGreedyFluidRegistrationFilter<ImageType>;
using LabelImageType = itk::Image<unsigned char, 3>;
using TranslationType = itk::TranslationTransform<double, 3>;

/** The object where a function is not 0. */
ImageType::Pointer
Part(const ImageType::Pointer & image, bool isUpper)
{
  const auto part = ImageType::New();
  part->CopyInformation(image);
  part->SetRegions(image->GetLargestPossibleRegion());
  part->Allocate();
  ForEachVoxel<3>(image, [&](itk::OffsetValueType i, const PointOf<3> & p) {
    part->GetBufferPointer()[i] = (p[2] > center) == isUpper ? image->GetBufferPointer()[i] : 0.0f;
  });
  return part;
}

template <typename TFilter>
typename TFilter::Pointer
MakeTermFilter(const itk::ComputeDevice & device)
{
  const auto filter = TFilter::New();
  filter->SetComputeDevice(device);
  filter->SetFixedImage(Fixed<ImageType>());
  filter->SetMovingImage(Moving<ImageType>());
  filter->SetNumberOfLevels(2);
  filter->SetNumberOfIterations(40);
  return filter;
}

/** Points inside the object, and where the known map takes them. */
struct Points
{
  std::vector<double> fixed;
  std::vector<double> moving;

  Points()
  {
    for (int k = 0; k < 40; ++k)
    {
      PointOf<3> p;
      for (unsigned int axis = 0; axis < 3; ++axis)
      {
        const std::uint64_t seed = 3 * static_cast<std::uint64_t>(k) + axis;
        p[axis] = center - 8.0 + 16.0 * static_cast<double>(seed * 2654435761U % 1000U) / 1000.0;
      }
      const PointOf<3> q = Deformed<3>(p);
      fixed.insert(fixed.end(), p.Begin(), p.End());
      moving.insert(moving.end(), q.Begin(), q.End());
    }
  }
};

double
Largest(const std::vector<double> & values)
{
  return *std::max_element(values.begin(), values.end());
}

LabelImageType::Pointer
Labels(const FunctionOf<3> & radiusAt)
{
  const auto labels = CommonGrid<LabelImageType>();
  Fill<unsigned char, 3>(labels, [&](const PointOf<3> & p) {
    const double r = radiusAt(p);
    return r < 6.0 ? 2.0 : (r < 11.0 ? 5.0 : 0.0);
  });
  return labels;
}

} // namespace

class CudaFluidRegistrationFilterTerms : public ItkDeviceTest
{};

TEST_P(CudaFluidRegistrationFilterTerms, ChannelsAreSetByTheirNumber)
{
  const auto filter = MakeTermFilter<UnbiasedType>(this->GetDevice());
  const auto fixed = Fixed<ImageType>();
  const auto moving = Moving<ImageType>();
  filter->SetFixedImage(Part(fixed, false));
  filter->SetMovingImage(Part(moving, false));
  filter->Update();
  const auto   known = KnownField<3>(fixed);
  const double alone = DifferenceInside<3>(filter->GetDisplacementField(), known).mean;
  EXPECT_EQ(filter->GetNumberOfChannels(), 1u);
  filter->SetFixedImage(1, Part(fixed, true));
  filter->SetMovingImage(1, Part(moving, true));
  filter->SetChannelMetric(1, "LocalCorrelation");
  filter->SetChannelCorrelationRadius(1, 2);
  filter->SetChannelWeight(1, 0.5);
  filter->Update();
  EXPECT_EQ(filter->GetNumberOfChannels(), 2u);
  EXPECT_LT(DifferenceInside<3>(filter->GetDisplacementField(), known).mean, 0.6 * alone);
  const std::vector<double> energies = filter->GetChannelEnergies();
  ASSERT_EQ(energies.size(), 2u);
  EXPECT_NEAR(filter->GetImageEnergy(), (energies[0] + 0.5 * energies[1]) / 1.5, 1e-9);
}

TEST_P(CudaFluidRegistrationFilterTerms, ChannelsHaveMasksGridsAndTransforms)
{
  const auto filter = MakeTermFilter<SymmetricType>(this->GetDevice());
  filter->SetFixedImage(1, Fixed<ImageType>());
  filter->SetMovingImage(1, Moving<ImageType>());
  filter->Update();
  const std::vector<double> plain = Numbers<3>(filter->GetDisplacementField());
  // Both images of the channel, 7 mm away, behind transforms that lead there.
  const auto shifted = [](const ImageType::Pointer & image) {
    ImageType::PointType origin = image->GetOrigin();
    origin[0] += 7.0;
    image->SetOrigin(origin);
    return image;
  };
  const auto shift = TranslationType::New();
  auto       parameters = shift->GetParameters();
  parameters[0] = 7.0;
  shift->SetParameters(parameters);
  filter->SetFixedImage(1, shifted(Fixed<ImageType>()));
  filter->SetMovingImage(1, shifted(Moving<ImageType>()));
  filter->SetChannelFixedTransform(1, shift);
  filter->SetChannelMovingTransform(1, shift);
  filter->Update();
  const std::vector<double> behind = Numbers<3>(filter->GetDisplacementField());
  double                    largest = 0.0;
  for (std::size_t i = 0; i < plain.size(); ++i)
  {
    largest = std::max(largest, std::abs(plain[i] - behind[i]));
  }
  // Coordinates of 40 and 47 mm round otherwise.
  EXPECT_LT(largest, 0.01);
  const auto mask = LabelImageType::New();
  mask->CopyInformation(filter->GetFixedImage(1));
  mask->SetRegions(filter->GetFixedImage(1)->GetLargestPossibleRegion());
  mask->Allocate();
  mask->FillBuffer(0);
  filter->SetFixedMaskImage(1, mask);
  const std::string message = MessageOf([&] { filter->Update(); });
  EXPECT_TRUE(Contains(message, "of channel 1")) << message;
}

TEST_P(CudaFluidRegistrationFilterTerms, PointsPullWithoutImages)
{
  const auto   filter = MakeTermFilter<GreedyType>(this->GetDevice());
  const Points points;
  filter->SetChannelWeight(0, 0.0);
  filter->SetFixedPoints(points.fixed);
  filter->SetMovingPoints(points.moving);
  filter->Update();
  ASSERT_EQ(filter->GetInitialPointDistances().size(), points.fixed.size() / 3);
  EXPECT_GT(Largest(filter->GetInitialPointDistances()), 1.5);
  EXPECT_LT(Largest(filter->GetPointDistances()), 0.5);
  EXPECT_GT(filter->GetPointEnergy(), 0.0);
  // From sets of points.
  const auto setOf = [](const std::vector<double> & coordinates) {
    const auto set = itk::PointSet<float, 3>::New();
    for (std::size_t k = 0; k < coordinates.size() / 3; ++k)
    {
      itk::Point<float, 3> p;
      std::copy_n(coordinates.begin() + static_cast<std::ptrdiff_t>(3 * k), 3, p.Begin());
      set->SetPoint(k, p);
    }
    return set;
  };
  filter->SetFixedPointSet(setOf(points.fixed).GetPointer());
  filter->SetMovingPointSet(setOf(points.moving).GetPointer());
  EXPECT_EQ(filter->GetFixedPoints().size(), points.fixed.size());
  EXPECT_FLOAT_EQ(static_cast<float>(filter->GetFixedPoints()[4]), static_cast<float>(points.fixed[4]));
  filter->SetPointStandardDeviations({ 1.0, 2.0 });
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "standard deviations of points is 2"));
  filter->SetPointStandardDeviations({ 1.0 });
  filter->SetMovingPoints({ 1.0, 2.0 });
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "must be a multiple of 3"));
}

TEST_P(CudaFluidRegistrationFilterTerms, LabelsPullWithoutImages)
{
  const auto filter = MakeTermFilter<UnbiasedType>(this->GetDevice());
  filter->SetUnbiasedWeight(0.01);
  filter->SetChannelWeight(0, 0.0);
  const auto fixed = Labels([](const PointOf<3> & p) { return DistanceFromCenter<3>(Deformed<3>(p)); });
  const auto moving = Labels([](const PointOf<3> & p) { return DistanceFromCenter<3>(p); });
  filter->SetFixedLabelImage(fixed);
  filter->SetMovingLabelImage(moving);
  filter->Update();
  const double first = filter->GetIterations()[40].labelEnergy;
  EXPECT_LT(filter->GetLabelEnergy(), 0.5 * first);
  // One label alone.
  filter->SetLabelWeights({ 0.0, 0.0, 1.0 });
  filter->Update();
  EXPECT_LT(filter->GetLabelEnergy(), 0.5 * filter->GetIterations()[40].labelEnergy);
  EXPECT_LT(filter->GetIterations()[40].labelEnergy, 0.6 * first);
  filter->SetMovingLabelImage(nullptr);
  EXPECT_FALSE(MessageOf([&] { filter->Update(); }).empty());
  filter->SetMovingLabelImage(Moving<ImageType>());
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "unsigned char or unsigned short"));
}

TEST_P(CudaFluidRegistrationFilterTerms, ChannelsAreRefusedWithTheirNumber)
{
  const auto filter = MakeTermFilter<UnbiasedType>(this->GetDevice());
  EXPECT_TRUE(Contains(MessageOf([&] { filter->SetFixedImage(8, Fixed<ImageType>()); }), "channel is 8"));
  filter->SetFixedImage(1, Fixed<ImageType>());
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "moving image of channel 1"));
  filter->SetMovingImage(1, Moving<ImageType>());
  filter->SetChannelWeight(0, 0.0);
  filter->SetChannelWeight(1, 0.0);
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "must be greater than 0"));
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaFluidRegistrationFilterTerms);
