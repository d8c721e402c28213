// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What ITK expects of the classes that denoise images, map their noise and compare them: defaults, setters and getters,
// Print, names.

#include "itk/ClassChecks.h"
#include "itk/ParameterTable.h"
#include "itk/TestImages.h"
#include "itkCudaAdaptiveNonLocalMeansImageFilter.h"
#include "itkCudaAnisotropicDiffusionImageFilter.h"
#include "itkCudaBilateralImageFilter.h"
#include "itkCudaNoiseMapImageFilter.h"
#include "itkCudaNonLocalMeansImageFilter.h"
#include "itkCudaStructuralSimilarityImageFilter.h"

using namespace classchecks;
using namespace parametertable;
using namespace testimages;

namespace
{

using ImageType = itk::Image<float, 3>;

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
