// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What ITK expects of every class: defaults, setters and getters, Print, names.

#include "ParameterTable.h"
#include "itkCudaAdaptiveNonLocalMeansImageFilter.h"
#include "itkCudaAnisotropicDiffusionImageFilter.h"
#include "itkCudaBilateralImageFilter.h"
#include "itkCudaGeodesicShootingRegistration.h"
#include "itkCudaGeodesicShootingToDisplacementFieldFilter.h"
#include "itkCudaLabelToSignedDistanceImageFilter.h"
#include "itkCudaLabelSurfaceFilter.h"
#include "itkCudaMeshDenoisingFilter.h"
#include "itkCudaMeshToSignedDistanceImageFilter.h"
#include "itkCudaNearestNeighbors.h"
#include "itkCudaNeuroException.h"
#include "itkCudaNoiseMapImageFilter.h"
#include "itkCudaNonLocalMeansImageFilter.h"
#include "itkCudaNonLocalMeansLevelSetImageFilter.h"
#include "itkCudaReinitializeSignedDistanceImageFilter.h"
#include "itkCudaStructuralSimilarityImageFilter.h"
#include "itkMesh.h"
#include "itkPinnedImageContainer.h"


using namespace parametertable;
using namespace testimages;

namespace
{

using ImageType = itk::Image<float, 3>;

/** What all classes have that compute on a device. */
template <typename TProcess>
void
CheckProcess(const char * name)
{
  const auto process = TProcess::New();
  EXPECT_STREQ(process->GetNameOfClass(), name);
  EXPECT_EQ(process->GetReferenceCount(), 1);
  const itk::LightObject::Pointer another = process->CreateAnother();
  EXPECT_NE(dynamic_cast<TProcess *>(another.GetPointer()), nullptr);
  EXPECT_NE(another.GetPointer(), process.GetPointer());
  ExpectPrints(process,
               { name,
                 "ComputeDevice: (default)",
                 "MaximumDeviceMemory: 0",
                 "HostToDeviceBytes: 0",
                 "DeviceToHostBytes: 0",
                 "DeviceMilliseconds: 0" });
  EXPECT_EQ(process->GetMaximumDeviceMemory(), 0u);
  ExpectSets(process.GetPointer(), &TProcess::SetMaximumDeviceMemory, &TProcess::GetMaximumDeviceMemory, 123456u);
  const auto before = process->GetMTime();
  process->SetComputeDevice(itk::ComputeDevice());
  EXPECT_GT(process->GetMTime(), before) << "from the default to a device is a change";
  EXPECT_EQ(process->GetComputeDevice(), itk::ComputeDevice());
  ExpectPrints(process, { "ComputeDevice: cpu", "MaximumDeviceMemory: 123456" });
}

/** And filters of images. */
template <typename TFilter>
void
CheckBasics(const char * name)
{
  CheckProcess<TFilter>(name);
  const auto filter = TFilter::New();
  ExpectPrints(filter, { "UsePinnedOutput: On", "NumberOfSlabs: 0" });
  EXPECT_TRUE(filter->GetUsePinnedOutput());
  ExpectSets(filter.GetPointer(), &TFilter::SetUsePinnedOutput, &TFilter::GetUsePinnedOutput, false);
  ExpectPrints(filter, { "UsePinnedOutput: Off" });
}

} // namespace

TEST(CudaNeuroClasses, Bilateral)
{
  using FilterType = itk::CudaBilateralImageFilter<ImageType>;
  CheckBasics<FilterType>("CudaBilateralImageFilter");
  const auto filter = FilterType::New();
  EXPECT_TRUE(filter->GetAutomaticDomainSigma());
  EXPECT_TRUE(filter->GetAutomaticRangeSigma());
  EXPECT_EQ(filter->GetRangeFactor(), 0.0);
  ExpectSets(filter.GetPointer(), &FilterType::SetRangeFactor, &FilterType::GetRangeFactor, 1.25);
  using P = cudaneuro::BilateralParameters;
  ExpectParameters(filter.GetPointer(),
                   P(),
                   {},
                   CUDANEURO_PARAMETER(domainSigma, DomainSigma),
                   CUDANEURO_PARAMETER(rangeSigma, RangeSigma),
                   CUDANEURO_PARAMETER(radius, Radius),
                   CUDANEURO_PARAMETER(useImageSpacing, UseImageSpacing));
  EXPECT_FALSE(filter->GetAutomaticDomainSigma());
  EXPECT_FALSE(filter->GetAutomaticRangeSigma());
  filter->SetRadius(FilterType::SizeType{ { 1, 2, 3 } });
  ExpectPrints(filter,
               { "AutomaticRangeSigma: Off",
                 "RangeFactor: 1.25",
                 "DomainSigma: [4, 4, 4]",
                 "RangeSigma: 25",
                 "Radius: [1, 2, 3]",
                 "UseImageSpacing: Off" });
}

TEST(CudaNeuroClasses, AnisotropicDiffusion)
{
  using FilterType = itk::CudaAnisotropicDiffusionImageFilter<ImageType>;
  CheckBasics<FilterType>("CudaAnisotropicDiffusionImageFilter");
  const auto filter = FilterType::New();
  EXPECT_TRUE(filter->GetAutomaticKappa());
  EXPECT_EQ(filter->GetKappaFactor(), 0.0);
  ExpectSets(filter.GetPointer(), &FilterType::SetKappaFactor, &FilterType::GetKappaFactor, 1.25);
  using P = cudaneuro::AnisotropicDiffusionParameters;
  ExpectParameters(filter.GetPointer(),
                   P(),
                   {},
                   CUDANEURO_PARAMETER(stencil, Stencil),
                   CUDANEURO_PARAMETER(conductance, Conductance),
                   CUDANEURO_PARAMETER(numberOfIterations, NumberOfIterations),
                   CUDANEURO_PARAMETER(timeStep, TimeStep),
                   CUDANEURO_PARAMETER(kappa, Kappa),
                   CUDANEURO_PARAMETER(useImageSpacing, UseImageSpacing));
  EXPECT_FALSE(filter->GetAutomaticKappa());
  filter->SetConductance("TukeyBiweight");
  ExpectPrints(filter,
               { "AutomaticKappa: Off",
                 "KappaFactor: 1.25",
                 "Conductance: TukeyBiweight",
                 "NumberOfIterations: 21",
                 "TimeStep: 0.015625" });
  EXPECT_TRUE(Contains(MessageOf([&] { filter->SetStencil("Six"); }),
                       "Unknown stencil \"Six\": use one of PeronaMalik6, Gerig26, Weickert26, GeometricMean26"));
}

TEST(CudaNeuroClasses, NonLocalMeans)
{
  using FilterType = itk::CudaNonLocalMeansImageFilter<ImageType>;
  CheckBasics<FilterType>("CudaNonLocalMeansImageFilter");
  const auto filter = FilterType::New();
  EXPECT_TRUE(filter->GetAutomaticSmoothing());
  EXPECT_TRUE(filter->GetAutomaticNoiseEstimation());
  EXPECT_EQ(filter->GetSmoothingFactor(), 0.0);
  ExpectSets(filter.GetPointer(), &FilterType::SetSmoothingFactor, &FilterType::GetSmoothingFactor, 1.25);
  ExpectSets(filter.GetPointer(), &FilterType::SetSmoothingParameter, &FilterType::GetSmoothingParameter, 9.5);
  using P = cudaneuro::NonLocalMeansParameters;
  ExpectParameters(filter.GetPointer(),
                   P(),
                   { "SmoothingParameter" },
                   CUDANEURO_PARAMETER(weighting, Weighting),
                   CUDANEURO_PARAMETER(centerWeight, CenterWeight),
                   CUDANEURO_PARAMETER(windowRadius, WindowRadius),
                   CUDANEURO_PARAMETER(patchRadius, PatchRadius),
                   CUDANEURO_PARAMETER(ricianCorrection, RicianCorrection),
                   CUDANEURO_PARAMETER(noiseStandardDeviation, NoiseStandardDeviation));
  EXPECT_FALSE(filter->GetAutomaticSmoothing());
  EXPECT_FALSE(filter->GetAutomaticNoiseEstimation());
  ExpectPrints(
    filter,
    { "AutomaticSmoothing: Off", "SmoothingParameter: 9.5", "SmoothingFactor: 1.25", "AutomaticNoiseEstimation: Off" });
}

TEST(CudaNeuroClasses, AdaptiveNonLocalMeans)
{
  using FilterType = itk::CudaAdaptiveNonLocalMeansImageFilter<ImageType>;
  CheckBasics<FilterType>("CudaAdaptiveNonLocalMeansImageFilter");
  const auto filter = FilterType::New();
  EXPECT_TRUE(filter->GetAutomaticNoiseEstimation());
  EXPECT_EQ(filter->GetNumberOfVoxelsWithoutNoise(), 0U);
  EXPECT_EQ(filter->GetNoiseMapImage(), nullptr);
  using P = cudaneuro::AdaptiveNonLocalMeansParameters;
  P defaults;
  defaults.noiseStandardDeviation = 0.0; // that of no image
  ExpectParameters(filter.GetPointer(),
                   defaults,
                   {},
                   CUDANEURO_PARAMETER(smoothingFactor, SmoothingFactor),
                   CUDANEURO_PARAMETER(ricianCorrection, RicianCorrection),
                   CUDANEURO_PARAMETER(noiseStandardDeviation, NoiseStandardDeviation));
  EXPECT_FALSE(filter->GetAutomaticNoiseEstimation());
  ExpectPrints(filter, { "AutomaticNoiseEstimation: Off", "NumberOfVoxelsWithoutNoise: 0" });
}

TEST(CudaNeuroClasses, NoiseMap)
{
  using FilterType = itk::CudaNoiseMapImageFilter<ImageType>;
  CheckBasics<FilterType>("CudaNoiseMapImageFilter");
  const auto filter = FilterType::New();
  using P = cudaneuro::NoiseMapParameters;
  ExpectParameters(filter.GetPointer(),
                   P(),
                   {},
                   CUDANEURO_PARAMETER(smoothingSigma, SmoothingSigma),
                   CUDANEURO_PARAMETER(ricianCorrection, RicianCorrection));
  ExpectPrints(filter, { "RicianCorrection: On", "MeanNoise: 0", "NumberOfVoxels: 0", "NumberOfExcludedVoxels: 0" });
}

TEST(CudaNeuroClasses, StructuralSimilarity)
{
  using FilterType = itk::CudaStructuralSimilarityImageFilter<ImageType>;
  CheckBasics<FilterType>("CudaStructuralSimilarityImageFilter");
  const auto filter = FilterType::New();
  EXPECT_TRUE(filter->GetAutomaticDataRange());
  EXPECT_TRUE(filter->GetComputeMap());
  ExpectSets(filter.GetPointer(), &FilterType::SetDataRange, &FilterType::GetDataRange, 255.0);
  using P = cudaneuro::StructuralSimilarityParameters;
  ExpectParameters(filter.GetPointer(),
                   P(),
                   { "DataRange" },
                   CUDANEURO_PARAMETER(k1, K1),
                   CUDANEURO_PARAMETER(k2, K2),
                   CUDANEURO_PARAMETER(windowSigma, WindowSigma));
  EXPECT_FALSE(filter->GetAutomaticDataRange());
  ExpectSets(filter.GetPointer(), &FilterType::SetComputeMap, &FilterType::GetComputeMap, false);
  const auto image = Phantom<ImageType>();
  filter->SetReferenceImage(image);
  filter->SetTestImage(image);
  EXPECT_EQ(filter->GetReferenceImage(), image.GetPointer());
  EXPECT_EQ(filter->GetTestImage(), image.GetPointer());
  ExpectPrints(filter,
               { "AutomaticDataRange: Off",
                 "DataRange: 255",
                 "K1: 0.005",
                 "ComputeMap: Off",
                 "MeanStructuralSimilarity: 0",
                 "MeanSquaredError: 0" });
}

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
