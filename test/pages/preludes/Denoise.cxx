// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The source of the program that a page's block of CMake builds.
#include "itkComputeDevice.h"

#include <iostream>

int
main()
{
  std::cout << itk::ComputeDevice::ListDevices() << std::endl;
}
