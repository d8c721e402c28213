// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// MaximumDeviceMemory holds in the filters of images, fields, landmarks and surfaces. Those for registration and
// atlases are in registration/itkRegistrationMemoryLimitGTest.cxx, whose tests are instantiated here, too.

#include "FieldImages.h"
#include "MemoryLimitTest.h"
#include "TestImages.h"
#include "itk/landmarks/LandmarkPoints.h"
#include "itk/surface/SurfaceImages.h"
#include "itk/surface/SurfaceMeshes.h"
#include "itkCudaAdaptiveNonLocalMeansImageFilter.h"
#include "itkCudaAnisotropicDiffusionImageFilter.h"
#include "itkCudaBilateralImageFilter.h"
#include "itkCudaBilateralSweepImageFilter.h"
#include "itkCudaComposeDisplacementFieldsImageFilter.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaDisplacementFieldJacobianDeterminantFilter.h"
#include "itkCudaGeodesicShootingToDisplacementFieldFilter.h"
#include "itkCudaGradientImageFilter.h"
#include "itkCudaInvertDisplacementFieldImageFilter.h"
#include "itkCudaLabelToSignedDistanceImageFilter.h"
#include "itkCudaMeshDenoisingFilter.h"
#include "itkCudaMeshToSignedDistanceImageFilter.h"
#include "itkCudaMultiResolutionPyramidImageFilter.h"
#include "itkCudaNoiseEstimateImageFilter.h"
#include "itkCudaNoiseMapImageFilter.h"
#include "itkCudaNonLocalMeansImageFilter.h"
#include "itkCudaNonLocalMeansLevelSetImageFilter.h"
#include "itkCudaReinitializeSignedDistanceImageFilter.h"
#include "itkCudaStatisticsImageFilter.h"
#include "itkCudaStructuralSimilarityImageFilter.h"
#include "itkCudaWarpImageFilter.h"

#include <vector>

using namespace memorylimit;
using namespace testimages;

namespace
{

using DeviceImageType = itk::DeviceImage<float, 3>;

} // namespace

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
