// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

#include "LandmarkPoints.h"
#include "itk/TestImages.h"
#include "itkAffineTransform.h"
#include "itkCompositeTransform.h"
#include "itkGeodesicShootingTransform.h"
#include "itkObjectFactoryBase.h"
#include <vnl/vnl_det.h>

#include <cmath>
#include <limits>
#include <thread>

using namespace landmarkpoints;
using namespace testimages;

namespace
{

template <unsigned int VDimension>
using TransformOf = itk::GeodesicShootingTransform<double, VDimension>;
using Transform3 = TransformOf<3>;
using PointType = Transform3::InputPointType;

/** One landmark at the origin that moves straight, which has an exact solution: its momentum stays, and it moves by
 * it. */
Transform3::Pointer
OneLandmark(unsigned int steps, const char * integrator)
{
  const auto transform = Transform3::New();
  transform->SetSigma(3.0);
  transform->SetNumberOfTimeSteps(steps);
  transform->SetIntegrator(integrator);
  transform->SetTemplatePositions({ 0.0, 0.0, 0.0 });
  transform->SetInitialMomenta({ 2.0, 0.0, 0.0 });
  return transform;
}

/** Where that landmark carries a point on its line, by many small steps. */
double
CarriedAlong(double x)
{
  constexpr int steps = 1000000;
  for (int step = 0; step < steps; ++step)
  {
    const double middle = (step + 0.5) / steps;
    const auto   velocity = [](double at, double time) {
      const double distance = at - 2.0 * time;
      return 2.0 * std::exp(-distance * distance / 18.0);
    };
    const double half = x + 0.5 / steps * velocity(x, middle - 0.5 / steps);
    x += velocity(half, middle) / steps;
  }
  return x;
}

/** Points that the landmarks carry by some mm, and one that is far away. */
template <unsigned int VDimension>
std::vector<typename TransformOf<VDimension>::InputPointType>
SomePoints()
{
  std::vector<typename TransformOf<VDimension>::InputPointType> points;
  for (const double at : { 18.0, 23.5, 27.0, 200.0 })
  {
    typename TransformOf<VDimension>::InputPointType point;
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      point[axis] = at + 1.25 * axis;
    }
    points.push_back(point);
  }
  return points;
}

template <unsigned int VDimension>
void
CheckInverse()
{
  const auto transform = MakeTransform<VDimension>();
  const auto inverse = transform->GetInverseTransform();
  ASSERT_TRUE(inverse.IsNotNull());
  double farthest = 0.0;
  for (const auto & point : SomePoints<VDimension>())
  {
    const auto moved = transform->TransformPoint(point);
    farthest = std::max(farthest, moved.EuclideanDistanceTo(point));
    // Each of the 10 time steps is inverted up to rounding, of coordinates of 200 mm in double.
    EXPECT_LT(inverse->TransformPoint(moved).EuclideanDistanceTo(point), 1e-9);
    EXPECT_LT(transform->TransformPoint(inverse->TransformPoint(point)).EuclideanDistanceTo(point), 1e-9);
  }
  EXPECT_GT(farthest, 1.0);
}

/** Differences of neighboring points, whose error is that of the third derivative times 1e-8 and of rounding over
 * 1e-4. */
template <unsigned int VDimension>
void
CheckJacobian(const itk::Transform<double, VDimension, VDimension> * transform)
{
  constexpr double step = 1e-4;
  for (const auto & point : SomePoints<VDimension>())
  {
    typename TransformOf<VDimension>::JacobianPositionType jacobian;
    transform->ComputeJacobianWithRespectToPosition(point, jacobian);
    for (unsigned int column = 0; column < VDimension; ++column)
    {
      auto before = point;
      auto after = point;
      before[column] -= step;
      after[column] += step;
      const auto difference = transform->TransformPoint(after) - transform->TransformPoint(before);
      for (unsigned int row = 0; row < VDimension; ++row)
      {
        EXPECT_NEAR(jacobian(row, column), difference[row] / (2.0 * step), 1e-7);
      }
    }
    typename TransformOf<VDimension>::InverseJacobianPositionType inverse;
    transform->ComputeInverseJacobianWithRespectToPosition(point, inverse);
    const vnl_matrix_fixed<double, VDimension, VDimension> product = jacobian * inverse;
    EXPECT_TRUE(product.is_identity(1e-12));
    EXPECT_GT(vnl_det(jacobian), 0.0);
  }
}

} // namespace

TEST(GeodesicShootingTransform, IsIdentityWithoutPoints)
{
  const auto      transform = Transform3::New();
  const PointType point(std::array<double, 3>{ { 1.0, -2.0, 3.5 } }.data());
  EXPECT_EQ(transform->GetNumberOfPoints(), 0u);
  EXPECT_EQ(transform->GetNumberOfParameters(), 0u);
  EXPECT_EQ(transform->TransformPoint(point), point);
  EXPECT_EQ(transform->GetInverseTransform()->TransformPoint(point), point);
  Transform3::JacobianPositionType jacobian;
  transform->ComputeJacobianWithRespectToPosition(point, jacobian);
  EXPECT_TRUE(jacobian.is_identity());
  EXPECT_FALSE(transform->IsLinear());
}

/** The landmark moves by its momentum. What it carries is off by the error of the method with 200 steps: 1 / 200 of the
 * velocity's change for Euler, the square and the fourth power of that for the others. */
TEST(GeodesicShootingTransform, OneLandmarkAndWhatItCarries)
{
  const double exact = CarriedAlong(4.0);
  PointType    origin;
  origin.Fill(0.0);
  PointType beside = origin;
  beside[0] = 4.0;
  for (const auto & [integrator, tolerance] :
       { std::pair{ "Euler", 2e-3 }, std::pair{ "Heun", 2e-6 }, std::pair{ "RungeKutta4", 1e-9 } })
  {
    const auto transform = OneLandmark(200, integrator);
    EXPECT_NEAR(transform->TransformPoint(origin)[0], 2.0, 1e-12);
    EXPECT_NEAR(transform->TransformPoint(beside)[0], exact, tolerance) << integrator;
    EXPECT_NEAR(transform->TransformPoint(beside)[1], 0.0, 1e-15);
  }
}

TEST(GeodesicShootingTransform, InverseIn2D)
{
  CheckInverse<2>();
}

TEST(GeodesicShootingTransform, InverseIn3D)
{
  CheckInverse<3>();
}

TEST(GeodesicShootingTransform, Jacobian)
{
  CheckJacobian<2>(MakeTransform<2>());
  const auto transform = MakeTransform<3>();
  CheckJacobian<3>(transform);
  CheckJacobian<3>(transform->GetInverseTransform());
}

/** Vectors are moved by the Jacobian, covariant ones by the inverse of its transpose: their product stays. */
TEST(GeodesicShootingTransform, Vectors)
{
  const auto                                 transform = MakeTransform<3>();
  const PointType                            point = SomePoints<3>()[1];
  const double                               numbers[] = { 0.5, -1.0, 2.0 };
  const Transform3::InputVectorType          vector(numbers);
  const Transform3::InputCovariantVectorType covariant(numbers);
  Transform3::JacobianPositionType           jacobian;
  transform->ComputeJacobianWithRespectToPosition(point, jacobian);
  const auto moved = transform->TransformVector(vector, point);
  const auto expected = jacobian * vector.GetVnlVector();
  double     product = 0.0;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    EXPECT_NEAR(moved[axis], expected[axis], 1e-12);
    product += moved[axis] * transform->TransformCovariantVector(covariant, point)[axis];
  }
  EXPECT_NEAR(product, 0.25 + 1.0 + 4.0, 1e-12);
}

TEST(GeodesicShootingTransform, IsMadeAgainOfItsParameters)
{
  const auto transform = MakeTransform<3>();
  EXPECT_EQ(transform->GetNumberOfParameters(), 81u);
  EXPECT_EQ(transform->GetNumberOfFixedParameters(), 7u + 81u);
  const auto copy = Transform3::New();
  copy->SetFixedParameters(transform->GetFixedParameters());
  copy->SetParameters(transform->GetParameters());
  const auto clone = transform->Clone();
  for (const PointType & point : SomePoints<3>())
  {
    EXPECT_EQ(copy->TransformPoint(point), transform->TransformPoint(point));
    EXPECT_EQ(clone->TransformPoint(point), transform->TransformPoint(point));
  }
  // What was moved before does not stay.
  const PointType point = SomePoints<3>()[0];
  const PointType before = copy->TransformPoint(point);
  copy->SetSigma(3.0);
  const PointType other = copy->TransformPoint(point);
  EXPECT_NE(other, before);
  copy->SetInitialMomenta(std::vector<double>(81, 0.0));
  EXPECT_EQ(copy->TransformPoint(point), point);
  EXPECT_EQ(transform->TransformPoint(point), before);
  // The clone is a copy.
  EXPECT_EQ(clone->GetTemplatePositions(), transform->GetTemplatePositions());
  clone->SetDirection("Backward");
  EXPECT_EQ(transform->GetDirectionName(), "Forward");
  EXPECT_EQ(clone->TransformPoint(before).EuclideanDistanceTo(point),
            transform->GetInverseTransform()->TransformPoint(before).EuclideanDistanceTo(point));
}

/** Momenta and positions of float are the same numbers in double; the trajectory is in double for both. */
TEST(GeodesicShootingTransform, OfFloat)
{
  const auto transform = MakeTransform<3>();
  const auto ofFloat = itk::GeodesicShootingTransform<float, 3>::New();
  ofFloat->SetFixedParameters(transform->GetFixedParameters());
  ofFloat->SetInitialMomenta(transform->GetInitialMomenta());
  itk::Point<float, 3> point;
  point.CastFrom(SomePoints<3>()[1]);
  // Rounding of momenta of some mm and of coordinates of 30 mm to 24 bits.
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    EXPECT_NEAR(ofFloat->TransformPoint(point)[axis], transform->TransformPoint(SomePoints<3>()[1])[axis], 1e-5);
  }
  EXPECT_EQ(ofFloat->GetTemplatePositions(), transform->GetTemplatePositions());
}

/** Several threads, the first of which makes the trajectory. */
TEST(GeodesicShootingTransform, ServesSeveralThreads)
{
  const auto               transform = MakeTransform<3>();
  const auto               points = SomePoints<3>();
  std::vector<PointType>   moved(points.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < points.size(); ++i)
  {
    threads.emplace_back([&, i] { moved[i] = transform->TransformPoint(points[i]); });
  }
  for (std::thread & thread : threads)
  {
    thread.join();
  }
  for (std::size_t i = 0; i < points.size(); ++i)
  {
    EXPECT_EQ(moved[i], transform->TransformPoint(points[i]));
  }
}

TEST(GeodesicShootingTransform, InACompositeTransform)
{
  const auto shooting = MakeTransform<3>();
  const auto affine = itk::AffineTransform<double, 3>::New();
  affine->Scale(1.25);
  const auto composite = itk::CompositeTransform<double, 3>::New();
  composite->AddTransform(affine);
  composite->AddTransform(shooting); // the last is the first to move points
  const auto inverse = composite->GetInverseTransform();
  ASSERT_TRUE(inverse.IsNotNull());
  for (const PointType & point : SomePoints<3>())
  {
    const PointType moved = composite->TransformPoint(point);
    EXPECT_EQ(moved, affine->TransformPoint(shooting->TransformPoint(point)));
    EXPECT_LT(inverse->TransformPoint(moved).EuclideanDistanceTo(point), 1e-9);
  }
}

TEST(GeodesicShootingTransform, IsRegisteredWithTheObjectFactories)
{
  Transform3::RegisterWithObjectFactory();
  for (const char * name : { "GeodesicShootingTransform_double_3_3",
                             "GeodesicShootingTransform_double_2_2",
                             "GeodesicShootingTransform_float_3_3",
                             "GeodesicShootingTransform_float_2_2" })
  {
    const auto made = itk::ObjectFactoryBase::CreateAllInstance(name);
    ASSERT_EQ(made.size(), 1u) << name;
    EXPECT_STREQ(made.front()->GetNameOfClass(), "GeodesicShootingTransform");
  }
}

TEST(GeodesicShootingTransform, RefusesFixedParametersOfOtherLayouts)
{
  const auto transform = OneLandmark(5, "Heun");
  const auto message = [&](unsigned int index, double value) {
    auto parameters = transform->GetFixedParameters();
    parameters[index] = value;
    return MessageOf([&] { transform->SetFixedParameters(parameters); });
  };
  EXPECT_TRUE(Contains(message(0, 2.0), "the version of the layout of the fixed parameters is 2; it must be 1"));
  EXPECT_TRUE(Contains(message(1, 2.0), "the dimension is 2; it must be 3"));
  EXPECT_TRUE(Contains(message(2, 2.0), "the number of points is 2; it must be 1"));
  EXPECT_TRUE(Contains(message(3, 0.0), "Sigma is 0; it must be"));
  EXPECT_TRUE(Contains(message(3, -1.5), "Sigma is -1.5; it must be"));
  EXPECT_TRUE(Contains(message(3, std::numeric_limits<double>::quiet_NaN()), "Sigma is nan; it must be"));
  EXPECT_TRUE(Contains(message(4, 0.0), "NumberOfTimeSteps is 0; it must be"));
  EXPECT_TRUE(Contains(message(4, 1.5), "NumberOfTimeSteps is 1.5; it must be"));
  EXPECT_TRUE(Contains(message(5, 3.0), "the order of the integrator is 3; it must be 1 (Euler), 2 (Heun)"));
  EXPECT_TRUE(Contains(message(6, 2.0), "the direction is 2; it must be"));
  EXPECT_TRUE(Contains(message(8, std::numeric_limits<double>::infinity()),
                       "the position of point 0 is not finite: its component 1 is inf"));
  EXPECT_TRUE(Contains(MessageOf([&] { transform->SetFixedParameters(Transform3::FixedParametersType(3)); }),
                       "the number of fixed parameters is 3; it must be at least 7"));
  EXPECT_TRUE(Contains(MessageOf([&] {
                         transform->SetTemplatePositions({ 1.0, 2.0, 3.0, 4.0 });
                       }),
                       "the number of coordinates of the points is 4; it must be a multiple of the dimension"));
  // It is as it was.
  EXPECT_EQ(transform->GetNumberOfTimeSteps(), 5u);
  PointType origin;
  origin.Fill(0.0);
  EXPECT_NEAR(transform->TransformPoint(origin)[0], 2.0, 1e-12);
}

TEST(GeodesicShootingTransform, RefusesParametersOfAnotherNumber)
{
  const auto transform = OneLandmark(5, "Euler");
  EXPECT_TRUE(Contains(MessageOf([&] { transform->SetParameters(Transform3::ParametersType(6)); }),
                       "There are 6 parameters, which are the momenta; 3 components for each of 1 points would be 3"));
  EXPECT_TRUE(Contains(MessageOf([&] {
                         transform->SetInitialMomenta({ 0.0, 0.0, std::nan("") });
                       }),
                       "the momentum of point 0 is not finite: its component 2 is nan"));
  EXPECT_EQ(transform->GetInitialMomenta(), (std::vector<double>{ 2.0, 0.0, 0.0 }));
  Transform3::JacobianType jacobian;
  EXPECT_TRUE(
    Contains(MessageOf([&] { transform->ComputeJacobianWithRespectToParameters(SomePoints<3>()[0], jacobian); }),
             "ComputeJacobianWithRespectToParameters is not offered"));
}

/** Two landmarks that are thrown apart so fast that numbers end. */
TEST(GeodesicShootingTransform, RefusesTrajectoriesWithoutEnd)
{
  const auto transform = Transform3::New();
  transform->SetTemplatePositions({ 0.0, 0.0, 0.0, 0.5, 0.0, 0.0 });
  transform->SetInitialMomenta({ 1e200, 0.0, 0.0, 1e200, 0.0, 0.0 });
  EXPECT_TRUE(Contains(MessageOf([&] { transform->TransformPoint(SomePoints<3>()[0]); }),
                       "point 0 leaves the range of the floating-point numbers"));
}

TEST(GeodesicShootingTransform, Prints)
{
  const auto transform = OneLandmark(5, "Heun");
  transform->SetDirection("Backward");
  ExpectPrints(transform,
               { "GeodesicShootingTransform",
                 "NumberOfPoints: 1",
                 "Sigma: 3",
                 "NumberOfTimeSteps: 5",
                 "Integrator: Heun",
                 "Direction: Backward" });
}
