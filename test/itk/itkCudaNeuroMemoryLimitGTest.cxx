// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// MaximumDeviceMemory holds in every filter.

#include "AtlasPhantom.h"
#include "ItkDeviceTest.h"
#include "FieldImages.h"
#include "LandmarkPoints.h"
#include "RegistrationPhantom.h"
#include "SurfaceMeshes.h"
#include "itkCudaAdaptiveNonLocalMeansImageFilter.h"
#include "itkCudaAnisotropicDiffusionImageFilter.h"
#include "itkCudaBilateralImageFilter.h"
#include "itkCudaBilateralSweepImageFilter.h"
#include "itkCudaComposeDisplacementFieldsImageFilter.h"
#include "itkCudaGreedyFluidRegistrationFilter.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaGeodesicShootingToDisplacementFieldFilter.h"
#include "itkCudaDisplacementFieldJacobianDeterminantFilter.h"
#include "itkCudaGradientImageFilter.h"
#include "itkCudaInvertDisplacementFieldImageFilter.h"
#include "itkCudaLabelToSignedDistanceImageFilter.h"
#include "itkCudaMeshDenoisingFilter.h"
#include "itkCudaLinearRegistrationFilter.h"
#include "itkCudaMultiResolutionPyramidImageFilter.h"
#include "itkCudaNeuroException.h"
#include "itkCudaNoiseEstimateImageFilter.h"
#include "itkCudaNoiseMapImageFilter.h"
#include "itkCudaNonLocalMeansImageFilter.h"
#include "itkCudaNonLocalMeansLevelSetImageFilter.h"
#include "itkCudaReinitializeSignedDistanceImageFilter.h"
#include "itkCudaStatisticsImageFilter.h"
#include "itkCudaStructuralSimilarityImageFilter.h"
#include "itkCudaSymmetricRegistrationFilter.h"
#include "itkCudaUnbiasedFluidRegistrationFilter.h"
#include "itkCudaWarpImageFilter.h"

using namespace testimages;

namespace
{

using ImageType = ImageOf<float, 3>;
using FieldType = FieldImageOf<3>;
using DeviceImageType = itk::DeviceImage<float, 3>;

ImageType::Pointer
SomeImage()
{
  return Phantom<ImageType>(0.2, { { 33, 21, 47 } });
}

FieldType::Pointer
SomeField()
{
  return WavyField<3>(SomeImage());
}

/** The scalars or the components of an output. */
std::vector<double>
Values(const ImageType * image)
{
  return Pixels(image);
}
std::vector<double>
Values(const FieldType * field)
{
  return Components(field);
}

template <typename TFilter>
std::vector<double>
FirstOutput(TFilter * filter)
{
  return Values(filter->GetOutput());
}

} // namespace

class CudaNeuroMemoryLimit : public ItkDeviceTest
{
protected:
  /** Updates with one byte, and with as many as the exception of the update before says are needed, until that is
   * enough. The last update gives the bits of one without a limit, and so does another without. The CPU has no
   * limit. */
  template <typename TFilter, typename TResult>
  void
  CheckLimit(TFilter * filter, const TResult & result)
  {
    filter->SetComputeDevice(this->GetDevice());
    filter->Update();
    const std::vector<double> expected = result(filter);
    itk::SizeValueType        limit = 1;
    int                       failures = 0;
    constexpr int             mostFailures = 200; // of a registration there are some 50
    for (; failures < mostFailures; ++failures)
    {
      filter->SetMaximumDeviceMemory(limit);
      const itk::SizeValueType needed = this->BytesNeeded(filter, limit);
      if (needed == 0)
      {
        break;
      }
      ASSERT_GT(needed, limit);
      limit = needed;
    }
    EXPECT_LT(failures, mostFailures);
    EXPECT_EQ(failures > 0, GetParam().IsCuda());
    EXPECT_EQ(result(filter), expected);

    filter->SetMaximumDeviceMemory(0);
    filter->Update();
    EXPECT_EQ(result(filter), expected);
  }

  template <typename TFilter>
  void
  CheckLimit(TFilter * filter)
  {
    this->CheckLimit(filter, FirstOutput<TFilter>);
  }

private:
  /** As an update's exception says; 0 for an update without. */
  template <typename TFilter>
  static itk::SizeValueType
  BytesNeeded(TFilter * filter, itk::SizeValueType limit)
  {
    try
    {
      filter->Update();
    }
    catch (const itk::CudaNeuroException & error)
    {
      EXPECT_EQ(error.GetBytesAvailable(), limit);
      EXPECT_TRUE(Contains(error.GetDescription(),
                           std::to_string(error.GetBytesNeeded()) + " bytes are needed and " + std::to_string(limit) +
                             " bytes are allowed by the memory limit"));
      return error.GetBytesNeeded();
    }
    return 0;
  }
};

TEST_P(CudaNeuroMemoryLimit, Bilateral)
{
  const auto filter = itk::CudaBilateralImageFilter<ImageType>::New();
  filter->SetInput(SomeImage());
  this->CheckLimit(filter.GetPointer());
}

TEST_P(CudaNeuroMemoryLimit, BilateralSweep)
{
  const auto filter = itk::CudaBilateralSweepImageFilter<ImageType>::New();
  filter->SetInput(SomeImage());
  this->CheckLimit(filter.GetPointer());
}

/** With an estimate of the noise. */
TEST_P(CudaNeuroMemoryLimit, NonLocalMeans)
{
  const auto filter = itk::CudaNonLocalMeansImageFilter<ImageType>::New();
  filter->SetInput(SomeImage());
  this->CheckLimit(filter.GetPointer());
}

/** With an estimate of the noise at each voxel. */
TEST_P(CudaNeuroMemoryLimit, AdaptiveNonLocalMeans)
{
  const auto filter = itk::CudaAdaptiveNonLocalMeansImageFilter<ImageType>::New();
  filter->SetInput(SomeImage());
  this->CheckLimit(filter.GetPointer());
}

TEST_P(CudaNeuroMemoryLimit, AnisotropicDiffusion)
{
  const auto filter = itk::CudaAnisotropicDiffusionImageFilter<ImageType>::New();
  filter->SetInput(SomeImage());
  filter->SetNumberOfIterations(3);
  this->CheckLimit(filter.GetPointer());
}

TEST_P(CudaNeuroMemoryLimit, StructuralSimilarity)
{
  const auto filter = itk::CudaStructuralSimilarityImageFilter<ImageType>::New();
  filter->SetReferenceImage(SomeImage());
  filter->SetTestImage(Phantom<ImageType>(0.19, { { 33, 21, 47 } }));
  this->CheckLimit(filter.GetPointer());
}

TEST_P(CudaNeuroMemoryLimit, Statistics)
{
  const auto filter = itk::CudaStatisticsImageFilter<ImageType>::New();
  filter->SetInput(SomeImage());
  this->CheckLimit(filter.GetPointer(), [](auto * statistics) {
    return std::vector<double>{ statistics->GetMean(), statistics->GetMinimum(), statistics->GetMaximum() };
  });
}

TEST_P(CudaNeuroMemoryLimit, DiscreteGaussian)
{
  const auto filter = itk::CudaDiscreteGaussianImageFilter<ImageType>::New();
  filter->SetInput(SomeImage());
  filter->SetSigma(2.0);
  this->CheckLimit(filter.GetPointer());
}

TEST_P(CudaNeuroMemoryLimit, Gradient)
{
  const auto filter = itk::CudaGradientImageFilter<ImageType>::New();
  filter->SetInput(SomeImage());
  this->CheckLimit(filter.GetPointer(), [](auto * gradient) { return Components(gradient->GetOutput()); });
}

TEST_P(CudaNeuroMemoryLimit, MultiResolutionPyramid)
{
  const auto filter = itk::CudaMultiResolutionPyramidImageFilter<ImageType>::New();
  filter->SetInput(SomeImage());
  filter->SetNumberOfLevels(3);
  this->CheckLimit(filter.GetPointer());
}

TEST_P(CudaNeuroMemoryLimit, NoiseEstimate)
{
  const auto filter = itk::CudaNoiseEstimateImageFilter<ImageType>::New();
  filter->SetInput(SomeImage());
  this->CheckLimit(filter.GetPointer(), [](auto * f) { return std::vector<double>{ f->GetNoiseStandardDeviation() }; });
}

TEST_P(CudaNeuroMemoryLimit, NoiseMap)
{
  const auto filter = itk::CudaNoiseMapImageFilter<ImageType>::New();
  filter->SetInput(SomeImage());
  this->CheckLimit(filter.GetPointer());
}

TEST_P(CudaNeuroMemoryLimit, Warp)
{
  const auto filter = itk::CudaWarpImageFilter<ImageType>::New();
  filter->SetInput(SomeImage());
  filter->SetDisplacementField(SomeField());
  this->CheckLimit(filter.GetPointer());
  filter->SetOutputParametersFromImage(OtherGrid<ImageType>()); // the field is resampled
  this->CheckLimit(filter.GetPointer());
}

TEST_P(CudaNeuroMemoryLimit, ComposeDisplacementFields)
{
  const auto filter = itk::CudaComposeDisplacementFieldsImageFilter<FieldType>::New();
  filter->SetDisplacementField(SomeField());
  filter->SetWarpingField(SomeField());
  this->CheckLimit(filter.GetPointer());
}

TEST_P(CudaNeuroMemoryLimit, InvertDisplacementField)
{
  const auto filter = itk::CudaInvertDisplacementFieldImageFilter<FieldType>::New();
  filter->SetInput(SomeField());
  this->CheckLimit(filter.GetPointer());
}

TEST_P(CudaNeuroMemoryLimit, DisplacementFieldJacobianDeterminant)
{
  const auto filter = itk::CudaDisplacementFieldJacobianDeterminantFilter<FieldType>::New();
  filter->SetInput(SomeField());
  this->CheckLimit(filter.GetPointer());
}

TEST_P(CudaNeuroMemoryLimit, UploadAndDownload)
{
  const auto upload = itk::DeviceUploadImageFilter<ImageOf<short, 3>, DeviceImageType>::New();
  upload->SetInput(Phantom<ImageOf<short, 3>>());
  this->CheckLimit(upload.GetPointer(), [](auto * filter) { return Pixels(filter->GetOutput()); });
  const auto download = itk::DeviceDownloadImageFilter<DeviceImageType, ImageOf<short, 3>>::New();
  download->SetInput(upload->GetOutput());
  this->CheckLimit(download.GetPointer(), [](auto * filter) { return Pixels(filter->GetOutput()); });
}

/** What is on the device already does not count: there is nothing left to allocate. */
TEST_P(CudaNeuroMemoryLimit, DeviceImagesDoNotCount)
{
  const auto filter = itk::CudaAnisotropicDiffusionImageFilter<DeviceImageType>::New();
  filter->SetInput(Upload(SomeImage().GetPointer(), this->GetDevice()));
  filter->SetNumberOfIterations(1);
  filter->Update();
  const std::vector<double> expected = Pixels(filter->GetOutput());
  filter->SetMaximumDeviceMemory(100000); // for a few small tables; a volume is 130 kB
  filter->Update();
  EXPECT_EQ(Pixels(filter->GetOutput()), expected);
}

namespace
{

template <typename TFilter>
typename TFilter::Pointer
SmallRegistration()
{
  const auto filter = registrationphantom::MakeFilter<TFilter>(
    registrationphantom::Fixed<ImageType>(), registrationphantom::Moving<ImageType>(), itk::ComputeDevice());
  filter->SetNumberOfIterations(2);
  filter->ComputeInverseOn();
  return filter;
}

/** All numbers of the results. */
template <typename TFilter>
std::vector<double>
Results(TFilter * filter)
{
  std::vector<double> results = Values(filter->GetDisplacementField());
  for (const double value : Values(filter->GetInverseDisplacementField()))
  {
    results.push_back(value);
  }
  results.push_back(filter->GetEnergy());
  return results;
}

} // namespace

TEST_P(CudaNeuroMemoryLimit, UnbiasedRegistration)
{
  using FilterType = itk::CudaUnbiasedFluidRegistrationFilter<ImageType>;
  const auto filter = SmallRegistration<FilterType>();
  this->CheckLimit(filter.GetPointer(), Results<FilterType>);
}

TEST_P(CudaNeuroMemoryLimit, SymmetricRegistration)
{
  using FilterType = itk::CudaSymmetricRegistrationFilter<ImageType>;
  const auto filter = SmallRegistration<FilterType>();
  this->CheckLimit(filter.GetPointer(), Results<FilterType>);
}

TEST_P(CudaNeuroMemoryLimit, LocalCorrelation)
{
  using FilterType = itk::CudaGreedyFluidRegistrationFilter<ImageType>;
  const auto filter = SmallRegistration<FilterType>();
  filter->SetMetric("LocalCorrelation");
  this->CheckLimit(filter.GetPointer(), Results<FilterType>);
}

TEST_P(CudaNeuroMemoryLimit, LinearRegistration)
{
  const auto filter = itk::CudaLinearRegistrationFilter<ImageType>::New();
  filter->SetFixedImage(registrationphantom::Fixed<ImageType>());
  filter->SetMovingImage(registrationphantom::Moving<ImageType>());
  filter->SetNumberOfLevels(2);
  filter->SetNumberOfIterations(3);
  this->CheckLimit(filter.GetPointer(), [](auto * done) {
    std::vector<double> result = Pixels(done->GetWarpedImage());
    const auto          values = done->GetMetricValues();
    result.insert(result.end(), values.begin(), values.end());
    return result;
  });
}

/** Work areas of transforms count. */
TEST_P(CudaNeuroMemoryLimit, FourierTransform)
{
  using FilterType = itk::CudaGreedyFluidRegistrationFilter<ImageType>;
  const auto filter = SmallRegistration<FilterType>();
  filter->SetVelocityMethod("FourierTransform");
  filter->SetComputeDevice(this->GetDevice());
  const std::string message = MessageOf([&] { filter->Update(); });
  if (!message.empty())
  {
    GTEST_SKIP() << message; // the library of transforms is not there
  }
  this->CheckLimit(filter.GetPointer(), Results<FilterType>);
}

/** What does not fit at once comes and goes, with the same bits. */
TEST_P(CudaNeuroMemoryLimit, DiffeomorphicAtlas)
{
  const auto atlas = atlasphantom::MakeAtlas(this->GetDevice());
  atlas->SetNumberOfIterationsPerLevel({ 2, 1 });
  this->CheckLimit(atlas.GetPointer(), [](auto * filter) {
    std::vector<double> results = Values(filter->GetOutput());
    for (const double value : Values(filter->GetDisplacementField(2)))
    {
      results.push_back(value);
    }
    return results;
  });
}

TEST_P(CudaNeuroMemoryLimit, GeodesicShooting)
{
  using PointSetType = landmarkpoints::PointsOf<3>;
  const auto registration = landmarkpoints::MakeRegistration<PointSetType>(this->GetDevice());
  registration->SetMaximumNumberOfIterations(2);
  this->CheckLimit(registration.GetPointer(), [](auto * filter) { return filter->GetTrajectory(); });

  const auto filter = itk::CudaGeodesicShootingToDisplacementFieldFilter<FieldType>::New();
  filter->SetTransform(registration->GetTransform());
  filter->SetReferenceImage(SomeImage());
  filter->UseReferenceImageOn();
  this->CheckLimit(filter.GetPointer());
}

TEST_P(CudaNeuroMemoryLimit, NonLocalMeansLevelSet)
{
  const auto filter = itk::CudaNonLocalMeansLevelSetImageFilter<ImageType>::New();
  filter->SetInput(surfaceimages::WavyBallDistance<ImageType>());
  filter->SetPatchSize(3);
  filter->SetNumberOfIterations(2);
  filter->ReinitializeOn();
  this->CheckLimit(filter.GetPointer());
}

TEST_P(CudaNeuroMemoryLimit, ReinitializeSignedDistance)
{
  const auto filter = itk::CudaReinitializeSignedDistanceImageFilter<ImageType>::New();
  filter->SetInput(surfaceimages::WavyBallDistance<ImageType>());
  this->CheckLimit(filter.GetPointer());
}

TEST_P(CudaNeuroMemoryLimit, LabelToSignedDistance)
{
  using LabelImageType = ImageOf<unsigned char, 3>;
  const auto filter = itk::CudaLabelToSignedDistanceImageFilter<LabelImageType, ImageType>::New();
  filter->SetInput(surfaceimages::ThreeLabels<LabelImageType>(1, 2, 3));
  this->CheckLimit(filter.GetPointer(), [](auto * f) { return Values(f->GetOutput(1)); });
}

TEST_P(CudaNeuroMemoryLimit, MeshToSignedDistance)
{
  using FilterType = itk::CudaMeshToSignedDistanceImageFilter<surfacemeshes::MeshType, ImageType>;
  const auto filter = FilterType::New();
  filter->SetInput(surfacemeshes::Box());
  filter->SetReferenceImage(surfacemeshes::ReferenceImage());
  filter->UseReferenceImageOn();
  this->CheckLimit(filter.GetPointer());
}

TEST_P(CudaNeuroMemoryLimit, MeshDenoising)
{
  const auto filter = itk::CudaMeshDenoisingFilter<surfacemeshes::MeshType>::New();
  filter->SetInput(surfacemeshes::Box());
  this->CheckLimit(filter.GetPointer(), [](auto * f) {
    std::vector<double> coordinates;
    for (itk::IdentifierType i = 0; i < f->GetOutput()->GetNumberOfPoints(); ++i)
    {
      const auto point = f->GetOutput()->GetPoint(i);
      coordinates.insert(coordinates.end(), point.Begin(), point.End());
    }
    return coordinates;
  });
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaNeuroMemoryLimit);
