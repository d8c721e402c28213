// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef LinearRegistrationTest_h
#define LinearRegistrationTest_h

#include "LinearPhantom.h"
#include "RegistrationChecks.h"
#include "RegistrationPhantom.h"
#include "itk/ItkDeviceTest.h"
#include "itkCudaLinearRegistrationFilter.h"

#include <string>

/** The test of linear registrations on a device: known transforms are found. */
namespace linearregistration
{

using namespace registrationphantom;
using namespace linearphantom;
using registrationchecks::ImageType;

using FilterType = itk::CudaLinearRegistrationFilter<ImageType>;

/** How close a known transform must be found, in mm at most inside the object: a sixth of a voxel's diagonal. The
 * fixed image is exact; the moving one is interpolated linearly, which flattens its texture and draws scales toward
 * where it is flattened less. */
inline constexpr double recoveryTolerance = 0.28;

template <typename TFilter = FilterType>
typename TFilter::Pointer
MakeLinearFilter(const typename TFilter::FixedImageType *  fixed,
                 const typename TFilter::MovingImageType * moving,
                 const itk::ComputeDevice &                device)
{
  const auto filter = MakeFilter<TFilter>(fixed, moving, device);
  filter->SetTransformType("Rigid");
  return filter;
}

class CudaLinearRegistrationFilter : public ItkDeviceTest
{
protected:
  /** Registers an image that is seen through a transform of the type, and compares what is found with it. */
  template <unsigned int VDimension>
  void
  CheckRecovery(const std::string & type) const
  {
    using InputType = itk::Image<float, VDimension>;
    const auto known = KnownTransform<VDimension>(type);
    const auto filter = MakeLinearFilter<itk::CudaLinearRegistrationFilter<InputType>>(
      SeenThrough<InputType>(known), Moving<InputType>(), this->GetDevice());
    filter->SetTransformType(type);
    filter->Update();
    const TransformOf<VDimension> * const found = filter->GetTransform();
    EXPECT_LT(LargestDistance<VDimension>(found, known), recoveryTolerance) << type;
    EXPECT_STREQ(found->GetNameOfClass(), known->GetNameOfClass());
    EXPECT_TRUE(filter->GetIsSuccess()) << type << " with quality " << filter->GetQuality();
    EXPECT_LT(filter->GetMetricValue(), 0.0);
    EXPECT_GT(filter->GetOverlap(), 0.5);
    EXPECT_LE(filter->GetOverlap(), 1.0);
    EXPECT_GT(filter->GetNumberOfEvaluations(), filter->GetElapsedIterations());

    const auto inverse = filter->GetInverseTransform();
    EXPECT_STREQ(inverse->GetNameOfClass(), known->GetNameOfClass());
    const auto point = Middle<VDimension>() + KnownTranslation<VDimension>();
    EXPECT_LT((inverse->TransformPoint(found->TransformPoint(point)) - point).GetNorm(), 1e-9); // of rounding
    EXPECT_EQ(inverse->GetFixedParameters(), found->GetFixedParameters());
    if (type != "Translation")
    {
      for (unsigned int axis = 0; axis < VDimension; ++axis)
      {
        EXPECT_NEAR(found->GetFixedParameters()[axis], 19.5, 1e-9); // the center of the grid
      }
    }
  }
};

} // namespace linearregistration

#endif
