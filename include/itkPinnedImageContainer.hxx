// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkPinnedImageContainer_hxx
#define itkPinnedImageContainer_hxx

#include "itkPinnedImageContainer.h"
#include "itkCudaNeuroDetail.h"

#include <algorithm>

namespace itk
{

template <typename TElement>
PinnedImageContainer<TElement>::~PinnedImageContainer()
{
  // The superclass would delete[] what is not from new[].
  Self::DeallocateManagedMemory();
}

template <typename TElement>
void
PinnedImageContainer<TElement>::ShareMemory(const std::shared_ptr<void> & owner, ElementIdentifier count)
{
  this->SetImportPointer(static_cast<TElement *>(owner.get()), count, false);
  m_Owners.emplace(owner.get(), owner);
}

template <typename TElement>
TElement *
PinnedImageContainer<TElement>::AllocateElements(ElementIdentifier size, bool initialize) const
{
  std::shared_ptr<void> memory;
  CudaNeuroDetail::Call(
    [&] { memory = cudaneuro::AllocatePinned(m_ComputeDevice.GetEngineDevice(), size * sizeof(TElement)); });
  auto * const elements = static_cast<TElement *>(memory.get());
  m_Owners.emplace(memory.get(), memory);
  if (initialize)
  {
    std::fill_n(elements, size, TElement());
  }
  return elements;
}

template <typename TElement>
void
PinnedImageContainer<TElement>::DeallocateManagedMemory()
{
  if (m_Owners.erase(this->GetImportPointer()) != 0)
  {
    this->ContainerManageMemoryOff(); // the superclass shall forget the memory, not delete[] it
  }
  Superclass::DeallocateManagedMemory();
}

} // namespace itk

#endif
