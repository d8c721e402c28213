// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The metric in itk::ImageRegistrationMethodv4, beside ITK's metric of Mattes.

#include "MetricImages.h"
#include "itkAffineTransform.h"
#include "itkConjugateGradientLineSearchOptimizerv4.h"
#include "itkEuler2DTransform.h"
#include "itkEuler3DTransform.h"
#include "itkImageRegistrationMethodv4.h"
#include "itkLBFGSOptimizerv4.h"
#include "itkMattesMutualInformationImageToImageMetricv4.h"
#include "itkRegistrationParameterScalesFromPhysicalShift.h"
#include "itkRegularStepGradientDescentOptimizerv4.h"
#include "itkVersorRigid3DTransform.h"

using namespace metricimages;

namespace
{

template <unsigned int VDimension>
using MattesOf = itk::MattesMutualInformationImageToImageMetricv4<ImageOf<VDimension>, ImageOf<VDimension>>;
template <unsigned int VDimension>
using RegistrationOf =
  itk::ImageRegistrationMethodv4<ImageOf<VDimension>, ImageOf<VDimension>, TransformOf<VDimension>>;
using RegularStepType = itk::RegularStepGradientDescentOptimizerv4<double>;

/** What the phantom was moved by. */
itk::Euler3DTransform<double>::Pointer
TrueRigid()
{
  const auto transform = itk::Euler3DTransform<double>::New();
  PointOf<3> middle;
  middle.Fill(center);
  transform->SetCenter(middle);
  transform->SetRotation(0.08, -0.06, 0.1);
  const double translation[] = { 1.5, -1.0, 0.8 };
  transform->SetTranslation(translation);
  return transform;
}

itk::Euler2DTransform<double>::Pointer
TrueRigid2D()
{
  const auto transform = itk::Euler2DTransform<double>::New();
  PointOf<2> middle;
  middle.Fill(center);
  transform->SetCenter(middle);
  transform->SetAngle(0.12);
  const double translation[] = { 1.5, -1.0 };
  transform->SetTranslation(translation);
  return transform;
}

itk::AffineTransform<double, 3>::Pointer
TrueAffine()
{
  const auto transform = itk::AffineTransform<double, 3>::New();
  PointOf<3> middle;
  middle.Fill(center);
  transform->SetCenter(middle);
  auto matrix = transform->GetMatrix();
  matrix[0][0] = 1.06;
  matrix[0][1] = 0.08;
  matrix[1][2] = -0.05;
  matrix[2][2] = 0.95;
  transform->SetMatrix(matrix);
  const double translation[] = { 1.5, -1.0, 0.8 };
  transform->SetTranslation(translation);
  return transform;
}

/** The identity of \p TTransform, with the center of the phantom as its center. */
template <typename TTransform>
typename TTransform::Pointer
Start()
{
  const auto                          transform = TTransform::New();
  typename TTransform::InputPointType middle;
  middle.Fill(center);
  transform->SetCenter(middle);
  return transform;
}

/** Gives an optimizer scales by ITK's estimate for a metric. */
template <typename TMetric, typename TOptimizer>
void
EstimateScales(TMetric * metric, TOptimizer * optimizer)
{
  const auto estimator = itk::RegistrationParameterScalesFromPhysicalShift<TMetric>::New();
  estimator->SetMetric(metric);
  optimizer->SetScalesEstimator(estimator);
}

template <typename TMetric>
RegularStepType::Pointer
RegularSteps(TMetric * metric)
{
  const auto optimizer = RegularStepType::New();
  optimizer->SetLearningRate(0.5);
  optimizer->SetMinimumStepLength(1e-4);
  optimizer->SetNumberOfIterations(60);
  optimizer->SetRelaxationFactor(0.6);
  optimizer->SetReturnBestParametersAndValue(false);
  EstimateScales(metric, optimizer.GetPointer());
  return optimizer;
}

/** Registers at two resolutions and changes \p transform. */
template <unsigned int VDimension>
typename RegistrationOf<VDimension>::Pointer
MakeRegistration(const ImageOf<VDimension> *        fixed,
                 const ImageOf<VDimension> *        moving,
                 MetricBaseOf<VDimension> *         metric,
                 itk::ObjectToObjectOptimizerBase * optimizer,
                 TransformOf<VDimension> *          transform,
                 const TransformOf<VDimension> *    initial = nullptr)
{
  const auto registration = RegistrationOf<VDimension>::New();
  registration->SetFixedImage(fixed);
  registration->SetMovingImage(moving);
  registration->SetMetric(metric);
  registration->SetOptimizer(optimizer);
  registration->SetInitialTransform(transform);
  registration->InPlaceOn();
  if (initial != nullptr)
  {
    registration->SetMovingInitialTransform(initial);
  }
  registration->SetNumberOfLevels(2);
  typename RegistrationOf<VDimension>::ShrinkFactorsArrayType shrinkFactors(2);
  shrinkFactors[0] = 2;
  shrinkFactors[1] = 1;
  registration->SetShrinkFactorsPerLevel(shrinkFactors);
  typename RegistrationOf<VDimension>::SmoothingSigmasArrayType sigmas(2);
  sigmas[0] = 1.0;
  sigmas[1] = 0.0;
  registration->SetSmoothingSigmasPerLevel(sigmas);
  return registration;
}

/** Largest distance between what two transforms make of the corners of a cube, or square, inside the phantom, in mm. */
template <unsigned int VDimension>
double
DistanceAtCorners(const TransformOf<VDimension> * a, const TransformOf<VDimension> * b)
{
  double distance = 0.0;
  for (unsigned int corner = 0; corner < (1u << VDimension); ++corner)
  {
    PointOf<VDimension> point;
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      point[axis] = center + ((corner >> axis) & 1u ? 8.0 : -8.0);
    }
    distance = std::max(distance, a->TransformPoint(point).EuclideanDistanceTo(b->TransformPoint(point)));
  }
  return distance;
}

} // namespace

class CudaImageToImageMetricv4Registration : public DeviceTest
{
protected:
  template <unsigned int VDimension>
  typename MetricOf<VDimension>::Pointer
  MakeMetric() const
  {
    const auto metric = MetricOf<VDimension>::New();
    metric->SetComputeDevice(itk::ComputeDevice(this->GetParam()));
    return metric;
  }

  /** Registers with this metric and with ITK's, from the identity. */
  template <typename TTransform, unsigned int VDimension>
  void
  CheckAgainstMattes(const TransformOf<VDimension> * truth)
  {
    SCOPED_TRACE(truth->GetNameOfClass());
    const auto fixed = FixedImage<VDimension>();
    const auto moving = MovingImage<VDimension>(truth);
    const auto metric = this->MakeMetric<VDimension>();
    const auto transform = Start<TTransform>();
    MakeRegistration<VDimension>(fixed, moving, metric, RegularSteps(metric.GetPointer()), transform)->Update();

    const auto mattes = MattesOf<VDimension>::New();
    mattes->SetNumberOfHistogramBins(32);
    mattes->SetUseMovingImageGradientFilter(false);
    const auto expected = Start<TTransform>();
    MakeRegistration<VDimension>(fixed, moving, mattes, RegularSteps(mattes.GetPointer()), expected)->Update();

    EXPECT_LT(DistanceAtCorners<VDimension>(transform, expected), 0.05);
    EXPECT_LT(DistanceAtCorners<VDimension>(transform, truth), 0.1);
    EXPECT_LT(metric->GetCurrentValue(), 0.0);
  }
};

TEST_P(CudaImageToImageMetricv4Registration, SameOptimumAsMattes)
{
  this->CheckAgainstMattes<itk::Euler3DTransform<double>, 3>(TrueRigid());
  this->CheckAgainstMattes<itk::Euler2DTransform<double>, 2>(TrueRigid2D());
  this->CheckAgainstMattes<itk::AffineTransform<double, 2>, 2>(TrueRigid2D());
}

TEST_P(CudaImageToImageMetricv4Registration, Affine)
{
  const auto truth = TrueAffine();
  const auto metric = this->MakeMetric<3>();
  const auto transform = Start<itk::AffineTransform<double, 3>>();
  MakeRegistration<3>(FixedImage<3>(), MovingImage<3>(truth), metric, RegularSteps(metric.GetPointer()), transform)
    ->Update();
  EXPECT_LT(DistanceAtCorners<3>(transform, truth), 0.1);
}

TEST_P(CudaImageToImageMetricv4Registration, OtherOptimizers)
{
  const auto truth = TrueRigid();
  const auto fixed = FixedImage<3>();
  const auto moving = MovingImage<3>(truth);
  const auto metric = this->MakeMetric<3>();

  const auto gradients = itk::ConjugateGradientLineSearchOptimizerv4::New();
  gradients->SetNumberOfIterations(20);
  gradients->SetLowerLimit(0.0);
  gradients->SetUpperLimit(2.0);
  EstimateScales(metric.GetPointer(), gradients.GetPointer());
  const auto byGradients = Start<itk::VersorRigid3DTransform<double>>();
  MakeRegistration<3>(fixed, moving, metric, gradients, byGradients)->Update();
  EXPECT_LT(DistanceAtCorners<3>(byGradients, truth), 0.1);

  const auto quasiNewton = itk::LBFGSOptimizerv4::New();
  quasiNewton->SetGradientConvergenceTolerance(1e-3);
  itk::LBFGSOptimizerv4::ScalesType scales(6);
  scales.Fill(1.0);
  std::fill_n(scales.begin(), 3, radius);
  quasiNewton->SetScales(scales);
  metric->SetFixedImageMask(CutBall<3>(fixed, 16.0, 100.0));
  const auto byNewton = Start<itk::Euler3DTransform<double>>();
  MakeRegistration<3>(fixed, moving, metric, quasiNewton, byNewton)->Update();
  EXPECT_LT(DistanceAtCorners<3>(byNewton, truth), 0.1);
}

// An initial transform that is not optimized, a fixed initial transform, and masks.
TEST_P(CudaImageToImageMetricv4Registration, InitialTransformsAndMasks)
{
  const auto truth = TrueRigid();
  const auto fixed = FixedImage<3>();
  const auto moving = MovingImage<3>(truth);
  const auto metric = this->MakeMetric<3>();
  metric->SetFixedImageMask(CutBall<3>(fixed, 16.0, 28.0));
  metric->SetMovingImageMask(CutBall<3>(moving, 18.0, 100.0));
  const auto initial = TrueAffine();
  const auto transform = Start<itk::AffineTransform<double, 3>>();
  MakeRegistration<3>(fixed, moving, metric, RegularSteps(metric.GetPointer()), transform, initial)->Update();
  const auto composite = itk::CompositeTransform<double, 3>::New();
  composite->AddTransform(initial);
  composite->AddTransform(transform);
  EXPECT_LT(DistanceAtCorners<3>(composite, truth), 0.1);

  // The fixed transform takes points of the virtual domain to the fixed image: what is found goes from the former to
  // the moving image.
  const auto   fixedInitial = itk::TranslationTransform<double, 3>::New();
  const double shift[] = { 0.7, -0.5, 0.6 };
  fixedInitial->Translate(shift);
  const auto rigid = Start<itk::Euler3DTransform<double>>();
  const auto registration = MakeRegistration<3>(fixed, moving, metric, RegularSteps(metric.GetPointer()), rigid);
  registration->SetFixedInitialTransform(fixedInitial);
  registration->Update();
  const auto expected = itk::CompositeTransform<double, 3>::New();
  expected->AddTransform(truth);
  expected->AddTransform(fixedInitial);
  EXPECT_LT(DistanceAtCorners<3>(rigid, expected), 0.1);
}

TEST_P(CudaImageToImageMetricv4Registration, RefusesSampling)
{
  const auto metric = this->MakeMetric<3>();
  const auto fixed = FixedImage<3>();
  const auto registration = MakeRegistration<3>(fixed,
                                                MovingImage<3>(TrueRigid()),
                                                metric,
                                                RegularSteps(metric.GetPointer()),
                                                Start<itk::Euler3DTransform<double>>());
  registration->SetMetricSamplingStrategy(RegistrationOf<3>::MetricSamplingStrategyEnum::RANDOM);
  registration->SetMetricSamplingPercentage(0.1);
  EXPECT_TRUE(testimages::Contains(testimages::MessageOf([&] { registration->Update(); }),
                                   "leave MetricSamplingStrategy at NONE"));
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaImageToImageMetricv4Registration);
