// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CountedMemory_h
#define CountedMemory_h

#include <cstddef>

/** Counts what a program allocates by the aligned forms of new, from which contexts of the CPU take their memory. */
namespace countedmemory
{

/** Begins to look for the most bytes, from those in use now. */
void
Begin();

/** The most bytes in use at once since then, above those in use then. */
std::size_t
MostBytes();

} // namespace countedmemory

#endif
