// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef AtlasTest_h
#define AtlasTest_h

#include "DeviceTest.h"
#include "atlas/TestPopulation.h"

namespace testpopulation
{

/** Tests of atlases on a device, or on the same one several times. */
class AtlasTest : public DeviceTest
{
protected:
  cudaneuro::AtlasDevices
  Devices(std::size_t count = 1)
  {
    cudaneuro::AtlasDevices devices;
    devices.devices.assign(count, this->GetParam());
    return devices;
  }
  AtlasResultOf
  Build(const Population & population, const cudaneuro::AtlasParameters & parameters, std::size_t devices = 1)
  {
    return BuildAtlas(population, parameters, this->Devices(devices));
  }
};

} // namespace testpopulation

#endif
