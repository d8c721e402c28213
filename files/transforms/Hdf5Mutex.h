// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_transforms_Hdf5Mutex_h
#define files_transforms_Hdf5Mutex_h

#include <mutex>

namespace cudaneuro::files
{

/** Held by the one thread that uses HDF5, whose library has state that all its files share. */
inline std::mutex &
Hdf5Mutex()
{
  static std::mutex mutex;
  return mutex;
}

} // namespace cudaneuro::files

#endif
