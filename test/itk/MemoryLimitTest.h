// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef MemoryLimitTest_h
#define MemoryLimitTest_h

#include "FieldImages.h"
#include "ItkDeviceTest.h"
#include "TestImages.h"
#include "itkCudaNeuroException.h"

#include <string>
#include <vector>

/** MaximumDeviceMemory holds in every filter: what a filter does with one byte, and with as many as it asks for. */
namespace memorylimit
{

using namespace testimages;

using ImageType = ImageOf<float, 3>;
using FieldType = FieldImageOf<3>;

inline ImageType::Pointer
SomeImage()
{
  return Phantom<ImageType>(0.2, { { 33, 21, 47 } });
}

inline FieldType::Pointer
SomeField()
{
  return WavyField<3>(SomeImage());
}

/** The scalars or the components of an output. */
inline std::vector<double>
Values(const ImageType * image)
{
  return Pixels(image);
}
inline std::vector<double>
Values(const FieldType * field)
{
  return Components(field);
}

template <typename TFilter>
std::vector<double>
FirstOutput(TFilter * filter)
{
  return Values(filter->GetOutput());
}

class CudaNeuroMemoryLimit : public ItkDeviceTest
{
protected:
  /** Updates with one byte, and with as many as the exception of the update before says are needed, until that is
   * enough. The last update gives the bits of one without a limit, and so does another without. The CPU has no
   * limit. */
  template <typename TFilter, typename TResult>
  void
  CheckLimit(TFilter * filter, const TResult & result)
  {
    filter->SetComputeDevice(this->GetDevice());
    filter->Update();
    const std::vector<double> expected = result(filter);
    itk::SizeValueType        limit = 1;
    int                       failures = 0;
    constexpr int             mostFailures = 200; // of a registration there are some 50
    for (; failures < mostFailures; ++failures)
    {
      filter->SetMaximumDeviceMemory(limit);
      const itk::SizeValueType needed = this->BytesNeeded(filter, limit);
      if (needed == 0)
      {
        break;
      }
      ASSERT_GT(needed, limit);
      limit = needed;
    }
    EXPECT_LT(failures, mostFailures);
    EXPECT_EQ(failures > 0, GetParam().IsCuda());
    EXPECT_EQ(result(filter), expected);

    filter->SetMaximumDeviceMemory(0);
    filter->Update();
    EXPECT_EQ(result(filter), expected);
  }

  template <typename TFilter>
  void
  CheckLimit(TFilter * filter)
  {
    this->CheckLimit(filter, FirstOutput<TFilter>);
  }

private:
  /** As an update's exception says; 0 for an update without. */
  template <typename TFilter>
  static itk::SizeValueType
  BytesNeeded(TFilter * filter, itk::SizeValueType limit)
  {
    try
    {
      filter->Update();
    }
    catch (const itk::CudaNeuroException & error)
    {
      EXPECT_EQ(error.GetBytesAvailable(), limit);
      EXPECT_TRUE(Contains(error.GetDescription(),
                           std::to_string(error.GetBytesNeeded()) + " bytes are needed and " + std::to_string(limit) +
                             " bytes are allowed by the memory limit"));
      return error.GetBytesNeeded();
    }
    return 0;
  }
};

} // namespace memorylimit

#endif
