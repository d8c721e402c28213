// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_processes_DeviceList_h
#define apps_processes_DeviceList_h

#include "itkComputeDevice.h"
#include "processes/Processes.h"
#include "shared/ComputeOptions.h"

#include <vector>

/** Has the help of --device tell that it takes several. */
void
DescribeDeviceList(CLI::App & app);

/** The devices that this process computes with: those of --device, or one. Of all GPUs of a machine, each of its
 * processes takes its share, and one of that where neither --device nor CUDANEURO_DEVICE names a device.
 * \throws UserError, itk::ExceptionObject when there is no such device */
std::vector<itk::ComputeDevice>
DevicesOf(const ComputeOptions & options, const Processes & processes);

/** The CPU threads of this process: those of --threads, or its share of the machine's cores. */
unsigned int
NumberOfThreadsOf(const ComputeOptions & options, const Processes & processes);

#endif
