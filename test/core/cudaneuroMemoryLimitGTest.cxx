// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What the memory limit of a context counts, and what it does not.

#include "DeviceTest.h"
#include "TestVolumes.h"
#include "cudaneuro/ImageStatistics.h"
#include "cudaneuro/NoiseEstimate.h"
#include "cudaneuro/NonLocalMeans.h"
#include "cudaneuro/StructuralSimilarity.h"

#include <thread>

using namespace testvolumes;

namespace
{

class MemoryLimit : public DeviceTest
{
protected:
  bool
  IsCuda() const
  {
    return this->GetParam().IsCuda();
  }

  /** Sets the limit to a byte, and to as many as each exception says are needed, until \p body runs; there is an
   * exception on a CUDA device and none on the CPU, whose memory has no limit. */
  template <typename TBody>
  void
  RaiseUntilItRuns(const TBody & body)
  {
    std::size_t limit = 1;
    for (int failures = 0; failures < 20; ++failures)
    {
      this->GetContext().SetMemoryLimit(limit);
      try
      {
        body();
        EXPECT_EQ(failures > 0, this->IsCuda());
        return;
      }
      catch (const cudaneuro::OutOfMemoryError & error)
      {
        EXPECT_EQ(error.GetBound(), cudaneuro::OutOfMemoryError::Bound::Limit);
        EXPECT_EQ(error.GetBytesAvailable(), limit);
        ASSERT_GT(error.GetBytesNeeded(), limit);
        limit = error.GetBytesNeeded();
      }
    }
    FAIL() << limit << " bytes are not enough";
  }
};

} // namespace

/** Everything that the context has allocated counts, until it is freed. */
TEST_P(MemoryLimit, CountsWhatIsInUse)
{
  cudaneuro::Context & context = this->GetContext();
  context.SetMemoryLimit(1000);
  EXPECT_EQ(context.GetMemoryLimit(), 1000U);
  cudaneuro::DeviceMemory first = context.Allocate(600);
  if (!this->IsCuda())
  {
    EXPECT_NE(context.Allocate(5000).Data(), nullptr) << "host memory is not limited";
    return;
  }
  const auto error = ErrorOf<cudaneuro::OutOfMemoryError>([&] { context.Allocate(401); });
  EXPECT_EQ(error.GetBytesNeeded(), 1001U);
  EXPECT_EQ(error.GetBytesAvailable(), 1000U);
  EXPECT_EQ(error.GetBound(), cudaneuro::OutOfMemoryError::Bound::Limit);
  EXPECT_STREQ(error.what(),
               "Allocation of 401 bytes of device memory failed: 1001 bytes are needed and 1000 bytes are allowed by "
               "the memory limit");
  {
    const cudaneuro::DeviceMemory second = context.Allocate(400);
    const cudaneuro::DeviceMemory shared = second;
    EXPECT_NE(shared.Data(), nullptr);
    EXPECT_THROW(context.Allocate(1), cudaneuro::OutOfMemoryError);
  }
  EXPECT_NE(context.Allocate(400).Data(), nullptr);
  first = {};
  EXPECT_NE(context.Allocate(1000).Data(), nullptr);

  context.SetMemoryLimit(0);
  EXPECT_NE(context.Allocate(100000).Data(), nullptr);
}

TEST_P(MemoryLimit, CountsItsOwnContextOnly)
{
  this->GetContext().SetMemoryLimit(1000);
  cudaneuro::Context            other(this->GetParam());
  const cudaneuro::DeviceMemory ofOther = other.Allocate(5000);
  const cudaneuro::DeviceMemory ofNone = cudaneuro::AllocateDeviceMemory(this->GetParam(), 5000);
  EXPECT_NE(ofOther.Data(), nullptr);
  EXPECT_NE(ofNone.Data(), nullptr);
  EXPECT_NE(this->GetContext().Allocate(1000).Data(), nullptr);
}

TEST_P(MemoryLimit, CopiesInSlabs)
{
  const cudaneuro::Grid    grid = MakeGrid({ 40, 30, 20 });
  const std::vector<float> values = NoisyPhantom(grid);
  std::vector<double>      copy(values.size());
  const bool               isCuda = this->IsCuda();
  cudaneuro::DeviceMemory  memory = cudaneuro::AllocateDeviceMemory(this->GetParam(), copy.size() * sizeof(double));
  const cudaneuro::Volume  onDevice{ memory.Data(),
                                    cudaneuro::PixelType::Double,
                                    isCuda ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host };
  this->RaiseUntilItRuns([&] { CopyVolume(this->GetContext(), grid, ConstView(values), onDevice); });
  if (isCuda)
  {
    EXPECT_GT(this->GetContext().GetStatistics().numberOfSlabs, 1U);
  }
  this->GetContext().SetMemoryLimit(0);
  CopyVolume(
    this->GetContext(), grid, cudaneuro::ConstVolume{ onDevice.data, onDevice.type, onDevice.space }, View(copy));
  EXPECT_EQ(std::vector<double>(values.begin(), values.end()), copy);
}

TEST_P(MemoryLimit, NoiseEstimateAndFiniteRange)
{
  const cudaneuro::Grid    grid = MakeGrid({ 60, 50, 70 });
  const std::vector<float> values = NoisyPhantom(grid);
  cudaneuro::Context &     context = this->GetContext();
  const double             sigma = cudaneuro::EstimateNoiseSigma(context, grid, ConstView(values), {});
  const auto               range = cudaneuro::ComputeFiniteRange(context, grid, ConstView(values));
  this->RaiseUntilItRuns(
    [&] { EXPECT_EQ(cudaneuro::EstimateNoiseSigma(context, grid, ConstView(values), {}), sigma); });
  this->RaiseUntilItRuns([&] { EXPECT_EQ(cudaneuro::ComputeFiniteRange(context, grid, ConstView(values)), range); });
}

/** Memory without a context: every thread may have some, and free it in another. */
TEST_P(MemoryLimit, AllocatesWithoutContext)
{
  std::vector<cudaneuro::DeviceMemory> memories(16);
  std::vector<std::thread>             threads;
  for (cudaneuro::DeviceMemory & memory : memories)
  {
    threads.emplace_back([&] { memory = cudaneuro::AllocateDeviceMemory(this->GetParam(), 100000); });
  }
  for (std::thread & thread : threads)
  {
    thread.join();
  }
  const cudaneuro::Grid    grid = MakeGrid({ 100, 10, 25 });
  const std::vector<float> values = NoisyPhantom(grid);
  std::vector<float>       copy(values.size());
  const auto               space = this->IsCuda() ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
  for (const cudaneuro::DeviceMemory & memory : memories)
  {
    EXPECT_EQ(memory.bytes, 100000U);
    const cudaneuro::Volume volume{ memory.Data(), cudaneuro::PixelType::Float, space };
    CopyVolume(this->GetContext(), grid, ConstView(values), volume);
    CopyVolume(this->GetContext(), grid, { volume.data, volume.type, volume.space }, View(copy));
    EXPECT_EQ(copy, values);
  }
  const auto error = ErrorOf<cudaneuro::OutOfMemoryError>(
    [&] { cudaneuro::AllocateDeviceMemory(this->GetParam(), std::size_t{ 1 } << 50); });
  EXPECT_EQ(error.GetBound(), cudaneuro::OutOfMemoryError::Bound::FreeMemory);
  EXPECT_NE(std::string(error.what()).find("bytes are available"), std::string::npos) << error.what();
  const cudaneuro::Device missing{ cudaneuro::GetNumberOfCudaDevices() };
  EXPECT_THROW(cudaneuro::AllocateDeviceMemory(missing, 1), cudaneuro::Error);
}

CUDANEURO_TEST_ON_ALL_DEVICES(MemoryLimit);
