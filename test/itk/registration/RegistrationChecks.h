// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef RegistrationChecks_h
#define RegistrationChecks_h

#include "RegistrationPhantom.h"
#include "itk/ItkDeviceTest.h"
#include "itkCommand.h"
#include "itkLinearInterpolateImageFunction.h"
#include "itkNearestNeighborInterpolateImageFunction.h"
#include "itkResampleImageFilter.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

/** What the filters for linear registration, fluid registration and atlases must do and refuse alike. */
namespace registrationchecks
{

using ImageType = itk::Image<float, 3>;
using AffineType = itk::AffineTransform<double, 3>;

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/** Calls a function at an iteration, counted from 1. \returns the observer's tag. */
template <typename TFilter, typename TFunction>
unsigned long
AtIteration(TFilter * filter, itk::IdentifierType iteration, const TFunction & function)
{
  return filter->AddObserver(itk::IterationEvent(), [=](const itk::EventObject &) {
    if (filter->GetElapsedIterations() == iteration)
    {
      function();
    }
  });
}

/** The message of the update of a filter, which works as it is, after a change. */
template <typename TFilter, typename TChange>
std::string
MessageOfUpdate(TFilter * filter, const TChange & change)
{
  return testimages::MessageOf([&] {
    change(filter);
    filter->Update();
  });
}

/** A message about a parameter tells what it is, and what it must be. */
inline void
ExpectRejected(const std::string & message, const std::string & part)
{
  EXPECT_TRUE(testimages::Contains(message, part));
  EXPECT_TRUE(testimages::Contains(message, "must"));
}

/** \name Images that no filter takes */
///@{
inline ImageType::Pointer
FarAway()
{
  const auto           image = registrationphantom::Moving<ImageType>();
  ImageType::PointType origin;
  origin.Fill(100.0);
  image->SetOrigin(origin);
  return image;
}

inline ImageType::Pointer
Constant()
{
  const auto image = registrationphantom::CommonGrid<ImageType>();
  image->FillBuffer(7.0f);
  return image;
}

inline ImageType::Pointer
NotFinite()
{
  const auto image = registrationphantom::Moving<ImageType>();
  image->FillBuffer(static_cast<float>(notANumber));
  return image;
}

inline ImageType::Pointer
Empty()
{
  const auto image = ImageType::New();
  image->SetRegions(ImageType::SizeType{ { 5, 0, 5 } });
  image->Allocate();
  return image;
}

inline ImageType::Pointer
NotAllocated(const ImageType::SizeType & size)
{
  const auto image = ImageType::New();
  image->SetRegions(size);
  return image;
}
///@}

/** A registration needs two images that have pixels. The functions return the message for an image. */
template <typename TOfFixed, typename TOfMoving>
void
ExpectNeedsPixels(const TOfFixed & ofFixed, const TOfMoving & ofMoving)
{
  using testimages::Contains;
  EXPECT_EQ(ofMoving(registrationphantom::Moving<ImageType>()), "");
  EXPECT_TRUE(Contains(ofFixed(nullptr), "Input FixedImage is required"));
  EXPECT_TRUE(Contains(ofMoving(nullptr), "Input MovingImage is required"));
  EXPECT_TRUE(Contains(ofFixed(Empty()), "The fixed image is empty: its size is [5, 0, 5]"));
  EXPECT_TRUE(Contains(ofMoving(Empty()), "The moving image is empty: its size is [5, 0, 5]"));
  EXPECT_TRUE(Contains(ofMoving(NotAllocated({ { 5, 6, 5 } })), "The pixels of the moving image are not there"));
}

/** Masks of a registration are of unsigned char, have a voxel, and lie on the grids of their images. The functions
 * return the message for a mask. */
template <typename TOfFixedMask, typename TOfMovingMask>
void
ExpectNeedsGoodMasks(const TOfFixedMask & ofFixedMask, const TOfMovingMask & ofMovingMask)
{
  using testimages::Contains;
  const auto image = registrationphantom::CommonGrid<ImageType>();
  const auto none = testimages::ConstantMask<3>(image, 0);
  EXPECT_TRUE(Contains(ofFixedMask(none), "voxels in the mask of the fixed image is 0; it must be 1 or greater"));
  EXPECT_TRUE(Contains(ofMovingMask(none), "voxels in the mask of the moving image is 0; it must be 1 or greater"));
  EXPECT_TRUE(
    Contains(ofMovingMask(image), "must be an Image or a DeviceImage of unsigned char; the moving mask is a Image"));
  const auto elsewhere = testimages::ConstantMask<3>(registrationphantom::ObliqueGrid<ImageType>(), 1);
  EXPECT_TRUE(
    Contains(ofFixedMask(elsewhere), "first index of the fixed mask is [5, 2, -1], that of the fixed image [0, 0, 0]"));
  EXPECT_TRUE(Contains(ofMovingMask(elsewhere),
                       "first index of the moving mask is [5, 2, -1], that of the moving image [0, 0, 0]"));
}

/** \name Transforms that no filter takes */
///@{
inline AffineType::Pointer
WithoutInverse()
{
  const auto             transform = AffineType::New();
  AffineType::MatrixType matrix;
  matrix.Fill(1.0);
  transform->SetMatrix(matrix);
  return transform;
}

inline AffineType::Pointer
NotFiniteTransform()
{
  const auto                   transform = AffineType::New();
  AffineType::OutputVectorType translation;
  translation.Fill(notANumber);
  transform->SetTranslation(translation);
  return transform;
}
///@}

/** The known field, so large that it folds. */
inline registrationphantom::FieldOf<3>::Pointer
FoldedField(const itk::ImageBase<3> * image)
{
  const auto field = registrationphantom::KnownField<3>(image);
  for (std::size_t i = 0; i < field->GetBufferedRegion().GetNumberOfPixels(); ++i)
  {
    field->GetBufferPointer()[i] *= 6.0f;
  }
  return field;
}

/** Where something bright is that only one image has. */
using Region = std::function<bool(const registrationphantom::PointOf<3> &)>;

/** A box of 8 x 8 x 10 mm. */
inline Region
BoxAround(double x, double y, double z)
{
  return [=](const registrationphantom::PointOf<3> & p) {
    return std::abs(p[0] - x) < 4.0 && std::abs(p[1] - y) < 4.0 && std::abs(p[2] - z) < 5.0;
  };
}

inline void
Brighten(ImageType * image, const Region & isInside, float intensity)
{
  registrationphantom::ForEachVoxel<3>(image, [&](itk::OffsetValueType i, const registrationphantom::PointOf<3> & p) {
    image->GetBufferPointer()[i] += isInside(p) ? intensity : 0.0f;
  });
}

/** A mask of all voxels but those of a region. */
inline testimages::MaskOf<3>::Pointer
MaskWithout(const Region & isInside, const itk::ImageBase<3> * image)
{
  const auto mask = testimages::ConstantMask<3>(image, 0);
  registrationphantom::Fill<unsigned char, 3>(
    mask, [&](const registrationphantom::PointOf<3> & p) { return isInside(p) ? 0.0 : 1.0; });
  return mask;
}

/** Updates a filter, and expects its warped image as itk::ResampleImageFilter makes it from the moving image and the
 * map that was found, with either interpolation and a value of CT's air outside. */
template <typename TFilter>
void
ExpectWarpedAsByItk(TFilter * filter)
{
  constexpr double air = -1024.0;
  filter->SetEdgePaddingValue(air);
  const auto expect = [&](const std::string & name, auto interpolator) {
    SCOPED_TRACE(name);
    filter->SetInterpolation(name);
    filter->Update();
    const auto resample = itk::ResampleImageFilter<ImageType, ImageType>::New();
    resample->SetInput(filter->GetMovingImage());
    resample->SetTransform(filter->GetTransform());
    resample->SetInterpolator(interpolator);
    resample->SetDefaultPixelValue(air);
    resample->SetReferenceImage(filter->GetFixedImage());
    resample->UseReferenceImageOn();
    resample->Update();
    const auto  warped = testimages::Pixels(filter->GetWarpedImage());
    const auto  expected = testimages::Pixels(resample->GetOutput());
    std::size_t outside = 0;
    std::size_t different = 0;
    for (std::size_t i = 0; i < warped.size(); ++i)
    {
      outside += warped[i] == air;
      different += std::abs(warped[i] - expected[i]) > 0.01; // of rounding, of intensities up to 400
    }
    EXPECT_GT(outside, warped.size() / 100);
    EXPECT_LT(outside, warped.size() / 2);
    EXPECT_LE(different, warped.size() / 500); // at edges and between two voxels rounding decides
  };
  expect("Linear", itk::LinearInterpolateImageFunction<ImageType>::New());
  expect("Nearest", itk::NearestNeighborInterpolateImageFunction<ImageType>::New());

  // Labels are those of the moving image, however many there are.
  filter->SetInterpolation("Label");
  filter->Update();
  std::vector<double> labels = testimages::Pixels(filter->GetMovingImage());
  labels.push_back(air);
  std::sort(labels.begin(), labels.end());
  for (const double label : testimages::Pixels(filter->GetWarpedImage()))
  {
    ASSERT_TRUE(std::binary_search(labels.begin(), labels.end(), label)) << label;
  }
}

} // namespace registrationchecks

#endif
