// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef HelmholtzTest_h
#define HelmholtzTest_h

#include "DeviceTest.h"
#include "ReferenceHelmholtz.h"
#include "core/Dispatch.h"
#include "jobs/DeviceJob.h"
#include "solvers/HelmholtzFft.h"
#include "solvers/HelmholtzFormulas.h"
#include "solvers/HelmholtzSor.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <string>

/** Fields, and solvers of the Helmholtz equation on a device. */
namespace helmholtz
{

namespace cpu = cudaneuro::cpu;
namespace gpu = cudaneuro::gpu;

using cudaneuro::Extent;
using cudaneuro::HelmholtzParameters;
using cudaneuro::gpu::SineTransform;
using reference::Component;
using reference::Components;

inline Component
MakeRandom(const Extent & extent, unsigned int seed)
{
  std::mt19937                           engine(seed);
  std::uniform_real_distribution<double> distribution(-1.0, 1.0);
  Component                              values(static_cast<std::size_t>(cudaneuro::NumberOfVoxels(extent)));
  for (double & value : values)
  {
    // As the device has it.
    value = static_cast<float>(distribution(engine));
  }
  return values;
}

inline Components
MakeRandomField(const Extent & extent, unsigned int seed)
{
  return { MakeRandom(extent, seed), MakeRandom(extent, seed + 1), MakeRandom(extent, seed + 2) };
}

inline Components
MakeZeros(const Extent & extent)
{
  const Component zeros(static_cast<std::size_t>(cudaneuro::NumberOfVoxels(extent)), 0.0);
  return { zeros, zeros, zeros };
}

inline double
LargestOf(const Component & values)
{
  double largest = 0.0;
  for (const double value : values)
  {
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

/** Expects components to differ by no more than \p tolerance times the largest value of \p expected, and to be
 * finite. */
inline void
ExpectNear(const Components & actual, const Components & expected, double tolerance, const std::string & what)
{
  for (std::size_t component = 0; component < 3; ++component)
  {
    const double limit = tolerance * LargestOf(expected[component]);
    double       worst = 0.0;
    for (std::size_t i = 0; i < expected[component].size(); ++i)
    {
      const double difference = std::abs(actual[component][i] - expected[component][i]);
      worst = difference <= worst ? worst : difference;
    }
    EXPECT_LE(worst, limit) << what << ", component " << component;
  }
}

inline std::string
NameOf(const Extent & extent)
{
  return std::to_string(extent.x) + "x" + std::to_string(extent.y) + "x" + std::to_string(extent.z);
}

inline const Extent sizes[] = { { 1, 1, 1 },   { 2, 1, 1 },   { 1, 2, 3 },     { 3, 2, 1 },
                                { 5, 5, 5 },   { 2, 3, 40 },  { 33, 17, 9 },   { 60, 48, 7 },
                                { 61, 49, 5 }, { 65, 50, 1 }, { 130, 101, 7 }, { 20, 21, 90 } };

inline HelmholtzParameters
ParametersFor(const Extent & extent)
{
  HelmholtzParameters parameters;
  parameters.omega = cudaneuro::OptimalOmega(extent, parameters);
  return parameters;
}

/** Runs the solvers on the device of the test. */
class HelmholtzTest : public DeviceTest
{
protected:
  cudaneuro::SoAFieldMemory
  Upload(const Extent & extent, const Components & values)
  {
    const cudaneuro::SoAFieldMemory memory(this->GetContext(), cudaneuro::NumberOfVoxels(extent));
    const cudaneuro::SoAField       field = memory.View();
    float * const                   targets[3] = { field.x, field.y, field.z };
    for (std::size_t component = 0; component < 3; ++component)
    {
      std::vector<float> pixels(values[component].begin(), values[component].end());
      this->CopyWords(pixels.data(), targets[component], pixels.size(), true);
    }
    return memory;
  }

  Components
  Download(const Extent & extent, const cudaneuro::SoAField & field)
  {
    Components    values;
    float * const sources[3] = { field.x, field.y, field.z };
    for (std::size_t component = 0; component < 3; ++component)
    {
      std::vector<float> pixels(static_cast<std::size_t>(cudaneuro::NumberOfVoxels(extent)));
      this->CopyWords(pixels.data(), sources[component], pixels.size(), false);
      values[component].assign(pixels.begin(), pixels.end());
    }
    return values;
  }

  /** A gate and largest square on the device. */
  struct Words
  {
    int          gate = 1;
    unsigned int largestSquare = 0;
  };

  cudaneuro::DeviceMemory
  Upload(const Words & words)
  {
    cudaneuro::DeviceMemory memory = this->GetContext().Allocate(sizeof(Words));
    Words                   copy = words;
    this->CopyWords(&copy, memory.Data(), 2, true);
    return memory;
  }

  Words
  Download(const cudaneuro::DeviceMemory & memory)
  {
    Words words;
    this->CopyWords(&words, memory.Data(), 2, false);
    return words;
  }

  /** Sweeps from \p velocity on. */
  Components
  RunSor(const Extent &              extent,
         const HelmholtzParameters & parameters,
         int                         sweeps,
         const Components &          force,
         const Components &          velocity,
         Words *                     words = nullptr)
  {
    const cudaneuro::SoAFieldMemory forces = this->Upload(extent, force);
    const cudaneuro::SoAFieldMemory velocities = this->Upload(extent, velocity);
    const cudaneuro::DeviceMemory   memory = this->Upload(words ? *words : Words());
    cudaneuro::RunDeviceJob(this->GetContext(), [&] {
      if constexpr (cudaneuro::builtWithCuda)
      {
        if (this->GetContext().GetDevice().IsCuda())
        {
          const cudaneuro::SoAFieldMemory scratch(this->GetContext(), cudaneuro::NumberOfVoxels(extent));
          cudaneuro::gpu::EnqueueSor(this->GetContext(),
                                     extent,
                                     parameters,
                                     sweeps,
                                     forces.View(),
                                     velocities.View(),
                                     scratch.View(),
                                     words ? GateOf(memory) : cudaneuro::DeviceGate());
          return;
        }
      }
      cudaneuro::cpu::RunSor(this->GetContext(), extent, parameters, sweeps, forces.View(), velocities.View());
    });
    if (words)
    {
      *words = this->Download(memory);
    }
    return this->Download(extent, velocities.View());
  }

  /** Why there is no FFT; empty when there is. */
  std::string
  ReasonForNoFft()
  {
    try
    {
      this->RequireFft();
      return {};
    }
    catch (const cudaneuro::Error & error)
    {
      return error.what();
    }
  }

  Components
  RunFft(const Extent &              extent,
         const HelmholtzParameters & parameters,
         const Components &          force,
         const Components &          velocity,
         Words *                     words = nullptr,
         SineTransform               transform = SineTransform::Cheapest)
  {
    const cudaneuro::SoAFieldMemory forces = this->Upload(extent, force);
    const cudaneuro::SoAFieldMemory velocities = this->Upload(extent, velocity);
    const cudaneuro::DeviceMemory   memory = this->Upload(words ? *words : Words());
    cudaneuro::RunDeviceJob(this->GetContext(), [&] {
      const cudaneuro::SoAFieldMemory scratch(this->GetContext(), cudaneuro::NumberOfVoxels(extent));
      const auto                      fft = this->MakeFft(extent, parameters, transform);
      fft->Solve(forces.View(), velocities.View(), scratch.View(), words ? GateOf(memory) : cudaneuro::DeviceGate());
    });
    if (words)
    {
      *words = this->Download(memory);
    }
    return this->Download(extent, velocities.View());
  }

  /** The gate, and the largest squared length, of a solver that was called with \p words. */
  template <typename TRun>
  void
  ExpectGateAndLargestSquare(const Extent & extent, const TRun & run)
  {
    const Components start = MakeRandomField(extent, 5);
    Words            closed{ 0, 7 };
    ExpectNear(run(start, closed), start, 0.0, "closed");
    EXPECT_EQ(closed.largestSquare, 7u);
    Words            open{ 1, 0 };
    const Components result = run(start, open);
    float            largest = 0.0f;
    std::memcpy(&largest, &open.largestSquare, sizeof(largest));
    double expected = 0.0;
    for (std::size_t i = 0; i < result[0].size(); ++i)
    {
      double square = 0.0;
      for (const Component & component : result)
      {
        square += component[i] * component[i];
      }
      expected = std::max(expected, square);
    }
    EXPECT_NEAR(largest, expected, 1e-6 * expected);
  }

private:
  void
  RequireFft()
  {
    CUDANEURO_DISPATCH(this->GetContext(), RequireFft());
  }
  std::unique_ptr<cudaneuro::HelmholtzFft>
  MakeFft(const Extent & extent, const HelmholtzParameters & parameters, SineTransform transform)
  {
    if constexpr (cudaneuro::builtWithCuda)
    {
      if (this->GetContext().GetDevice().IsCuda())
      {
        return gpu::MakeHelmholtzFft(this->GetContext(), extent, parameters, transform);
      }
    }
    return cpu::MakeHelmholtzFft(this->GetContext(), extent, parameters);
  }

  static cudaneuro::DeviceGate
  GateOf(const cudaneuro::DeviceMemory & words)
  {
    auto * const onDevice = static_cast<Words *>(words.Data());
    return { &onDevice->gate, &onDevice->largestSquare };
  }

  /** Copies words between the host and the device, or the CPU's memory. */
  void
  CopyWords(void * host, void * device, std::size_t count, bool toDevice)
  {
    cudaneuro::Grid grid;
    grid.size = { static_cast<std::int64_t>(count), 1, 1 };
    const auto space =
      this->GetContext().GetDevice().IsCuda() ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
    const cudaneuro::Volume   onHost{ host, cudaneuro::PixelType::Float, cudaneuro::MemorySpace::Host };
    const cudaneuro::Volume   onDevice{ device, cudaneuro::PixelType::Float, space };
    const cudaneuro::Volume & from = toDevice ? onHost : onDevice;
    cudaneuro::CopyVolume(this->GetContext(), grid, { from.data, from.type, from.space }, toDevice ? onDevice : onHost);
  }
};

} // namespace helmholtz

#endif
