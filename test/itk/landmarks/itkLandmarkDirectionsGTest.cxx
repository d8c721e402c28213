// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Each cell of the table of Documentation/landmarks.md on which way things move.

#include "itk/registration/RegistrationPhantom.h"
#include "itkCudaGeodesicShootingRegistration.h"
#include "itkCudaGeodesicShootingToDisplacementFieldFilter.h"
#include "itkCudaGreedyFluidRegistrationFilter.h"
#include "itkCudaWarpImageFilter.h"
#include "itkMesh.h"
#include "itkResampleImageFilter.h"
#include "itkTransformMeshFilter.h"
#include "itkWarpImageFilter.h"

namespace
{

using namespace registrationphantom;

using ImageType = itk::Image<float, 3>;
using FieldType = FieldOf<3>;
using PointType = PointOf<3>;
using PointSetType = itk::PointSet<double, 3>;
using MeshType = itk::Mesh<double, 3>;
using RegistrationType = itk::CudaGeodesicShootingRegistration<PointSetType>;
using TransformType = RegistrationType::TransformType;
using TransformBaseType = itk::Transform<double, 3, 3>;

/** Landmarks every 4 mm in the object, and where the known deformation takes them. */
struct Correspondences
{
  std::vector<PointType> inTemplate;
  std::vector<PointType> inTarget;
};

Correspondences
MakeCorrespondences()
{
  constexpr double step = 4.0;
  Correspondences  points;
  for (int z = -4; z <= 4; ++z)
  {
    for (int y = -4; y <= 4; ++y)
    {
      for (int x = -4; x <= 4; ++x)
      {
        PointType point;
        point[0] = center + step * x;
        point[1] = center + step * y;
        point[2] = center + step * z;
        if (DistanceFromCenter<3>(point) < radius + step)
        {
          points.inTemplate.push_back(point);
          points.inTarget.push_back(Deformed<3>(point));
        }
      }
    }
  }
  return points;
}

template <typename TPointSet>
typename TPointSet::Pointer
MakePointSet(const std::vector<PointType> & points)
{
  const auto set = TPointSet::New();
  for (std::size_t i = 0; i < points.size(); ++i)
  {
    typename TPointSet::PointType point;
    point.CastFrom(points[i]);
    set->SetPoint(i, point);
  }
  return set;
}

/** The image of the template is Fixed, and that of the target is Moving: Fixed at p is Moving at Deformed(p). */
class LandmarkDirections : public ::testing::Test
{
protected:
  static void
  SetUpTestSuite()
  {
    s_Points = new Correspondences(MakeCorrespondences());
    const auto registration = RegistrationType::New();
    registration->SetTemplatePointSet(MakePointSet<PointSetType>(s_Points->inTemplate));
    registration->SetTargetPointSet(MakePointSet<PointSetType>(s_Points->inTarget));
    registration->SetSigma(5.0);
    registration->SetNumberOfTimeSteps(10);
    registration->SetMaximumNumberOfIterations(200);
    registration->SetComputeDevice("cpu");
    registration->Update();
    s_Transform = new TransformType::Pointer(registration->GetTransform());
  }
  static void
  TearDownTestSuite()
  {
    delete s_Transform;
    delete s_Points;
  }

  static const TransformType *
  Transform()
  {
    return *s_Transform;
  }
  static TransformType::Pointer
  Inverse()
  {
    const auto inverse = TransformType::New();
    EXPECT_TRUE(Transform()->GetInverse(inverse));
    return inverse;
  }

  static double
  MeanDistance(const std::vector<PointType> & a, const std::vector<PointType> & b)
  {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
      sum += a[i].EuclideanDistanceTo(b[i]);
    }
    return sum / static_cast<double>(a.size());
  }

  /** The wrong way takes points twice as far from where they are expected as they are at first. */
  static void
  ExpectNear(const std::vector<PointType> & moved,
             const std::vector<PointType> & from,
             const std::vector<PointType> & to)
  {
    ASSERT_EQ(moved.size(), to.size());
    EXPECT_LT(MeanDistance(moved, to), 0.05 * MeanDistance(from, to));
  }

  static void
  ExpectMovesPoints(const TransformBaseType *      transform,
                    const std::vector<PointType> & from,
                    const std::vector<PointType> & to)
  {
    std::vector<PointType> moved;
    for (const PointType & point : from)
    {
      moved.push_back(transform->TransformPoint(point));
    }
    ExpectNear(moved, from, to);
  }

  static void
  ExpectMovesMesh(const TransformBaseType *      transform,
                  const std::vector<PointType> & from,
                  const std::vector<PointType> & to)
  {
    const auto mesh = MakePointSet<MeshType>(from);
    const auto filter = itk::TransformMeshFilter<MeshType, MeshType, TransformBaseType>::New();
    filter->SetInput(mesh);
    filter->SetTransform(const_cast<TransformBaseType *>(transform));
    filter->Update();
    std::vector<PointType> moved(from.size());
    for (std::size_t i = 0; i < moved.size(); ++i)
    {
      moved[i].CastFrom(filter->GetOutput()->GetPoint(i));
    }
    ExpectNear(moved, from, to);
  }

  /** A vector at a point of \p from, from it to a point nearby, becomes the vector between where both go. */
  static void
  ExpectMovesVectors(const TransformBaseType * transform, const std::vector<PointType> & from)
  {
    itk::Vector<double, 3> vector;
    vector[0] = 0.3e-4;
    vector[1] = -0.5e-4;
    vector[2] = 0.4e-4;
    for (std::size_t i = 0; i < from.size(); i += 7)
    {
      const itk::Vector<double, 3> difference =
        transform->TransformPoint(from[i] + vector) - transform->TransformPoint(from[i]);
      const itk::Vector<double, 3> moved = transform->TransformVector(vector, from[i]);
      // Second derivatives are below 1 / mm; steps of 1e-4 mm have rounding errors of 1e-14 mm.
      EXPECT_LT((moved - difference).GetNorm(), 1e-3 * vector.GetNorm());
    }
  }

  /** The mean difference of intensities. Landmarks between which the deformation is interpolated leave some of it; the
   * wrong way adds to it. */
  static double
  MeanDifference(const ImageType * a, const ImageType * b)
  {
    double     sum = 0.0;
    const auto count = a->GetLargestPossibleRegion().GetNumberOfPixels();
    for (itk::SizeValueType i = 0; i < count; ++i)
    {
      sum += std::abs(static_cast<double>(a->GetBufferPointer()[i]) - b->GetBufferPointer()[i]);
    }
    return sum / static_cast<double>(count);
  }
  static void
  ExpectMovesImage(const ImageType * moved, const ImageType * from, const ImageType * to)
  {
    EXPECT_LT(MeanDifference(moved, to), 0.3 * MeanDifference(from, to));
  }

  static void
  ExpectResamples(const TransformBaseType * transform, const ImageType * from, const ImageType * to)
  {
    const auto filter = itk::ResampleImageFilter<ImageType, ImageType>::New();
    filter->SetInput(from);
    filter->SetTransform(transform);
    filter->SetOutputParametersFromImage(to);
    filter->Update();
    ExpectMovesImage(filter->GetOutput(), from, to);
  }

  static void
  ExpectWarps(const TransformType * transform, const ImageType * from, const ImageType * to)
  {
    const auto field = itk::CudaGeodesicShootingToDisplacementFieldFilter<FieldType>::New();
    field->SetTransform(transform);
    field->SetReferenceImage(to);
    field->UseReferenceImageOn();
    field->SetComputeDevice("cpu");
    const auto warp = itk::CudaWarpImageFilter<ImageType>::New();
    warp->SetInput(from);
    warp->SetDisplacementField(field->GetOutput());
    warp->SetComputeDevice("cpu");
    warp->Update();
    ExpectMovesImage(warp->GetOutput(), from, to);
    const auto warpOfItk = itk::WarpImageFilter<ImageType, ImageType, FieldType>::New();
    warpOfItk->SetInput(from);
    warpOfItk->SetDisplacementField(field->GetOutput());
    warpOfItk->SetOutputParametersFromImage(to);
    warpOfItk->Update();
    ExpectMovesImage(warpOfItk->GetOutput(), from, to);
  }

  /** Of the registration only the start is wanted: one iteration of a step that moves nothing. */
  static void
  ExpectRegistrationStarts(const TransformBaseType * transform, const ImageType * from, const ImageType * to)
  {
    const auto filter = itk::CudaGreedyFluidRegistrationFilter<ImageType>::New();
    filter->SetMovingImage(from);
    filter->SetFixedImage(to);
    filter->SetInitialTransform(transform);
    filter->SetNumberOfLevels(1);
    filter->SetNumberOfIterations(1);
    filter->SetMaximumStep(1e-6);
    filter->ComputeWarpedOn();
    filter->SetComputeDevice("cpu");
    filter->Update();
    ExpectMovesImage(filter->GetWarpedImage(), from, to);
  }

  static Correspondences *        s_Points;
  static TransformType::Pointer * s_Transform;
};

Correspondences *        LandmarkDirections::s_Points = nullptr;
TransformType::Pointer * LandmarkDirections::s_Transform = nullptr;

} // namespace

TEST_F(LandmarkDirections, PointsToTheTarget)
{
  ExpectMovesPoints(Transform(), s_Points->inTemplate, s_Points->inTarget);
}

TEST_F(LandmarkDirections, PointsToTheTemplate)
{
  ExpectMovesPoints(Inverse(), s_Points->inTarget, s_Points->inTemplate);
}

TEST_F(LandmarkDirections, MeshesToTheTarget)
{
  ExpectMovesMesh(Transform(), s_Points->inTemplate, s_Points->inTarget);
}

TEST_F(LandmarkDirections, MeshesToTheTemplate)
{
  ExpectMovesMesh(Inverse(), s_Points->inTarget, s_Points->inTemplate);
}

TEST_F(LandmarkDirections, VectorsToTheTarget)
{
  ExpectMovesVectors(Transform(), s_Points->inTemplate);
}

TEST_F(LandmarkDirections, VectorsToTheTemplate)
{
  ExpectMovesVectors(Inverse(), s_Points->inTarget);
}

TEST_F(LandmarkDirections, ImagesToTheTarget)
{
  ExpectResamples(Inverse(), Fixed<ImageType>(), Moving<ImageType>());
}

TEST_F(LandmarkDirections, ImagesToTheTemplate)
{
  ExpectResamples(Transform(), Moving<ImageType>(), Fixed<ImageType>());
}

TEST_F(LandmarkDirections, FieldsToTheTarget)
{
  ExpectWarps(Inverse(), Fixed<ImageType>(), Moving<ImageType>());
}

TEST_F(LandmarkDirections, FieldsToTheTemplate)
{
  ExpectWarps(Transform(), Moving<ImageType>(), Fixed<ImageType>());
}

TEST_F(LandmarkDirections, RegistrationToTheTarget)
{
  ExpectRegistrationStarts(Inverse(), Fixed<ImageType>(), Moving<ImageType>());
}

TEST_F(LandmarkDirections, RegistrationToTheTemplate)
{
  ExpectRegistrationStarts(Transform(), Moving<ImageType>(), Fixed<ImageType>());
}
