// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkComputeDevice.h"

#include "itkCudaNeuroDetail.h"

#include <cstdlib>
#include <sstream>
#include <vector>

namespace itk
{

namespace
{

/** The N of "cuda:N"; 0 for "cuda"; -1 for other names. */
int
CudaIndexOfName(const std::string & name)
{
  const std::string prefix = "cuda:";
  if (name == "cuda")
  {
    return 0;
  }
  const std::string digits = name.compare(0, prefix.size(), prefix) == 0 ? name.substr(prefix.size()) : "";
  const bool        isNumber =
    !digits.empty() && digits.size() < 5 && digits.find_first_not_of("0123456789") == std::string::npos;
  return isNumber ? std::stoi(digits) : -1;
}

cudaneuro::DeviceProperties
PropertiesOf(const cudaneuro::Device & device)
{
  cudaneuro::DeviceProperties properties;
  CudaNeuroDetail::Call([&] { properties = cudaneuro::GetDeviceProperties(device); });
  return properties;
}

} // namespace

ComputeDevice::ComputeDevice(const cudaneuro::Device & device)
  : m_Device(device)
{}

ComputeDevice
ComputeDevice::FromName(const std::string & name)
{
  // Precedes the count of GPUs, for which the driver takes a quarter of a second where there is one.
  if (name == "cpu")
  {
    return ComputeDevice();
  }
  const auto numberOfDevices = static_cast<int>(GetNumberOfCudaDevices());
  if (name == "auto" && numberOfDevices == 0)
  {
    return ComputeDevice();
  }
  const int index = name == "auto" ? 0 : CudaIndexOfName(name);
  if (index < 0)
  {
    itkGenericExceptionMacro("Unknown device \"" << name << "\": use auto, cpu or cuda:N. There are:\n"
                                                 << ListDevices());
  }
  if (index >= numberOfDevices)
  {
    itkGenericExceptionMacro("There is no device \"" << name << "\". There are:\n" << ListDevices());
  }
  return ComputeDevice(cudaneuro::Device{ index });
}

ComputeDevice
ComputeDevice::GetDefault()
{
  const char * const name = std::getenv("CUDANEURO_DEVICE");
  if (name == nullptr || *name == '\0')
  {
    return FromName("auto");
  }
  try
  {
    return FromName(name);
  }
  catch (const ExceptionObject & error)
  {
    itkGenericExceptionMacro("The environment variable CUDANEURO_DEVICE cannot be used. " << error.GetDescription());
  }
}

bool
ComputeDevice::IsCudaAvailable() noexcept
{
  return GetNumberOfCudaDevices() > 0;
}

unsigned int
ComputeDevice::GetNumberOfCudaDevices() noexcept
{
  return static_cast<unsigned int>(cudaneuro::GetNumberOfCudaDevices());
}

std::string
ComputeDevice::ListDevices()
{
  std::ostringstream list;
  list << "cpu     " << ComputeDevice().GetDescription() << '\n';
  const unsigned int numberOfDevices = GetNumberOfCudaDevices();
  for (unsigned int index = 0; index < numberOfDevices; ++index)
  {
    const ComputeDevice device(cudaneuro::Device{ static_cast<int>(index) });
    list << device.GetName() << "  " << device.GetDescription() << '\n';
  }
  if (numberOfDevices == 0)
  {
    list << "(no CUDA device: " << cudaneuro::GetReasonForNoCudaDevice() << ")\n";
  }
  return list.str();
}

std::string
ComputeDevice::GetName() const
{
  return this->IsCuda() ? "cuda:" + std::to_string(m_Device.cudaIndex) : "cpu";
}

std::string
ComputeDevice::GetDescription() const
{
  const cudaneuro::DeviceProperties properties = PropertiesOf(m_Device);
  std::ostringstream                description;
  description << properties.name;
  if (properties.totalBytes != 0)
  {
    constexpr std::size_t mebibyte = std::size_t{ 1 } << 20;
    description << ", " << properties.totalBytes / mebibyte << " MiB, " << properties.freeBytes / mebibyte
                << " MiB free";
  }
  if (this->IsCuda())
  {
    description << ", compute capability " << properties.computeCapabilityMajor << '.'
                << properties.computeCapabilityMinor;
  }
  return description.str();
}

void
ComputeDevice::Prepare() const
{
  if (!this->IsCuda())
  {
    return;
  }
  // A small copy with a conversion initializes the driver, the streams, the pools of memory and the first kernels.
  CudaNeuroDetail::Call([this] {
    cudaneuro::Grid grid;
    grid.size = { 16, 16, 16 };
    const std::vector<short>      pixels(static_cast<std::size_t>(grid.NumberOfVoxels()));
    cudaneuro::Context            context(m_Device);
    const cudaneuro::DeviceMemory memory = context.Allocate(pixels.size() * sizeof(float));
    cudaneuro::CopyVolume(context,
                          grid,
                          { pixels.data(), cudaneuro::PixelType::Short, cudaneuro::MemorySpace::Host },
                          { memory.Data(), cudaneuro::PixelType::Float, cudaneuro::MemorySpace::Device });
  });
}

SizeValueType
ComputeDevice::GetTotalMemory() const
{
  return PropertiesOf(m_Device).totalBytes;
}

SizeValueType
ComputeDevice::GetFreeMemory() const
{
  return PropertiesOf(m_Device).freeBytes;
}

void
ComputeDevice::ReleaseCachedMemory()
{
  CudaNeuroDetail::Call([] { cudaneuro::ReleaseCachedMemory(); });
}

} // namespace itk
