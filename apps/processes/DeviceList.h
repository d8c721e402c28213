// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_processes_DeviceList_h
#define apps_processes_DeviceList_h

#include "itkComputeDevice.h"
#include "processes/Processes.h"
#include "shared/ComputeOptions.h"

#include <vector>

/** Makes the help of --device say that it takes several devices. */
void
DescribeDeviceList(CLI::App & app);

/** Returns the devices of this process: those of --device, or one. The processes of a machine share its GPUs; with
 * neither --device nor CUDANEURO_DEVICE, each takes one of its share.
 * \throws UserError, itk::ExceptionObject when there is no such device */
std::vector<itk::ComputeDevice>
DevicesOf(const ComputeOptions & options, const Processes & processes);

/** Returns the number of CPU threads of this process: --threads, or its share of the machine's cores. */
unsigned int
NumberOfThreadsOf(const ComputeOptions & options, const Processes & processes);

#endif
