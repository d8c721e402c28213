// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What ITK expects of the classes of surfaces, landmarks, neighbors and memory: defaults, setters and getters, Print,
// names. denoising/itkDenoisingClassesGTest.cxx has the classes that denoise images, and registration/ those that
// register them.

#include "ClassChecks.h"
#include "ParameterTable.h"
#include "TestImages.h"
#include "itkCudaGeodesicShootingRegistration.h"
#include "itkCudaGeodesicShootingToDisplacementFieldFilter.h"
#include "itkCudaLabelSurfaceFilter.h"
#include "itkCudaLabelToSignedDistanceImageFilter.h"
#include "itkCudaMeshDenoisingFilter.h"
#include "itkCudaMeshToSignedDistanceImageFilter.h"
#include "itkCudaNearestNeighbors.h"
#include "itkCudaNeuroException.h"
#include "itkCudaNonLocalMeansLevelSetImageFilter.h"
#include "itkCudaReinitializeSignedDistanceImageFilter.h"
#include "itkMesh.h"
#include "itkPinnedImageContainer.h"

using namespace classchecks;
using namespace parametertable;
using namespace testimages;

namespace
{

using ImageType = itk::Image<float, 3>;

} // namespace

TEST(CudaNeuroClasses, NonLocalMeansLevelSet)
{
  using FilterType = itk::CudaNonLocalMeansLevelSetImageFilter<ImageType>;
  CheckBasics<FilterType>("CudaNonLocalMeansLevelSetImageFilter");
  const auto filter = FilterType::New();
  using P = cudaneuro::NonLocalMeansLevelSetParameters;
  ExpectParameters(filter.GetPointer(),
                   P(),
                   {},
                   CUDANEURO_PARAMETER(bandWidth, BandWidth),
                   CUDANEURO_PARAMETER(patchSize, PatchSize),
                   CUDANEURO_PARAMETER(numberOfNeighbors, NumberOfNeighbors),
                   CUDANEURO_PARAMETER(spatialScale, SpatialScale),
                   CUDANEURO_PARAMETER(similarityScale, SimilarityScale),
                   CUDANEURO_PARAMETER(numberOfIterations, NumberOfIterations),
                   CUDANEURO_PARAMETER(numberOfPasses, NumberOfPasses),
                   CUDANEURO_PARAMETER(reinitialize, Reinitialize),
                   CUDANEURO_PARAMETER(volumeCorrection, VolumeCorrection));
  ExpectPrints(filter,
               { "VolumeCorrection: Off",
                 "UsedBandWidth: 0",
                 "UsedSpatialScale: 0",
                 "UsedSimilarityScale: 0",
                 "NumberOfBandVoxels: 0",
                 "TimeStep: 0",
                 "LowGradientNorm: 1",
                 "HighGradientNorm: 1",
                 "VolumeBefore: 0",
                 "VolumeAfter: 0",
                 "VolumeOffset: 0" });
}

TEST(CudaNeuroClasses, ReinitializeSignedDistance)
{
  using FilterType = itk::CudaReinitializeSignedDistanceImageFilter<ImageType>;
  CheckBasics<FilterType>("CudaReinitializeSignedDistanceImageFilter");
  const auto filter = FilterType::New();
  using P = cudaneuro::SignedDistanceParameters;
  ExpectParameters(filter.GetPointer(), P(), {}, CUDANEURO_PARAMETER(reach, Reach));
  ExpectPrints(filter, { "UsedReach: 0" });
}

TEST(CudaNeuroClasses, LabelToSignedDistance)
{
  using FilterType = itk::CudaLabelToSignedDistanceImageFilter<itk::Image<short, 3>, ImageType>;
  CheckBasics<FilterType>("CudaLabelToSignedDistanceImageFilter");
  const auto filter = FilterType::New();
  using P = cudaneuro::SignedDistanceParameters;
  ExpectParameters(filter.GetPointer(), P(), {}, CUDANEURO_PARAMETER(reach, Reach));
  EXPECT_EQ(filter->GetBackgroundValue(), 0);
  EXPECT_TRUE(filter->GetLabels().empty());
  ExpectSets(filter.GetPointer(), &FilterType::SetBackgroundValue, &FilterType::GetBackgroundValue, short{ -3 });
  const auto before = filter->GetMTime();
  filter->SetLabels({ 5, -1, 5 });
  EXPECT_GT(filter->GetMTime(), before);
  const auto after = filter->GetMTime();
  filter->SetLabels({ -1, 5 });
  EXPECT_EQ(filter->GetMTime(), after);
  ExpectPrints(filter, { "UsedReach: 0", "BackgroundValue: -3", "ChosenLabels: -1 5", "Labels:" });
}

TEST(CudaNeuroClasses, NearestNeighbors)
{
  using SearchType = itk::CudaNearestNeighbors;
  CheckProcess<SearchType>("CudaNearestNeighbors");
  const auto search = SearchType::New();
  EXPECT_EQ(search->GetPoints(), nullptr);
  EXPECT_EQ(search->GetQueries(), nullptr);
  using P = cudaneuro::NearestNeighborsParameters;
  ExpectParameters(search.GetPointer(),
                   P(),
                   { "Dimension" },
                   CUDANEURO_PARAMETER(numberOfNeighbors, NumberOfNeighbors),
                   CUDANEURO_PARAMETER(excludeSelf, ExcludeSelf));
}

TEST(CudaNeuroClasses, GeodesicShootingRegistration)
{
  using RegistrationType = itk::CudaGeodesicShootingRegistration<itk::PointSet<float, 3>>;
  CheckProcess<RegistrationType>("CudaGeodesicShootingRegistration");
  const auto registration = RegistrationType::New();
  EXPECT_TRUE(registration->GetComputeTrajectories());
  EXPECT_EQ(registration->GetNumberOfTargets(), 0u);
  auto * const object = registration.GetPointer();
  {
    using P = cudaneuro::GeodesicShootingParameters;
    ExpectParameters(object,
                     P(),
                     {},
                     CUDANEURO_PARAMETER(sigma, Sigma),
                     CUDANEURO_PARAMETER(lambda, Lambda),
                     CUDANEURO_PARAMETER(numberOfTimeSteps, NumberOfTimeSteps),
                     CUDANEURO_PARAMETER(integrator, Integrator),
                     CUDANEURO_PARAMETER(precision, Precision));
  }
  {
    using P = itk::CudaNeuroDetail::LandmarkMatchingParameters;
    ExpectParameters(object,
                     P(),
                     {},
                     CUDANEURO_PARAMETER(maximumNumberOfIterations, MaximumNumberOfIterations),
                     CUDANEURO_PARAMETER(convergenceThreshold, ConvergenceThreshold),
                     CUDANEURO_PARAMETER(gradientTolerance, GradientTolerance),
                     CUDANEURO_PARAMETER(numberOfCorrections, NumberOfCorrections));
  }
  {
    using P = itk::CudaNeuroDetail::LandmarkRegistrationParameters;
    ExpectParameters(object, P(), { "Shooting", "Matching" }, CUDANEURO_PARAMETER(pointAlignment, PointAlignment));
  }
  ExpectSets(object, &RegistrationType::SetComputeTrajectories, &RegistrationType::GetComputeTrajectories, false);
  ExpectPrints(registration, { "ComputeTrajectories: Off", "NumberOfTargets: 0" });
}

TEST(CudaNeuroClasses, GeodesicShootingToDisplacementField)
{
  using FilterType = itk::CudaGeodesicShootingToDisplacementFieldFilter<itk::Image<itk::Vector<float, 3>, 3>>;
  CheckProcess<FilterType>("CudaGeodesicShootingToDisplacementFieldFilter");
  const auto filter = FilterType::New();
  EXPECT_EQ(filter->GetPrecisionName(), "Single");
  ExpectSets(filter.GetPointer(), &FilterType::SetUseReferenceImage, &FilterType::GetUseReferenceImage, true);
  ExpectSets(filter.GetPointer(), &FilterType::SetSize, &FilterType::GetSize, FilterType::SizeType{ { 4, 3, 2 } });
  filter->SetPrecision("Double");
  ExpectPrints(filter,
               { "Size: [4, 3, 2]",
                 "OutputStartIndex: [0, 0, 0]",
                 "OutputSpacing: [1, 1, 1]",
                 "OutputOrigin: [0, 0, 0]",
                 "OutputDirection:",
                 "UseReferenceImage: On",
                 "Precision: Double" });
}

TEST(CudaNeuroClasses, LabelSurfaces)
{
  using FilterType = itk::CudaLabelSurfaceFilter<itk::Image<short, 3>, itk::Mesh<float, 3>>;
  CheckProcess<FilterType>("CudaLabelSurfaceFilter");
  const auto filter = FilterType::New();
  EXPECT_TRUE(filter->GetLabels().empty());
  const auto before = filter->GetMTime();
  filter->SetLabels({ 3.0, 1.0 });
  EXPECT_GT(filter->GetMTime(), before);
  EXPECT_EQ(filter->GetLabels(), FilterType::LabelVectorType({ 3.0, 1.0 }));
  ExpectPrints(filter, { "Labels: 3 1", "NumberOfSurfaces: 0" });
}

TEST(CudaNeuroClasses, MeshDenoising)
{
  using FilterType = itk::CudaMeshDenoisingFilter<itk::Mesh<float, 3>>;
  CheckProcess<FilterType>("CudaMeshDenoisingFilter");
  const auto filter = FilterType::New();
  using P = cudaneuro::MeshDenoisingParameters;
  ExpectParameters(filter.GetPointer(), P(), {}, CUDANEURO_PARAMETER(noise, Noise));
  ExpectPrints(filter,
               { "UsedNoise: 0", "MeanEdgeLength: 0", "InputVolume: 0", "OutputVolume: 0", "NumberOfBorderEdges: 0" });
}

TEST(CudaNeuroClasses, MeshToSignedDistance)
{
  using FilterType = itk::CudaMeshToSignedDistanceImageFilter<itk::Mesh<float, 3>, ImageType>;
  CheckProcess<FilterType>("CudaMeshToSignedDistanceImageFilter");
  const auto   filter = FilterType::New();
  auto * const object = filter.GetPointer();
  using P = cudaneuro::SignedDistanceParameters;
  ExpectParameters(object, P(), {}, CUDANEURO_PARAMETER(reach, Reach));
  ExpectSets(object, &FilterType::SetUseReferenceImage, &FilterType::GetUseReferenceImage, true);
  ExpectSets(object, &FilterType::SetSize, &FilterType::GetSize, FilterType::SizeType{ { 4, 3, 2 } });
  ExpectSets(
    object, &FilterType::SetTriangles, &FilterType::GetTriangles, FilterType::TriangleVectorType{ 0, 1, 2, 0, 2, 3 });
  ExpectPrints(filter,
               { "Triangles: 2",
                 "UsedReach: 0",
                 "Size: [4, 3, 2]",
                 "OutputStartIndex: [0, 0, 0]",
                 "OutputSpacing: [1, 1, 1]",
                 "OutputOrigin: [0, 0, 0]",
                 "OutputDirection:",
                 "UseReferenceImage: On",
                 "NumberOfAmbiguousVoxels: 0" });
}

TEST(CudaNeuroClasses, UploadAndDownload)
{
  CheckBasics<itk::DeviceUploadImageFilter<ImageType>>("DeviceUploadImageFilter");
  CheckBasics<itk::DeviceDownloadImageFilter<itk::DeviceImage<float, 3>>>("DeviceDownloadImageFilter");
}

TEST(CudaNeuroClasses, DeviceImage)
{
  using DeviceImageType = itk::DeviceImage<short, 3>;
  const auto image = DeviceImageType::New();
  EXPECT_STREQ(image->GetNameOfClass(), "DeviceImage");
  EXPECT_NE(dynamic_cast<DeviceImageType *>(image->CreateAnother().GetPointer()), nullptr);
  image->SetRegions(DeviceImageType::SizeType{ { 4, 3, 2 } });
  image->Allocate();
  ExpectPrints(image, { "DeviceImage", "ComputeDevice: cpu", "Bytes: 48" });
  // No pixel access from the host, and so no itk::Image: a filter for images refuses it when compiling.
  static_assert(!std::is_base_of_v<itk::Image<short, 3>, DeviceImageType>);
  static_assert(std::is_base_of_v<itk::ImageBase<3>, DeviceImageType>);
}

TEST(CudaNeuroClasses, PinnedImageContainer)
{
  const auto container = itk::PinnedImageContainer<float>::New();
  EXPECT_STREQ(container->GetNameOfClass(), "PinnedImageContainer");
  container->Reserve(10);
  ExpectPrints(container, { "PinnedImageContainer" });
}

TEST(CudaNeuroClasses, Exception)
{
  itk::CudaNeuroException error("file.cu", 12, "cudaMalloc(&p, n)", "out of memory");
  error.SetBytes(2000, 1000);
  const itk::CudaNeuroException copy(error);
  const itk::ExceptionObject &  base = copy;
  EXPECT_STREQ(base.GetNameOfClass(), "CudaNeuroException");
  EXPECT_STREQ(base.GetDescription(), "cudaMalloc(&p, n) failed: out of memory");
  EXPECT_STREQ(base.GetFile(), "file.cu");
  EXPECT_EQ(base.GetLine(), 12u);
  EXPECT_EQ(copy.GetCall(), "cudaMalloc(&p, n)");
  EXPECT_EQ(copy.GetReason(), "out of memory");
  EXPECT_EQ(copy.GetBytesNeeded(), 2000u);
  EXPECT_EQ(copy.GetBytesAvailable(), 1000u);
  EXPECT_TRUE(Contains(base.what(), "out of memory"));
}
