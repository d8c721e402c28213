// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "processes/ProcessGroup.h"

#include "files/base/Errors.h"
#include "shared/Files.h"

#include <cstdlib>

std::unique_ptr<ProcessGroup>
JoinProcessGroup(int &, char **&)
{
  // Otherwise each of several processes would do all the work, and write the same files.
  for (const char * const variable : { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE" })
  {
    const char * const size = std::getenv(variable);
    if (size != nullptr && std::atoi(size) > 1)
    {
      throw UserError(std::string("mpirun has started ") + size +
                      " processes, and this program was built without MPI (CudaNeuro_USE_MPI)");
    }
  }
  return nullptr;
}
