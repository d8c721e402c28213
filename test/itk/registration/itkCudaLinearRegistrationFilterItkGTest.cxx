// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// CudaLinearRegistrationFilter among ITK's classes: resampling, and ITK's own registration. Needs ITK's modules
// ITKImageGrid, ITKMetricsv4 and ITKRegistrationMethodsv4.

#include "LinearPhantom.h"
#include "itk/ItkDeviceTest.h"
#include "itkImageRegistrationMethodv4.h"
#include "itkMattesMutualInformationImageToImageMetricv4.h"
#include "itkRegistrationParameterScalesFromPhysicalShift.h"
#include "itkRegularStepGradientDescentOptimizerv4.h"
#include "itkResampleImageFilter.h"

#include <algorithm>

using namespace testimages;
using namespace registrationphantom;
using namespace linearphantom;

namespace
{

using ImageType = itk::Image<float, 3>;
using FilterType = itk::CudaLinearRegistrationFilter<ImageType>;

struct FoundByItk
{
  TransformOf<3>::ConstPointer transform;
  double                       value;
};

/** What ITK finds with mutual information and all voxels, from the identity, on the images as they are. */
FoundByItk
RegisteredByItk(const ImageType * fixed, const ImageType * moving)
{
  using RigidType = itk::VersorRigid3DTransform<double>;
  using MetricType = itk::MattesMutualInformationImageToImageMetricv4<ImageType, ImageType>;
  const auto metric = MetricType::New();
  metric->SetNumberOfHistogramBins(32);
  metric->UseMovingImageGradientFilterOff();
  metric->UseFixedImageGradientFilterOff();
  const auto scales = itk::RegistrationParameterScalesFromPhysicalShift<MetricType>::New();
  scales->SetMetric(metric);
  const auto optimizer = itk::RegularStepGradientDescentOptimizerv4<double>::New();
  optimizer->SetScalesEstimator(scales);
  optimizer->SetLearningRate(1.0);
  optimizer->SetMinimumStepLength(1e-4);
  optimizer->SetRelaxationFactor(0.6);
  optimizer->SetNumberOfIterations(300);
  optimizer->SetReturnBestParametersAndValue(true);

  using MethodType = itk::ImageRegistrationMethodv4<ImageType, ImageType, RigidType>;
  const auto initial = AroundMiddle<RigidType>();
  const auto registration = MethodType::New();
  registration->SetFixedImage(fixed);
  registration->SetMovingImage(moving);
  registration->SetMetric(metric);
  registration->SetOptimizer(optimizer);
  registration->SetInitialTransform(initial);
  registration->InPlaceOn();
  registration->SetNumberOfLevels(1);
  MethodType::ShrinkFactorsArrayType factors(1);
  factors.Fill(1);
  registration->SetShrinkFactorsPerLevel(factors);
  MethodType::SmoothingSigmasArrayType sigmas(1);
  sigmas.Fill(0.0);
  registration->SetSmoothingSigmasPerLevel(sigmas);
  registration->Update();
  return { registration->GetTransform(), metric->GetValue() };
}

} // namespace

class CudaLinearRegistrationFilterInItk : public ItkDeviceTest
{};

/** The warped image is what ITK makes of the transform, in one pipeline with the registration. */
TEST_P(CudaLinearRegistrationFilterInItk, WarpsAsItk)
{
  const auto check = [&](const char * type, const ImageType::Pointer & fixedGrid) {
    const auto known = KnownTransform<3>(type);
    const auto moving = Moving<ImageType>(ObliqueGrid<ImageType>());
    const auto filter = MakeFilter<FilterType>(SeenThrough<ImageType>(known, fixedGrid), moving, this->GetDevice());
    filter->SetTransformType(type);
    const auto resample = itk::ResampleImageFilter<ImageType, ImageType>::New();
    resample->SetInput(moving);
    resample->SetTransformInput(filter->GetOutput());
    resample->SetReferenceImage(fixedGrid);
    resample->UseReferenceImageOn();
    resample->Update();
    const auto pixels = Pixels(resample->GetOutput());
    EXPECT_GT(*std::max_element(pixels.begin(), pixels.end()), 100.0);
    ExpectSame(Pixels(filter->GetWarpedImage()), pixels, 2e-3); // of 200; of rounding the point where the image is read
  };
  for (const char * const type : { "Translation", "Rigid", "Similarity", "Affine" })
  {
    check(type, CommonGrid<ImageType>());
  }
  check("Rigid", ObliqueGrid<ImageType>());
}

/** 0.05 mm anywhere in the object: the optima are where iterations end, and ITK takes differences for the gradient
 * of the moving image. The metric is the same, and flat there. */
TEST_P(CudaLinearRegistrationFilterInItk, FindsWhatItkFinds)
{
  const auto fixed = SeenThrough<ImageType>(KnownTransform<3>("Rigid"));
  const auto moving = Moving<ImageType>();
  const auto filter = MakeFilter<FilterType>(fixed, moving, this->GetDevice());
  filter->SetTransformType("Rigid");
  // As ITK.
  filter->ExtendBackgroundOff();
  filter->UseSymmetricMetricOff();
  filter->SetVoxelWeighting("Uniform");
  filter->Update();
  const FoundByItk found = RegisteredByItk(fixed, moving);
  EXPECT_LT(LargestDistance<3>(filter->GetTransform(), found.transform), 0.05);
  EXPECT_NEAR(filter->GetMetricValue(), found.value, 1e-3);
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaLinearRegistrationFilterInItk);
