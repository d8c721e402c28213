// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Displacement fields composed, inverted and measured, beside ITK's results; chains on the device, and bad input.

#include "DisplacementFieldTest.h"
#include "itk/FieldImages.h"
#include "itk/TestImages.h"
#include "itkComposeDisplacementFieldsImageFilter.h"
#include "itkCudaComposeDisplacementFieldsImageFilter.h"
#include "itkCudaDisplacementFieldJacobianDeterminantFilter.h"
#include "itkCudaInvertDisplacementFieldImageFilter.h"
#include "itkCudaWarpImageFilter.h"
#include "itkDisplacementFieldJacobianDeterminantFilter.h"
#include "itkDisplacementFieldTransform.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

using namespace displacementfields;
using namespace testimages;

namespace
{

/** The largest length of u(p) for the voxels of \p composition that moving by \p warping keeps on the grid. */
template <unsigned int VDimension>
double
LargestOnGrid(const FieldImageOf<VDimension> * difference, const FieldImageOf<VDimension> * warping)
{
  double     largest = 0.0;
  const auto count = static_cast<itk::OffsetValueType>(difference->GetLargestPossibleRegion().GetNumberOfPixels());
  for (itk::OffsetValueType i = 0; i < count; ++i)
  {
    itk::Point<double, VDimension> point;
    difference->TransformIndexToPhysicalPoint(difference->ComputeIndex(i), point);
    itk::ContinuousIndex<double, VDimension> index;
    if (difference->TransformPhysicalPointToContinuousIndex(point + warping->GetBufferPointer()[i], index))
    {
      largest = std::max(largest, static_cast<double>(difference->GetBufferPointer()[i].GetNorm()));
    }
  }
  return largest;
}

template <unsigned int VDimension>
typename FieldImageOf<VDimension>::Pointer
ComposedByItk(const FieldImageOf<VDimension> * displacement, const FieldImageOf<VDimension> * warping)
{
  const auto compose = itk::ComposeDisplacementFieldsImageFilter<FieldImageOf<VDimension>>::New();
  compose->SetDisplacementField(displacement);
  compose->SetWarpingField(warping);
  compose->Update();
  return compose->GetOutput();
}

template <unsigned int VDimension>
void
CheckComposition(const itk::ComputeDevice & device)
{
  using FieldType = FieldImageOf<VDimension>;
  const auto grid = Phantom<ImageOf<float, VDimension>>();
  const auto displacement = WavyField<VDimension>(grid, 2.0);
  const auto warping = WavyField<VDimension>(grid, 1.5, 2.5);
  const auto compose = itk::CudaComposeDisplacementFieldsImageFilter<FieldType>::New();
  compose->SetComputeDevice(device);
  compose->SetDisplacementField(displacement);
  compose->SetWarpingField(warping);
  compose->Update();
  ExpectSameGeometry<VDimension>(compose->GetOutput(), grid);
  const auto expected = ComposedByItk<VDimension>(displacement, warping);
  for (itk::SizeValueType i = 0; i < expected->GetLargestPossibleRegion().GetNumberOfPixels(); ++i)
  {
    expected->GetBufferPointer()[i] -= compose->GetOutput()->GetBufferPointer()[i];
  }
  EXPECT_LT(LargestOnGrid<VDimension>(expected, warping), 1e-5 * 2.0); // of the range, as all filters promise
}

template <unsigned int VDimension>
void
CheckInversion(const itk::ComputeDevice & device)
{
  using FieldType = FieldImageOf<VDimension>;
  const auto field = WavyField<VDimension>(Phantom<ImageOf<float, VDimension>>());
  const auto invert = itk::CudaInvertDisplacementFieldImageFilter<FieldType>::New();
  invert->SetComputeDevice(device);
  invert->SetDisplacementField(field);
  invert->SetMaxErrorToleranceThreshold(0.001);
  invert->Update();
  ExpectSameGeometry<VDimension>(invert->GetOutput(), field);
  const auto left = ComposedByItk<VDimension>(field, invert->GetOutput());
  // 0.001 voxels of up to 1.5 mm, and rounding.
  EXPECT_LT(LargestOnGrid<VDimension>(left, invert->GetOutput()), 0.00155);
  EXPECT_LE(invert->GetMaxErrorNorm(), 0.001);
  EXPECT_LE(invert->GetMeanErrorNorm(), invert->GetMaxErrorNorm());
  EXPECT_GE(invert->GetNumberOfIterations(), 1u);
  EXPECT_LE(invert->GetNumberOfIterations(), 50u);
}

/** Against ITK's away from the border on a grid that is not turned. */
template <unsigned int VDimension>
void
CheckJacobian(const itk::ComputeDevice & device)
{
  using ImageType = ImageOf<float, VDimension>;
  using FieldType = FieldImageOf<VDimension>;
  const auto                        grid = Phantom<ImageType>();
  typename ImageType::DirectionType identity;
  identity.SetIdentity();
  grid->SetDirection(identity);
  const auto field = WavyField<VDimension>(grid);
  const auto filter = OnDevice<itk::CudaDisplacementFieldJacobianDeterminantFilter<FieldType>>(device, field);
  filter->Update();
  const auto expected = itk::DisplacementFieldJacobianDeterminantFilter<FieldType>::New();
  expected->SetInput(field);
  expected->Update();
  const auto & region = grid->GetLargestPossibleRegion();
  const auto   count = static_cast<itk::OffsetValueType>(region.GetNumberOfPixels());
  for (itk::OffsetValueType i = 0; i < count; ++i)
  {
    const auto index = grid->ComputeIndex(i);
    bool       isInside = true;
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      const auto position = index[axis] - region.GetIndex(axis);
      isInside = isInside && position > 0 && position + 1 < static_cast<itk::OffsetValueType>(region.GetSize(axis));
    }
    if (isInside)
    {
      // Around 1; both are in float, of differences of numbers of the order of 1.
      ASSERT_NEAR(filter->GetOutput()->GetPixel(index), expected->GetOutput()->GetPixel(index), 5e-6) << index;
    }
  }
  EXPECT_EQ(filter->GetNumberOfFoldedVoxels(), 0u);
  EXPECT_GT(filter->GetMinimum(), 0.0);
  EXPECT_GT(filter->GetMaximum(), 1.0);
}

} // namespace

TEST_P(CudaDisplacementFieldFilters, ComposesAsItk)
{
  CheckComposition<2>(this->GetDevice());
  CheckComposition<3>(this->GetDevice());
}

TEST_P(CudaDisplacementFieldFilters, Inverts)
{
  CheckInversion<2>(this->GetDevice());
  CheckInversion<3>(this->GetDevice());
}

TEST_P(CudaDisplacementFieldFilters, JacobianDeterminantIsItks)
{
  CheckJacobian<2>(this->GetDevice());
  CheckJacobian<3>(this->GetDevice());
}

/** Of a linear map it is the matrix's determinant, at the border and on a turned grid, too. */
TEST_P(CudaDisplacementFieldFilters, JacobianDeterminantOfLinearMap)
{
  using FieldType = FieldImageOf<3>;
  const auto grid = Phantom<ImageOf<float, 3>>();
  const auto affine = SomeAffine();
  const auto field =
    FieldFrom<3>(grid.GetPointer(), [&](const itk::Point<double, 3> & p) { return affine->TransformPoint(p) - p; });
  const auto filter =
    OnDevice<itk::CudaDisplacementFieldJacobianDeterminantFilter<FieldType>>(this->GetDevice(), field);
  filter->Update();
  ExpectSameGeometry<3>(filter->GetOutput(), grid);
  const double              determinant = 1.1 * 1.1 * 1.1;
  const std::vector<double> map = Pixels(filter->GetOutput());
  // Displacements of up to 20 mm have errors of 1e-6 mm, and so have their differences.
  ExpectSame(map, std::vector<double>(map.size(), determinant), 2e-5);
  EXPECT_NEAR(filter->GetMeanLogarithm(), std::log(determinant), 2e-6);
  EXPECT_LT(filter->GetStandardDeviationLogarithm(), 1e-5);

  filter->ComputeMapOff();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetBufferedRegion().GetNumberOfPixels(), 0u);
  EXPECT_NEAR(filter->GetMinimum(), determinant, 2e-5);

  filter->SetInput(FieldFrom<3>(grid.GetPointer(), [](const itk::Point<double, 3> & p) {
    itk::Vector<double, 3> mirrored(0.0);
    mirrored[1] = -2.0 * p[1];
    return mirrored;
  }));
  filter->Update();
  EXPECT_EQ(filter->GetNumberOfFoldedVoxels(), map.size());
  EXPECT_NEAR(filter->GetMaximum(), -1.0, 2e-5);
}

/** Fields go up and down, and through four filters, with the bits that images give, and nothing crosses in between. */
TEST_P(CudaDisplacementFieldFilters, ChainOnTheDevice)
{
  using ImageType = ImageOf<float, 3>;
  using DeviceImageType = itk::DeviceImage<float, 3>;
  using DeviceFieldType = itk::DeviceImage<itk::Vector<float, 3>, 3>;
  const auto device = this->GetDevice();
  const auto input = Phantom<ImageType>();
  const auto field = WavyField<3>(input);
  const auto deviceField = Upload(field.GetPointer(), device);
  ExpectSame(Components(deviceField.GetPointer()), Components(field.GetPointer()));
  EXPECT_EQ(deviceField->GetDeviceArray().shape, (std::vector<std::int64_t>{ 11, 15, 19, 3 }));

  const auto compose = itk::CudaComposeDisplacementFieldsImageFilter<DeviceFieldType>::New();
  compose->SetDisplacementField(deviceField);
  compose->SetWarpingField(deviceField);
  const auto invert = itk::CudaInvertDisplacementFieldImageFilter<DeviceFieldType>::New();
  invert->SetDisplacementField(compose->GetOutput());
  const auto jacobian = itk::CudaDisplacementFieldJacobianDeterminantFilter<DeviceFieldType, DeviceImageType>::New();
  jacobian->SetInput(invert->GetOutput());
  const auto warp = itk::CudaWarpImageFilter<DeviceImageType, DeviceImageType, DeviceFieldType>::New();
  warp->SetInput(Upload(input.GetPointer(), device));
  warp->SetDisplacementField(invert->GetOutput());
  warp->Update();
  jacobian->Update();
  const auto expectNoTransfer = [](const auto & filter) {
    EXPECT_EQ(filter->GetHostToDeviceBytes(), 0u) << filter->GetNameOfClass();
    // A few numbers, such as the Jacobian's range.
    EXPECT_LT(filter->GetDeviceToHostBytes(), 5000u) << filter->GetNameOfClass();
  };
  expectNoTransfer(compose);
  expectNoTransfer(invert);
  expectNoTransfer(jacobian);
  expectNoTransfer(warp);

  const auto hostCompose = itk::CudaComposeDisplacementFieldsImageFilter<FieldImageOf<3>>::New();
  hostCompose->SetComputeDevice(device);
  hostCompose->SetDisplacementField(field);
  hostCompose->SetWarpingField(field);
  const auto hostInvert = itk::CudaInvertDisplacementFieldImageFilter<FieldImageOf<3>>::New();
  hostInvert->SetComputeDevice(device);
  hostInvert->SetDisplacementField(hostCompose->GetOutput());
  hostInvert->Update();
  ExpectSame(Components(invert->GetOutput()), Components(hostInvert->GetOutput()));
  const auto hostWarp = MakeWarp<ImageType>(input, hostInvert->GetOutput(), device);
  hostWarp->SetEdgePaddingValue(0);
  hostWarp->Update();
  ExpectSame(Pixels(warp->GetOutput()), Pixels(hostWarp->GetOutput()));
}

TEST_P(CudaDisplacementFieldFilters, DeviceImageOfVectorsTakesArrays)
{
  using DeviceFieldType = itk::DeviceImage<itk::Vector<float, 2>, 2>;
  const auto grid = Phantom<ImageOf<float, 2>>();
  const auto field = Upload(WavyField<2>(grid).GetPointer(), this->GetDevice());
  const auto copy = DeviceFieldType::New();
  copy->SetDeviceArray(field->GetDeviceArray());
  EXPECT_EQ(copy->GetLargestPossibleRegion().GetSize(), grid->GetLargestPossibleRegion().GetSize());
  EXPECT_EQ(copy->GetDevicePointer(), field->GetDevicePointer());

  auto array = field->GetDeviceArray();
  array.shape.back() = 3;
  EXPECT_TRUE(Contains(MessageOf([&] { copy->SetDeviceArray(array); }), "vectors of 3 components and the image of 2"));
  array.shape.pop_back();
  EXPECT_TRUE(Contains(MessageOf([&] { copy->SetDeviceArray(array); }), "has 2 axes and the image 2, and one of"));
}

TEST_P(CudaDisplacementFieldFilters, RejectBadInput)
{
  using ImageType = ImageOf<float, 3>;
  using FilterType = WarpFilterOf<ImageType>;
  const auto device = this->GetDevice();
  const auto input = Phantom<ImageType>();
  const auto field = WavyField<3>(OtherGrid<ImageType>());
  const auto messageFor = [&](auto change) {
    const auto filter = MakeWarp<ImageType>(input, field, device);
    return MessageOf([&] {
      change(filter.GetPointer());
      filter->Update();
    });
  };
  EXPECT_EQ(messageFor([](FilterType *) {}), "");
  EXPECT_TRUE(
    Contains(messageFor([](FilterType * filter) { filter->SetInput(nullptr); }), "Input Primary is required"));
  EXPECT_TRUE(Contains(messageFor([](FilterType * filter) { filter->SetInterpolation("Cubic"); }), "Linear"));
  EXPECT_TRUE(Contains(messageFor([&](FilterType * filter) {
                         filter->SetInterpolation("WindowedSinc");
                         filter->SetMaskImage(BallMaskFor<3>(input.GetPointer()));
                       }),
                       "Interpolation is WindowedSinc; it must be Linear, Nearest or Label"));
  EXPECT_TRUE(
    Contains(messageFor([&](FilterType * filter) { filter->SetMaskImage(BallMaskFor<3>(field.GetPointer())); }),
             "of MaskImage is"));
  EXPECT_TRUE(Contains(
    messageFor([&](FilterType * filter) { filter->SetTransform(itk::DisplacementFieldTransform<double, 3>::New()); }),
    "not linear"));
  EXPECT_TRUE(Contains(messageFor([&](FilterType * filter) {
                         filter->SetOutputSize({ { 5, 0, 5 } });
                       }),
                       "The output image is empty: its size is [5, 0, 5]"));
  const auto empty = FieldImageOf<3>::New();
  EXPECT_TRUE(Contains(messageFor([&](FilterType * filter) { filter->SetDisplacementField(empty); }),
                       "The displacement field is empty"));
  const auto notAllocated = FieldImageOf<3>::New();
  notAllocated->SetRegions(itk::Size<3>{ { 4, 4, 4 } });
  EXPECT_TRUE(Contains(messageFor([&](FilterType * filter) { filter->SetDisplacementField(notAllocated); }),
                       "The pixels of the displacement field are not there"));

  const auto invert = itk::CudaInvertDisplacementFieldImageFilter<FieldImageOf<3>>::New();
  invert->SetComputeDevice(device);
  EXPECT_TRUE(Contains(MessageOf([&] { invert->Update(); }), "Input DisplacementField is required"));
  invert->SetDisplacementField(field);
  invert->SetMaximumNumberOfIterations(0);
  EXPECT_TRUE(Contains(MessageOf([&] { invert->Update(); }), "must be"));
  invert->SetMaximumNumberOfIterations(3000000000u);
  EXPECT_TRUE(Contains(MessageOf([&] { invert->Update(); }),
                       "MaximumNumberOfIterations is 3000000000; it must be between 0 and 2147483647"));
  invert->SetMaximumNumberOfIterations(10);
  invert->SetMaxErrorToleranceThreshold(0.0);
  EXPECT_TRUE(Contains(MessageOf([&] { invert->Update(); }), "olerance is 0"));

  const auto compose = itk::CudaComposeDisplacementFieldsImageFilter<FieldImageOf<3>>::New();
  compose->SetComputeDevice(device);
  compose->SetDisplacementField(field);
  EXPECT_NE(MessageOf([&] { compose->Update(); }), "");
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaDisplacementFieldFilters);
