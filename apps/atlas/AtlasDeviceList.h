// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_AtlasDeviceList_h
#define apps_atlas_AtlasDeviceList_h

#include "atlas/Processes.h"
#include "itkComputeDevice.h"
#include "shared/ComputeOptions.h"

#include <vector>

/** The devices of this process: those of --device, or one. Without --device and CUDANEURO_DEVICE the GPUs of a machine
 * are dealt out to its processes.
 * \throws itk::ExceptionObject when there is no such device */
std::vector<itk::ComputeDevice>
GetDevices(const ComputeOptions & options, const Processes & processes);

/** The CPU threads of this process: those of --threads, or its share of the machine's cores. */
unsigned int
GetNumberOfThreads(const ComputeOptions & options, const Processes & processes);

#endif
