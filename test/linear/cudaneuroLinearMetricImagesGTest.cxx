// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearTestCases.h"

#include <algorithm>
#include <limits>

/** What linear metrics take as images, masks, quantiles and maps, and what they refuse. */
namespace
{

using namespace lineartests;

constexpr RegistrationMetric metrics[] = { RegistrationMetric::MeanSquares,
                                           RegistrationMetric::LocalCorrelation,
                                           RegistrationMetric::MutualInformation };

class LinearMetricImagesTest : public DeviceTest
{
protected:
  LinearMetricEvaluation
  EvaluateAt(const PlacedImage &            fixed,
             const PlacedImage &            moving,
             const LinearMetricParameters & parameters,
             const AffineMap &              map = ObliqueMap())
  {
    return EvaluateOne(this->GetContext(), parameters, Compare(fixed, moving), map);
  }

  LinearMetricEvaluation
  EvaluateAt(const PlacedImage & fixed, const PlacedImage & moving, RegistrationMetric metric)
  {
    LinearMetricParameters parameters;
    parameters.metric = metric;
    return this->EvaluateAt(fixed, moving, parameters);
  }

  void
  ExpectRefused(const LinearMetricParameters & parameters,
                const LinearMetricImages &     images,
                const std::string &            name,
                const std::string &            value)
  {
    ExpectInvalidParameter([&] { LinearMetric(this->GetContext(), parameters, images); }, name, value);
  }
};

void
ExpectSame(const LinearMetricEvaluation & a, const LinearMetricEvaluation & b)
{
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.overlap, b.overlap);
  EXPECT_EQ(a.derivativeByMatrix, b.derivativeByMatrix);
  EXPECT_EQ(a.derivativeByOffset, b.derivativeByOffset);
}

TEST_P(LinearMetricImagesTest, IsNotLookedAtOutsideMasks)
{
  for (const RegistrationMetric metric : metrics)
  {
    for (const bool isSymmetric : { false, true })
    {
      LinearMetricParameters parameters;
      parameters.metric = metric;
      parameters.useSymmetricMetric = isSymmetric;
      PlacedImage fixed = FixedImage();
      PlacedImage moving = MovingImage();
      AddMask(0.3, fixed);
      AddMask(1.7, moving);
      const LinearMetricEvaluation original = this->EvaluateAt(fixed, moving, parameters);
      const float                  others[] = {
                         std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -3e38f, 3e38f
      };
      for (PlacedImage * image : { &fixed, &moving })
      {
        for (std::size_t i = 0; i < image->values.size(); ++i)
        {
          image->values[i] = image->mask[i] != 0 ? image->values[i] : others[i % 4];
        }
      }
      ExpectSame(this->EvaluateAt(fixed, moving, parameters), original);
    }
  }
}

TEST_P(LinearMetricImagesTest, TakesAllPixelTypes)
{
  PlacedImage fixed = FixedImage();
  PlacedImage moving = MovingImage();
  for (PlacedImage * image : { &fixed, &moving })
  {
    for (float & value : image->values)
    {
      value = std::floor(0.2f * std::abs(value)); // what all types have
    }
  }
  const LinearMetricEvaluation      original = this->EvaluateAt(fixed, moving, RegistrationMetric::MutualInformation);
  const std::vector<unsigned char>  ofFixed(fixed.values.begin(), fixed.values.end());
  const std::vector<double>         doubles(moving.values.begin(), moving.values.end());
  const std::vector<short>          shorts(moving.values.begin(), moving.values.end());
  const std::vector<unsigned short> unsignedShorts(moving.values.begin(), moving.values.end());
  for (const ConstVolume & volume : { ConstView(doubles), ConstView(shorts), ConstView(unsignedShorts) })
  {
    LinearMetricImages images = Compare(fixed, moving);
    images.fixedImage = ConstView(ofFixed);
    images.movingImage = volume;
    ExpectSame(EvaluateOne(this->GetContext(), LinearMetricParameters(), images, ObliqueMap()), original);
  }
}

TEST_P(LinearMetricImagesTest, TakesVolumesInMemoryOfTheDevice)
{
  Context &   context = this->GetContext();
  PlacedImage fixed = FixedImage();
  PlacedImage moving = MovingImage();
  AddMask(0.3, fixed);
  const LinearMetricEvaluation original = this->EvaluateAt(fixed, moving, RegistrationMetric::MutualInformation);
  LinearMetricImages           images = Compare(fixed, moving);
  std::vector<DeviceMemory>    memory;
  const auto                   upload = [&](const Grid & grid, ConstVolume & volume) {
    memory.push_back(AllocateDeviceMemory(context.GetDevice(),
                                          static_cast<std::size_t>(grid.NumberOfVoxels()) * PixelSize(volume.type)));
    const MemorySpace space = context.GetDevice().IsCuda() ? MemorySpace::Device : MemorySpace::Host;
    CopyVolume(context, grid, volume, { memory.back().Data(), volume.type, space });
    volume.data = memory.back().Data();
    volume.space = space;
  };
  upload(images.fixedGeometry.grid, images.fixedImage);
  upload(images.fixedGeometry.grid, images.fixedMask);
  upload(images.movingGeometry.grid, images.movingImage);
  ExpectSame(EvaluateOne(context, LinearMetricParameters(), images, ObliqueMap()), original);
}

TEST_P(LinearMetricImagesTest, CopiesTheImages)
{
  PlacedImage fixed = FixedImage();
  PlacedImage moving = MovingImage();
  AddMask(0.3, fixed);
  LinearMetric                 metric(this->GetContext(), LinearMetricParameters(), Compare(fixed, moving));
  const LinearMetricEvaluation original = this->EvaluateAt(fixed, moving, RegistrationMetric::MutualInformation);
  std::fill(fixed.values.begin(), fixed.values.end(), 1.0f);
  std::fill(fixed.mask.begin(), fixed.mask.end(), static_cast<unsigned char>(0));
  moving.values.clear();
  std::vector<LinearMetricEvaluation> evaluations(1);
  evaluations[0].map = ObliqueMap();
  metric.Evaluate(evaluations);
  ExpectSame(evaluations[0], original);
}

/** The image with intensities outside two of its own made these. */
PlacedImage
Clamped(PlacedImage image, float least, float largest)
{
  for (float & value : image.values)
  {
    value = std::min(std::max(value, least), largest);
  }
  return image;
}

TEST_P(LinearMetricImagesTest, QuantilesBoundIntensities)
{
  PlacedImage fixed = FixedImage();
  PlacedImage moving = MovingImage();
  // So bright that the histogram of the whole image has all other voxels in one bin.
  for (const std::size_t i : { 10U, 500U, 2000U })
  {
    fixed.values[i] = 1e9f + 1e8f * static_cast<float>(i);
    moving.values[i] = -1e12f;
  }
  const auto quantile = [](const PlacedImage & image, double fraction) {
    std::vector<float> sorted = image.values;
    std::sort(sorted.begin(), sorted.end());
    return sorted[static_cast<std::size_t>(fraction * static_cast<double>(sorted.size()))];
  };
  for (const RegistrationMetric metric : metrics)
  {
    LinearMetricParameters parameters;
    parameters.metric = metric;
    parameters.repairOutliers = false; // they are what the quantiles are to leave out
    const double expected = this
                              ->EvaluateAt(Clamped(fixed, quantile(fixed, 0.01), quantile(fixed, 0.98)),
                                           Clamped(moving, quantile(moving, 0.01), quantile(moving, 0.98)),
                                           parameters)
                              .value;
    parameters.intensityQuantiles = { 0.01, 0.98 };
    // Quantiles are found to 1 / 256 of the range between them, which moves intensities by 1 / 9 of a bin at most.
    EXPECT_NEAR(this->EvaluateAt(fixed, moving, parameters).value, expected, 0.01 * std::abs(expected));
    parameters.intensityQuantiles = { 0.0, 1.0 };
    EXPECT_GT(std::abs(this->EvaluateAt(fixed, moving, parameters).value - expected), 0.1 * std::abs(expected));
  }
}

TEST_P(LinearMetricImagesTest, TellsTheOverlap)
{
  // Moved by 5 of 21 voxels of 1.1 mm, and by all of them.
  const PlacedImage                   fixed = FixedImage();
  std::vector<LinearMetricEvaluation> evaluations(3);
  evaluations[0].map.offset = { 5.5, 0.0, 0.0 };
  evaluations[1].map.offset = { 23.1, 0.0, 0.0 };
  LinearMetric metric(this->GetContext(), LinearMetricParameters(), Compare(fixed, fixed));
  metric.Evaluate(evaluations);
  EXPECT_DOUBLE_EQ(evaluations[0].overlap, 16.0 / 21.0);
  EXPECT_EQ(evaluations[1].overlap, 0.0);
  EXPECT_EQ(evaluations[1].value, std::numeric_limits<double>::infinity());
  EXPECT_EQ(evaluations[2].overlap, 1.0);
  EXPECT_LT(evaluations[2].value, evaluations[0].value);
}

TEST_P(LinearMetricImagesTest, RefusesParameters)
{
  const PlacedImage      fixed = FixedImage();
  const PlacedImage      moving = MovingImage();
  LinearMetricParameters parameters;
  parameters.intensityQuantiles = { 0.75, 0.75 };
  this->ExpectRefused(parameters, Compare(fixed, moving), "IntensityQuantiles[0]", "0.75");
}

TEST_P(LinearMetricImagesTest, RefusesImages)
{
  const LinearMetricParameters parameters;
  const PlacedImage            fixed = FixedImage();
  const PlacedImage            moving = MovingImage();
  LinearMetricImages           absent = Compare(fixed, moving);
  absent.movingImage.data = nullptr;
  this->ExpectRefused(parameters, absent, "movingImage", "absent");
  this->ExpectRefused(parameters, Compare(fixed, MovingImage2D()), "the size of the moving image", "36 x 30 x 1");
  PlacedImage singular = moving;
  singular.geometry.direction = { 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0 };
  this->ExpectRefused(parameters, Compare(fixed, singular), "the determinant of the matrix", "0");
  PlacedImage nowhere = fixed;
  nowhere.geometry.origin[1] = std::numeric_limits<double>::quiet_NaN();
  this->ExpectRefused(parameters, Compare(nowhere, moving), "origin[1] of the fixed image", "nan");
  PlacedImage notFinite = moving;
  std::fill(notFinite.values.begin(), notFinite.values.end(), std::numeric_limits<float>::quiet_NaN());
  notFinite.values[9] = std::numeric_limits<float>::infinity();
  this->ExpectRefused(parameters, Compare(fixed, notFinite), "the number of finite voxels of the moving image", "0");
  PlacedImage masked = fixed;
  masked.mask.assign(masked.values.size(), 0);
  this->ExpectRefused(parameters, Compare(masked, moving), "the number of voxels in the mask of the fixed image", "0");
}

TEST_P(LinearMetricImagesTest, RefusesConstantImages)
{
  LinearMetricParameters parameters;
  const PlacedImage      fixed = FixedImage();
  PlacedImage            moving = MovingImage();
  moving.mask.assign(moving.values.size(), 0);
  std::fill_n(moving.mask.begin(), 100, static_cast<unsigned char>(1));
  std::fill_n(moving.values.begin(), 100, 42.0f);
  this->ExpectRefused(parameters, Compare(fixed, moving), "the intensity of the moving image inside its mask", "42");
  // But for the brightest and the darkest voxels, which are beyond the quantiles.
  std::fill(moving.mask.begin(), moving.mask.end(), static_cast<unsigned char>(1));
  std::fill(moving.values.begin(), moving.values.end(), 0.0f);
  std::fill_n(moving.values.begin(), 50, 900.0f);
  std::fill_n(moving.values.begin() + 50, 50, -900.0f);
  parameters.intensityQuantiles = { 0.02, 0.98 };
  this->ExpectRefused(parameters, Compare(fixed, moving), "IntensityQuantiles[1]", "0.98");
  parameters.intensityQuantiles = { 0.001, 0.999 };
  EXPECT_NO_THROW(LinearMetric(this->GetContext(), parameters, Compare(fixed, moving)));
}

TEST_P(LinearMetricImagesTest, RefusesMaps)
{
  const auto refuses = [&](const LinearMetricImages & images,
                           bool                       isSymmetric,
                           const AffineMap &          map,
                           const std::string &        name,
                           const std::string &        value) {
    LinearMetricParameters parameters;
    parameters.useSymmetricMetric = isSymmetric;
    LinearMetric                        metric(this->GetContext(), parameters, images);
    std::vector<LinearMetricEvaluation> evaluations(2);
    evaluations[1].map = map;
    ExpectInvalidParameter([&] { metric.Evaluate(evaluations); }, name, value);
  };
  const PlacedImage fixed = FixedImage();
  const PlacedImage moving = MovingImage();
  AffineMap         map;
  map.matrix[5] = std::numeric_limits<double>::quiet_NaN();
  refuses(Compare(fixed, moving), false, map, "matrix[5] of the map", "nan");
  map = AffineMap();
  map.offset[2] = std::numeric_limits<double>::infinity();
  refuses(Compare(fixed, moving), false, map, "offset[2] of the map", "inf");
  map = AffineMap();
  map.matrix[4] = 0.0;
  refuses(Compare(fixed, moving), true, map, "the determinant of the matrix", "0");
  const PlacedImage fixed2D = FixedImage2D();
  const PlacedImage moving2D = MovingImage2D();
  map = AffineMap();
  map.offset[2] = 0.25;
  refuses(Compare(fixed2D, moving2D),
          false,
          map,
          "the distance by which the map misses the plane of the moving slice",
          "0.25 mm");
}

TEST_P(LinearMetricImagesTest, EvaluatesNoMaps)
{
  const PlacedImage                   fixed = FixedImage();
  LinearMetric                        metric(this->GetContext(), LinearMetricParameters(), Compare(fixed, fixed));
  std::vector<LinearMetricEvaluation> none;
  EXPECT_NO_THROW(metric.Evaluate(none));
}

CUDANEURO_TEST_ON_ALL_DEVICES(LinearMetricImagesTest);

} // namespace
