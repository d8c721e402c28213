// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkPinnedImageContainer_h
#define itkPinnedImageContainer_h

#include "cudaneuro/Context.h"
#include "itkComputeDevice.h"
#include "itkCudaNeuroCompatibility.h"
#include "itkCudaNeuroDetail.h"
#include "itkImportImageContainer.h"

#include <algorithm>
#include <map>
#include <memory>

namespace itk
{

/** \class PinnedImageContainer
 * \brief A pixel container in page-locked memory, which a CUDA device reads and writes at full PCIe speed.
 *
 * The memory comes from a pool and returns to it, because locking pages is slow. Filters of this module use it for
 * their itk::Image outputs; use it for an input, with image->SetPixelContainer() before image->Allocate(), to make the
 * upload fast, too. For the CPU device the memory is ordinary.
 *
 * \ingroup CudaNeuro
 */
template <typename TElement>
class ITK_TEMPLATE_EXPORT PinnedImageContainer : public ImportImageContainer<SizeValueType, TElement>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(PinnedImageContainer);

  using Self = PinnedImageContainer;
  using Superclass = ImportImageContainer<SizeValueType, TElement>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(PinnedImageContainer);

  using typename Superclass::ElementIdentifier;

  /** The device for which memory is locked. */
  void
  SetComputeDevice(const ComputeDevice & device)
  {
    m_ComputeDevice = device;
  }
  const ComputeDevice &
  GetComputeDevice() const
  {
    return m_ComputeDevice;
  }

  /** Takes memory of \p count elements that \p owner keeps, and shares it. */
  void
  ShareMemory(const std::shared_ptr<void> & owner, ElementIdentifier count)
  {
    this->SetImportPointer(static_cast<TElement *>(owner.get()), count, false);
    m_Owners.emplace(owner.get(), owner);
  }

protected:
  PinnedImageContainer() = default;
  ~PinnedImageContainer() override
  {
    // The superclass would call delete[] on memory that is not from new[].
    Self::DeallocateManagedMemory();
  }

  /** \throws CudaNeuroException when less memory can be locked. */
  TElement *
  AllocateElements(ElementIdentifier size, bool initialize = false) const override
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

  void
  DeallocateManagedMemory() override
  {
    if (m_Owners.erase(this->GetImportPointer()) != 0)
    {
      this->ContainerManageMemoryOff(); // so that the superclass does not call delete[] on it
    }
    Superclass::DeallocateManagedMemory();
  }

private:
  ComputeDevice m_ComputeDevice;
  /** Owners of blocks; there are two while the container grows. */
  mutable std::map<const void *, std::shared_ptr<void>> m_Owners;
};

} // namespace itk

#endif
