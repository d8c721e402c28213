// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Images and labels warped by displacement fields and transforms, beside ITK's results.
// itkCudaDisplacementFieldFiltersGTest.cxx instantiates these tests.

#include "DisplacementFieldTest.h"
#include "itk/FieldImages.h"
#include "itk/TestImages.h"
#include "itkBSplineInterpolateImageFunction.h"
#include "itkCastImageFilter.h"
#include "itkCompositeTransform.h"
#include "itkDisplacementFieldTransform.h"
#include "itkNearestNeighborInterpolateImageFunction.h"
#include "itkResampleImageFilter.h"
#include "itkWarpImageFilter.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace displacementfields;
using namespace testimages;

namespace
{

/** The phantom's range is 200. Positions are in float, so that values are off by the gradient times 1e-6 voxels. */
constexpr double warpTolerance = 1e-5 * 200.0;

template <typename TImage>
typename itk::WarpImageFilter<TImage, TImage, FieldImageOf<TImage::ImageDimension>>::Pointer
MakeItkWarp(const TImage *                                 input,
            const FieldImageOf<TImage::ImageDimension> *   field,
            const itk::ImageBase<TImage::ImageDimension> * outputGrid)
{
  const auto filter = itk::WarpImageFilter<TImage, TImage, FieldImageOf<TImage::ImageDimension>>::New();
  filter->SetInput(input);
  filter->SetDisplacementField(field);
  filter->SetOutputParametersFromImage(outputGrid);
  filter->SetEdgePaddingValue(7);
  return filter;
}

/** Against itk::WarpImageFilter, with the output on the field's grid and on another one. */
template <unsigned int VDimension>
void
CheckWarp(const itk::ComputeDevice & device)
{
  using ImageType = ImageOf<float, VDimension>;
  const auto input = Phantom<ImageType>();
  const auto field = WavyField<VDimension>(OtherGrid<ImageType>());
  const auto filter = MakeWarp<ImageType>(input, field, device);
  filter->Update();
  const auto expected = MakeItkWarp<ImageType>(input, field, field);
  expected->Update();
  ExpectSameGeometry<VDimension>(filter->GetOutput(), field);
  const std::vector<double> result = Pixels(filter->GetOutput());
  ExpectSame(result, Pixels(expected->GetOutput()), warpTolerance);
  EXPECT_GT(std::count(result.begin(), result.end(), 7.0), 0);
  EXPECT_GT(std::count_if(result.begin(), result.end(), [](double value) { return value != 7.0; }), 100);

  filter->SetOutputParametersFromImage(input);
  filter->Update();
  const auto onOther = MakeItkWarp<ImageType>(input, field, input);
  onOther->Update();
  ExpectSameGeometry<VDimension>(filter->GetOutput(), input);
  ExpectSame(Pixels(filter->GetOutput()), Pixels(onOther->GetOutput()), warpTolerance);
}

} // namespace

TEST_P(CudaDisplacementFieldFilters, WarpsAsItk)
{
  CheckWarp<2>(this->GetDevice());
  CheckWarp<3>(this->GetDevice());
}

TEST_P(CudaDisplacementFieldFilters, WarpsLabelsAsItk)
{
  using LabelsType = ImageOf<unsigned char, 3>;
  const auto labels = Phantom<LabelsType>();
  const auto field = WavyField<3>(labels);
  const auto filter = MakeWarp<LabelsType>(labels, field, this->GetDevice());
  filter->SetInterpolation("Nearest");
  EXPECT_EQ(filter->GetInterpolationName(), "Nearest");
  filter->Update();
  const auto expected = MakeItkWarp<LabelsType>(labels, field, field);
  expected->SetInterpolator(itk::NearestNeighborInterpolateImageFunction<LabelsType, double>::New());
  expected->Update();
  ExpectSame(Pixels(filter->GetOutput()), Pixels(expected->GetOutput()));
}

TEST_P(CudaDisplacementFieldFilters, WarpsBySplinesAsItk)
{
  using ImageType = ImageOf<float, 3>;
  const auto input = Phantom<ImageType>();
  const auto field = WavyField<3>(OtherGrid<ImageType>());
  const auto filter = MakeWarp<ImageType>(input, field, this->GetDevice());
  filter->SetInterpolation("CubicBSpline");
  EXPECT_EQ(filter->GetInterpolationName(), "CubicBSpline");
  filter->Update();
  const auto expected = MakeItkWarp<ImageType>(input, field, field);
  const auto spline = itk::BSplineInterpolateImageFunction<ImageType, double, double>::New();
  spline->SetSplineOrder(3);
  expected->SetInterpolator(spline);
  expected->Update();
  // Coefficients are up to 27 times the values, and rounded as those are.
  ExpectSame(Pixels(filter->GetOutput()), Pixels(expected->GetOutput()), 5.0 * warpTolerance);
}

TEST_P(CudaDisplacementFieldFilters, WarpsLabelsByWeight)
{
  using LabelsType = ImageOf<unsigned char, 3>;
  const auto labels = Phantom<LabelsType>();
  const auto field = WavyField<3>(labels);
  const auto count = static_cast<std::ptrdiff_t>(labels->GetLargestPossibleRegion().GetNumberOfPixels());
  std::transform(labels->GetBufferPointer(),
                 labels->GetBufferPointer() + count,
                 labels->GetBufferPointer(),
                 [](unsigned char value) { return value > 90 ? 1 : 0; });
  const auto filter = MakeWarp<LabelsType>(labels, field, this->GetDevice());
  filter->SetInterpolation("Label");
  filter->Update();
  // Of two labels, the one of more weight is that on whose side of 1/2 linear interpolation is.
  const auto cast = itk::CastImageFilter<LabelsType, ImageOf<float, 3>>::New();
  cast->SetInput(labels);
  cast->Update();
  const auto linear = MakeItkWarp<ImageOf<float, 3>>(cast->GetOutput(), field, field);
  linear->Update();
  const std::vector<double> weights = Pixels(linear->GetOutput());
  const std::vector<double> result = Pixels(filter->GetOutput());
  std::size_t               different = 0;
  for (std::size_t i = 0; i < result.size(); ++i)
  {
    const double expected = weights[i] == 7.0 ? 7.0 : (weights[i] > 0.5 ? 1.0 : 0.0);
    different += std::abs(weights[i] - 0.5) > 1e-4 && result[i] != expected ? 1 : 0;
  }
  EXPECT_EQ(different, 0u);
  EXPECT_GT(std::count(result.begin(), result.end(), 1.0), 100);
}

/** The field first, then the transform: ITK's composite applies what was added last first. */
TEST_P(CudaDisplacementFieldFilters, WarpsByFieldAndTransformAsItk)
{
  using ImageType = ImageOf<float, 3>;
  using DoubleFieldType = itk::Image<itk::Vector<double, 3>, 3>;
  const auto input = Phantom<ImageType>();
  const auto field = WavyField<3>(OtherGrid<ImageType>());
  const auto cast = itk::CastImageFilter<FieldImageOf<3>, DoubleFieldType>::New();
  cast->SetInput(field);
  cast->Update();
  const auto affine = SomeAffine();
  const auto deformation = itk::DisplacementFieldTransform<double, 3>::New();
  deformation->SetDisplacementField(cast->GetOutput());
  const auto composite = itk::CompositeTransform<double, 3>::New();
  composite->AddTransform(affine);
  composite->AddTransform(deformation);
  const auto resample = itk::ResampleImageFilter<ImageType, ImageType>::New();
  resample->SetInput(input);
  resample->SetTransform(composite);
  resample->SetOutputParametersFromImage(field);
  resample->SetDefaultPixelValue(7);
  resample->Update();

  const auto filter = MakeWarp<ImageType>(input, field, this->GetDevice());
  filter->SetTransform(affine);
  ExpectOutput(filter, Pixels(resample->GetOutput()), warpTolerance);

  // The transform alone, changed in place: the filter notices.
  filter->SetDisplacementField(nullptr);
  filter->SetOutputParametersFromImage(field);
  affine->Scale(0.8);
  filter->Update();
  resample->SetTransform(affine);
  resample->Update();
  ExpectSame(Pixels(filter->GetOutput()), Pixels(resample->GetOutput()), warpTolerance);

  // As a part of a composite, too.
  const auto whole = itk::CompositeTransform<double, 3>::New();
  whole->AddTransform(affine);
  filter->SetTransform(whole);
  filter->Update();
  affine->Scale(1.1);
  filter->Update();
  resample->Update();
  ExpectSame(Pixels(filter->GetOutput()), Pixels(resample->GetOutput()), warpTolerance);
}

TEST_P(CudaDisplacementFieldFilters, WarpLeavesOutWhatIsMasked)
{
  using ImageType = ImageOf<float, 3>;
  const auto input = Phantom<ImageType>();
  const auto mask = BallMaskFor<3>(input);
  const auto filter = MakeWarp<ImageType>(input, nullptr, this->GetDevice());
  filter->SetMaskImage(mask);
  filter->Update();
  ExpectSameGeometry<3>(filter->GetOutput(), input);
  std::vector<double> expected = Pixels(input.GetPointer());
  for (std::size_t i = 0; i < expected.size(); ++i)
  {
    expected[i] = mask->GetBufferPointer()[i] == 0 ? 7.0 : expected[i];
  }
  ExpectSame(Pixels(filter->GetOutput()), expected, warpTolerance);
}

TEST_P(CudaDisplacementFieldFilters, WarpTakesWhatIsNotSetFromTheField)
{
  using ImageType = ImageOf<float, 2>;
  const auto input = Phantom<ImageType>();
  const auto field = WavyField<2>(OtherGrid<ImageType>());
  const auto filter = MakeWarp<ImageType>(input, field, this->GetDevice());
  filter->SetOutputSpacing(2.0 * field->GetSpacing());
  filter->SetOutputSize({ { 6, 5 } });
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetLargestPossibleRegion(), (ImageType::RegionType(ImageType::SizeType{ { 6, 5 } })));
  EXPECT_EQ(filter->GetOutput()->GetSpacing(), 2.0 * field->GetSpacing());
  EXPECT_EQ(filter->GetOutput()->GetOrigin(), field->GetOrigin());
  EXPECT_EQ(filter->GetOutput()->GetDirection(), field->GetDirection());
}
