// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What ITK expects of every class: defaults, setters and getters, Print, names.

#include "TestImages.h"
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
#include "itkCudaNonLocalMeansImageFilter.h"
#include "itkCudaNonLocalMeansLevelSetImageFilter.h"
#include "itkCudaReinitializeSignedDistanceImageFilter.h"
#include "itkCudaStructuralSimilarityImageFilter.h"
#include "itkMesh.h"
#include "itkPinnedImageContainer.h"


using namespace testimages;

namespace
{

using ImageType = itk::Image<float, 3>;

/** Print names every parameter, with its value. */
void
ExpectPrints(const itk::LightObject * object, const std::vector<std::string> & parts)
{
  const std::string text = Printed(object);
  for (const std::string & part : parts)
  {
    EXPECT_TRUE(Contains(text, part));
  }
}

/** Sets \p value through \p set, a setter or a function of object and value, and expects it back, and that the
 * object's time goes on only when it is new. */
template <typename TObject, typename TSet, typename TGet, typename TValue>
void
ExpectSets(TObject * object, TSet set, TGet get, const TValue & value)
{
  EXPECT_FALSE((object->*get)() == value) << "the test's value is the default";
  const auto before = object->GetMTime();
  std::invoke(set, object, value);
  EXPECT_TRUE((object->*get)() == value);
  const auto after = object->GetMTime();
  EXPECT_GT(after, before);
  std::invoke(set, object, value);
  EXPECT_EQ(object->GetMTime(), after);
}

template <typename TFilter>
void
CheckBasics(const char * name)
{
  const auto filter = TFilter::New();
  EXPECT_STREQ(filter->GetNameOfClass(), name);
  EXPECT_EQ(filter->GetReferenceCount(), 1);
  const itk::LightObject::Pointer another = filter->CreateAnother();
  EXPECT_NE(dynamic_cast<TFilter *>(another.GetPointer()), nullptr);
  EXPECT_NE(another.GetPointer(), filter.GetPointer());
  ExpectPrints(filter,
               { name,
                 "ComputeDevice: (default)",
                 "MaximumDeviceMemory: 0",
                 "UsePinnedOutput: On",
                 "HostToDeviceBytes: 0",
                 "DeviceToHostBytes: 0",
                 "DeviceMilliseconds: 0",
                 "NumberOfSlabs: 0" });

  EXPECT_EQ(filter->GetMaximumDeviceMemory(), 0u);
  EXPECT_TRUE(filter->GetUsePinnedOutput());
  ExpectSets(filter.GetPointer(), &TFilter::SetMaximumDeviceMemory, &TFilter::GetMaximumDeviceMemory, 123456u);
  ExpectSets(filter.GetPointer(), &TFilter::SetUsePinnedOutput, &TFilter::GetUsePinnedOutput, false);
  const auto before = filter->GetMTime();
  filter->SetComputeDevice(itk::ComputeDevice());
  EXPECT_GT(filter->GetMTime(), before) << "from the default to a device is a change";
  EXPECT_EQ(filter->GetComputeDevice(), itk::ComputeDevice());
  ExpectPrints(filter, { "ComputeDevice: cpu", "MaximumDeviceMemory: 123456", "UsePinnedOutput: Off" });
}

} // namespace

TEST(CudaNeuroClasses, Bilateral)
{
  using FilterType = itk::CudaBilateralImageFilter<ImageType>;
  CheckBasics<FilterType>("CudaBilateralImageFilter");
  const auto filter = FilterType::New();
  EXPECT_EQ(filter->GetDomainSigma(), FilterType::ArrayType::Filled(1.0));
  EXPECT_EQ(filter->GetRangeSigma(), 50.0);
  EXPECT_EQ(filter->GetRadius(), FilterType::SizeType::Filled(2));
  EXPECT_TRUE(filter->GetUseImageSpacing());

  ExpectSets(filter.GetPointer(), &FilterType::SetRangeSigma, &FilterType::GetRangeSigma, 7.5);
  ExpectSets(filter.GetPointer(), &FilterType::SetUseImageSpacing, &FilterType::GetUseImageSpacing, false);
  EXPECT_TRUE(filter->GetAutomaticDomainSigma());
  filter->SetDomainSigma(2.5);
  EXPECT_FALSE(filter->GetAutomaticDomainSigma());
  EXPECT_EQ(filter->GetDomainSigma(), FilterType::ArrayType::Filled(2.5));
  filter->SetRadius(4);
  EXPECT_EQ(filter->GetRadius(), FilterType::SizeType::Filled(4));
  filter->SetRadius(FilterType::SizeType{ { 1, 2, 3 } });
  EXPECT_EQ(filter->GetRadius(), (FilterType::SizeType{ { 1, 2, 3 } }));
  ExpectPrints(filter,
               { "DomainSigma: [2.5, 2.5, 2.5]", "RangeSigma: 7.5", "Radius: [1, 2, 3]", "UseImageSpacing: Off" });
}

TEST(CudaNeuroClasses, AnisotropicDiffusion)
{
  using FilterType = itk::CudaAnisotropicDiffusionImageFilter<ImageType>;
  CheckBasics<FilterType>("CudaAnisotropicDiffusionImageFilter");
  const auto filter = FilterType::New();
  EXPECT_EQ(filter->GetStencil(), FilterType::StencilEnum::GeometricMean26);
  EXPECT_EQ(filter->GetConductance(), FilterType::ConductanceEnum::PeronaMalikRational);
  EXPECT_EQ(filter->GetNumberOfIterations(), 20u);
  EXPECT_EQ(filter->GetTimeStep(), 1.0 / 32.0);
  EXPECT_EQ(filter->GetKappa(), 1.0);
  EXPECT_TRUE(filter->GetUseImageSpacing());

  ExpectSets(
    filter.GetPointer(),
    [](FilterType * object, auto value) { object->SetStencil(value); },
    &FilterType::GetStencil,
    FilterType::StencilEnum::PeronaMalik6);
  ExpectSets(
    filter.GetPointer(),
    [](FilterType * object, auto value) { object->SetConductance(value); },
    &FilterType::GetConductance,
    FilterType::ConductanceEnum::TukeyBiweight);
  ExpectSets(filter.GetPointer(), &FilterType::SetNumberOfIterations, &FilterType::GetNumberOfIterations, 3u);
  ExpectSets(filter.GetPointer(), &FilterType::SetTimeStep, &FilterType::GetTimeStep, 0.0625);
  ExpectSets(filter.GetPointer(), &FilterType::SetKappa, &FilterType::GetKappa, 12.5);
  ExpectSets(filter.GetPointer(), &FilterType::SetUseImageSpacing, &FilterType::GetUseImageSpacing, false);
  ExpectPrints(filter,
               { "Stencil: PeronaMalik6",
                 "Conductance: TukeyBiweight",
                 "NumberOfIterations: 3",
                 "TimeStep: 0.0625",
                 "Kappa: 12.5",
                 "UseImageSpacing: Off" });

  for (const char * name : { "PeronaMalik6", "Gerig26", "Weickert26", "GeometricMean26" })
  {
    filter->SetStencil(name);
    EXPECT_EQ(filter->GetStencilName(), name);
  }
  for (const char * name : { "PeronaMalikExponential", "PeronaMalikRational", "Charbonnier", "TukeyBiweight" })
  {
    filter->SetConductance(name);
    EXPECT_EQ(filter->GetConductanceName(), name);
  }
  EXPECT_TRUE(Contains(MessageOf([&] { filter->SetStencil("Six"); }),
                       "Unknown stencil \"Six\": use one of PeronaMalik6, Gerig26, Weickert26, GeometricMean26"));
}

TEST(CudaNeuroClasses, NonLocalMeans)
{
  using FilterType = itk::CudaNonLocalMeansImageFilter<ImageType>;
  CheckBasics<FilterType>("CudaNonLocalMeansImageFilter");
  const auto filter = FilterType::New();
  EXPECT_EQ(filter->GetWeighting(), FilterType::WeightingEnum::PatchDistance);
  EXPECT_EQ(filter->GetCenterWeight(), FilterType::CenterWeightEnum::Maximum);
  EXPECT_EQ(filter->GetWindowRadius(), FilterType::SizeType::Filled(3));
  EXPECT_EQ(filter->GetPatchRadius(), FilterType::SizeType::Filled(2));
  EXPECT_TRUE(filter->GetAutomaticSmoothing());
  EXPECT_TRUE(filter->GetAutomaticNoiseEstimation());
  EXPECT_EQ(filter->GetSmoothingFactor(), 0.0);
  EXPECT_FALSE(filter->GetRicianCorrection());

  ExpectSets(
    filter.GetPointer(),
    [](FilterType * object, auto value) { object->SetWeighting(value); },
    &FilterType::GetWeighting,
    FilterType::WeightingEnum::PatchSum);
  ExpectSets(
    filter.GetPointer(),
    [](FilterType * object, auto value) { object->SetCenterWeight(value); },
    &FilterType::GetCenterWeight,
    FilterType::CenterWeightEnum::One);
  for (const char * name : { "PatchDistance", "PatchSum" })
  {
    filter->SetWeighting(name);
    EXPECT_EQ(filter->GetWeightingName(), name);
  }
  for (const char * name : { "Maximum", "One" })
  {
    filter->SetCenterWeight(name);
    EXPECT_EQ(filter->GetCenterWeightName(), name);
  }
  ExpectSets(filter.GetPointer(), &FilterType::SetSmoothingFactor, &FilterType::GetSmoothingFactor, 1.25);
  ExpectSets(filter.GetPointer(), &FilterType::SetSmoothingParameter, &FilterType::GetSmoothingParameter, 9.5);
  ExpectSets(filter.GetPointer(), &FilterType::SetNoiseStandardDeviation, &FilterType::GetNoiseStandardDeviation, 4.75);
  ExpectSets(filter.GetPointer(), &FilterType::SetRicianCorrection, &FilterType::GetRicianCorrection, true);
  EXPECT_FALSE(filter->GetAutomaticSmoothing());
  EXPECT_FALSE(filter->GetAutomaticNoiseEstimation());
  filter->SetWindowRadius(5);
  filter->SetPatchRadius(FilterType::SizeType{ { 1, 2, 0 } });
  ExpectPrints(filter,
               { "Weighting: PatchSum",
                 "CenterWeight: One",
                 "WindowRadius: [5, 5, 5]",
                 "PatchRadius: [1, 2, 0]",
                 "AutomaticSmoothing: Off",
                 "SmoothingParameter: 9.5",
                 "SmoothingFactor: 1.25",
                 "AutomaticNoiseEstimation: Off",
                 "NoiseStandardDeviation: 4.75",
                 "RicianCorrection: On" });
}

TEST(CudaNeuroClasses, StructuralSimilarity)
{
  using FilterType = itk::CudaStructuralSimilarityImageFilter<ImageType>;
  CheckBasics<FilterType>("CudaStructuralSimilarityImageFilter");
  const auto filter = FilterType::New();
  EXPECT_TRUE(filter->GetAutomaticDataRange());
  EXPECT_EQ(filter->GetK1(), 0.01);
  EXPECT_EQ(filter->GetK2(), 0.03);
  EXPECT_TRUE(filter->GetComputeMap());
  ExpectSets(filter.GetPointer(), &FilterType::SetDataRange, &FilterType::GetDataRange, 255.0);
  EXPECT_FALSE(filter->GetAutomaticDataRange());
  ExpectSets(filter.GetPointer(), &FilterType::SetK1, &FilterType::GetK1, 0.5);
  ExpectSets(filter.GetPointer(), &FilterType::SetK2, &FilterType::GetK2, 0.25);
  ExpectSets(filter.GetPointer(), &FilterType::SetComputeMap, &FilterType::GetComputeMap, false);
  const auto image = Phantom<ImageType>();
  filter->SetReferenceImage(image);
  filter->SetTestImage(image);
  EXPECT_EQ(filter->GetReferenceImage(), image.GetPointer());
  EXPECT_EQ(filter->GetTestImage(), image.GetPointer());
  ExpectPrints(filter,
               { "AutomaticDataRange: Off",
                 "DataRange: 255",
                 "K1: 0.5",
                 "K2: 0.25",
                 "ComputeMap: Off",
                 "MeanStructuralSimilarity: 0",
                 "MeanSquaredError: 0" });
}

TEST(CudaNeuroClasses, NonLocalMeansLevelSet)
{
  using FilterType = itk::CudaNonLocalMeansLevelSetImageFilter<ImageType>;
  CheckBasics<FilterType>("CudaNonLocalMeansLevelSetImageFilter");
  const auto   filter = FilterType::New();
  auto * const object = filter.GetPointer();
  ExpectSets(object, &FilterType::SetBandWidth, &FilterType::GetBandWidth, 2.5);
  ExpectSets(object, &FilterType::SetPatchSize, &FilterType::GetPatchSize, 7u);
  ExpectSets(object, &FilterType::SetNumberOfNeighbors, &FilterType::GetNumberOfNeighbors, 31u);
  ExpectSets(object, &FilterType::SetSpatialScale, &FilterType::GetSpatialScale, 6.5);
  ExpectSets(object, &FilterType::SetSimilarityScale, &FilterType::GetSimilarityScale, 0.75);
  ExpectSets(object, &FilterType::SetNumberOfIterations, &FilterType::GetNumberOfIterations, 13u);
  ExpectSets(object, &FilterType::SetNumberOfPasses, &FilterType::GetNumberOfPasses, 3u);
  ExpectSets(object, &FilterType::SetReinitialize, &FilterType::GetReinitialize, true);
  ExpectSets(object, &FilterType::SetVolumeCorrection, &FilterType::GetVolumeCorrection, false);
  ExpectPrints(filter,
               { "BandWidth: 2.5",
                 "PatchSize: 7",
                 "NumberOfNeighbors: 31",
                 "SpatialScale: 6.5",
                 "SimilarityScale: 0.75",
                 "NumberOfIterations: 13",
                 "NumberOfPasses: 3",
                 "Reinitialize: On",
                 "VolumeCorrection: Off",
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
  EXPECT_EQ(filter->GetReach(), 0.0);
  ExpectSets(filter.GetPointer(), &FilterType::SetReach, &FilterType::GetReach, 6.5);
  ExpectPrints(filter, { "Reach: 6.5", "UsedReach: 0" });
}

TEST(CudaNeuroClasses, LabelToSignedDistance)
{
  using FilterType = itk::CudaLabelToSignedDistanceImageFilter<itk::Image<short, 3>, ImageType>;
  CheckBasics<FilterType>("CudaLabelToSignedDistanceImageFilter");
  const auto filter = FilterType::New();
  EXPECT_EQ(filter->GetReach(), 0.0);
  EXPECT_EQ(filter->GetBackgroundValue(), 0);
  EXPECT_TRUE(filter->GetLabels().empty());
  ExpectSets(filter.GetPointer(), &FilterType::SetReach, &FilterType::GetReach, 6.5);
  ExpectSets(filter.GetPointer(), &FilterType::SetBackgroundValue, &FilterType::GetBackgroundValue, short{ -3 });
  const auto before = filter->GetMTime();
  filter->SetLabels({ 5, -1, 5 });
  EXPECT_GT(filter->GetMTime(), before);
  const auto after = filter->GetMTime();
  filter->SetLabels({ -1, 5 });
  EXPECT_EQ(filter->GetMTime(), after);
  ExpectPrints(filter, { "Reach: 6.5", "UsedReach: 0", "BackgroundValue: -3", "ChosenLabels: -1 5", "Labels:" });
}

namespace
{

/** What CudaNeuroProcess gives. */
template <typename TProcess>
void
CheckProcess(const char * name)
{
  const auto process = TProcess::New();
  EXPECT_STREQ(process->GetNameOfClass(), name);
  EXPECT_EQ(process->GetReferenceCount(), 1);
  EXPECT_NE(dynamic_cast<TProcess *>(process->CreateAnother().GetPointer()), nullptr);
  ExpectPrints(process,
               { name,
                 "ComputeDevice: (default)",
                 "MaximumDeviceMemory: 0",
                 "HostToDeviceBytes: 0",
                 "DeviceToHostBytes: 0",
                 "DeviceMilliseconds: 0" });
  ExpectSets(process.GetPointer(), &TProcess::SetMaximumDeviceMemory, &TProcess::GetMaximumDeviceMemory, 123456u);
  const auto before = process->GetMTime();
  process->SetComputeDevice(itk::ComputeDevice());
  EXPECT_GT(process->GetMTime(), before) << "from the default to a device is a change";
  EXPECT_EQ(process->GetComputeDevice(), itk::ComputeDevice());
  ExpectPrints(process, { "ComputeDevice: cpu", "MaximumDeviceMemory: 123456" });
}

} // namespace

TEST(CudaNeuroClasses, NearestNeighbors)
{
  using SearchType = itk::CudaNearestNeighbors;
  CheckProcess<SearchType>("CudaNearestNeighbors");
  const auto search = SearchType::New();
  EXPECT_EQ(search->GetNumberOfNeighbors(), 1u);
  EXPECT_FALSE(search->GetExcludeSelf());
  EXPECT_EQ(search->GetPoints(), nullptr);
  EXPECT_EQ(search->GetQueries(), nullptr);
  ExpectSets(search.GetPointer(), &SearchType::SetNumberOfNeighbors, &SearchType::GetNumberOfNeighbors, 96u);
  ExpectSets(search.GetPointer(), &SearchType::SetExcludeSelf, &SearchType::GetExcludeSelf, true);
  ExpectPrints(search, { "NumberOfNeighbors: 96", "ExcludeSelf: On" });
}

TEST(CudaNeuroClasses, GeodesicShootingRegistration)
{
  using RegistrationType = itk::CudaGeodesicShootingRegistration<itk::PointSet<float, 3>>;
  CheckProcess<RegistrationType>("CudaGeodesicShootingRegistration");
  const auto registration = RegistrationType::New();
  EXPECT_EQ(registration->GetSigma(), 0.0);
  EXPECT_EQ(registration->GetLambda(), 5e5);
  EXPECT_EQ(registration->GetNumberOfTimeSteps(), 40u);
  EXPECT_EQ(registration->GetIntegratorName(), "Euler");
  EXPECT_EQ(registration->GetPrecisionName(), "Single");
  EXPECT_EQ(registration->GetMaximumNumberOfIterations(), 400u);
  EXPECT_EQ(registration->GetConvergenceThreshold(), 0.0);
  EXPECT_EQ(registration->GetGradientTolerance(), 1e-6);
  EXPECT_EQ(registration->GetNumberOfCorrections(), 5u);
  EXPECT_TRUE(registration->GetComputeTrajectories());
  EXPECT_EQ(registration->GetNumberOfTargets(), 0u);
  auto * const object = registration.GetPointer();
  ExpectSets(object, &RegistrationType::SetSigma, &RegistrationType::GetSigma, 1.5);
  ExpectSets(object, &RegistrationType::SetLambda, &RegistrationType::GetLambda, 250.0);
  ExpectSets(object, &RegistrationType::SetNumberOfTimeSteps, &RegistrationType::GetNumberOfTimeSteps, 12u);
  ExpectSets(
    object, &RegistrationType::SetMaximumNumberOfIterations, &RegistrationType::GetMaximumNumberOfIterations, 50u);
  ExpectSets(object, &RegistrationType::SetConvergenceThreshold, &RegistrationType::GetConvergenceThreshold, 0.125);
  ExpectSets(object, &RegistrationType::SetGradientTolerance, &RegistrationType::GetGradientTolerance, 0.25);
  ExpectSets(object, &RegistrationType::SetNumberOfCorrections, &RegistrationType::GetNumberOfCorrections, 7u);
  ExpectSets(object, &RegistrationType::SetComputeTrajectories, &RegistrationType::GetComputeTrajectories, false);
  for (const char * name : { "Heun", "Euler", "RungeKutta4" })
  {
    registration->SetIntegrator(name);
    EXPECT_EQ(registration->GetIntegratorName(), name);
  }
  registration->SetPrecision("Double");
  ExpectPrints(registration,
               { "Sigma: 1.5",
                 "Lambda: 250",
                 "NumberOfTimeSteps: 12",
                 "Integrator: RungeKutta4",
                 "Precision: Double",
                 "MaximumNumberOfIterations: 50",
                 "ConvergenceThreshold: 0.125",
                 "GradientTolerance: 0.25",
                 "NumberOfCorrections: 7",
                 "ComputeTrajectories: Off",
                 "NumberOfTargets: 0" });
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
  EXPECT_EQ(filter->GetNoise(), 0.0);
  ExpectSets(filter.GetPointer(), &FilterType::SetNoise, &FilterType::GetNoise, 0.25);
  ExpectPrints(filter,
               { "Noise: 0.25",
                 "UsedNoise: 0",
                 "MeanEdgeLength: 0",
                 "InputVolume: 0",
                 "OutputVolume: 0",
                 "NumberOfBorderEdges: 0" });
}

TEST(CudaNeuroClasses, MeshToSignedDistance)
{
  using FilterType = itk::CudaMeshToSignedDistanceImageFilter<itk::Mesh<float, 3>, ImageType>;
  CheckProcess<FilterType>("CudaMeshToSignedDistanceImageFilter");
  const auto   filter = FilterType::New();
  auto * const object = filter.GetPointer();
  EXPECT_EQ(filter->GetReach(), 0.0);
  ExpectSets(object, &FilterType::SetReach, &FilterType::GetReach, 6.5);
  ExpectSets(object, &FilterType::SetUseReferenceImage, &FilterType::GetUseReferenceImage, true);
  ExpectSets(object, &FilterType::SetSize, &FilterType::GetSize, FilterType::SizeType{ { 4, 3, 2 } });
  ExpectSets(
    object, &FilterType::SetTriangles, &FilterType::GetTriangles, FilterType::TriangleVectorType{ 0, 1, 2, 0, 2, 3 });
  ExpectPrints(filter,
               { "Triangles: 2",
                 "Reach: 6.5",
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
