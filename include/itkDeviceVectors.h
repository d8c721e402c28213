// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkDeviceVectors_h
#define itkDeviceVectors_h

#include "cudaneuro/ArrayExchange.h"
#include "itkComputeDevice.h"
#include "itkCudaNeuroCompatibility.h"
#include "itkCudaNeuroDetail.h"
#include "itkDataObject.h"

#include <string>
#include <type_traits>

namespace itk
{

/** \class DeviceVectors
 * \brief Vectors of any length in the memory of a ComputeDevice: an array of shape (vectors, components).
 *
 * The components of a vector are adjacent. There is no access from the host, unless the device is the CPU, whose memory
 * is the host's. Arrays of other libraries become vectors, and vectors arrays, without a copy.
 *
 * \tparam TComponent float; or int, for indices.
 *
 * \ingroup CudaNeuro
 */
template <typename TComponent>
class ITK_TEMPLATE_EXPORT DeviceVectors : public DataObject
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(DeviceVectors);

  using Self = DeviceVectors;
  using Superclass = DataObject;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(DeviceVectors);

  static_assert(std::is_same_v<TComponent, float> || std::is_same_v<TComponent, int>, "Components are float or int.");

  using ComponentType = TComponent;
  using ValueType = TComponent;

  /** The device of the vectors, and of the next Allocate. Setting another device releases the vectors. */
  void
  SetComputeDevice(const ComputeDevice & device)
  {
    if (device != m_ComputeDevice)
    {
      this->Initialize();
      m_ComputeDevice = device;
      this->Modified();
    }
  }
  void
  SetComputeDevice(const std::string & name)
  {
    this->SetComputeDevice(ComputeDevice::FromName(name));
  }
  const ComputeDevice &
  GetComputeDevice() const
  {
    return m_ComputeDevice;
  }

  /** Allocates vectors, which are uninitialized; sufficient memory is kept, unless it is shared.
   * \throws CudaNeuroException when the device has too little memory; the message names how much it has. */
  void
  Allocate(SizeValueType numberOfVectors, unsigned int numberOfComponents);

  /** The numbers of vectors and of their components; 0 before Allocate. */
  itkGetConstMacro(NumberOfVectors, SizeValueType);
  itkGetConstMacro(NumberOfComponents, unsigned int);

  /** Releases the vectors. */
  void
  Initialize() override
  {
    Superclass::Initialize();
    m_Memory = cudaneuro::DeviceMemory();
    m_NumberOfVectors = 0;
    m_NumberOfComponents = 0;
  }

  /** Shares the vectors of another DeviceVectors of the same type. Does nothing for a null pointer.
   * \throws ExceptionObject for an object of another type. */
  void
  Graft(const DataObject * data) override;

  /** Address of the first component, in device memory; null before Allocate. */
  TComponent *
  GetDevicePointer()
  {
    return static_cast<TComponent *>(m_Memory.Data());
  }
  const TComponent *
  GetDevicePointer() const
  {
    return static_cast<const TComponent *>(m_Memory.Data());
  }

  /** The kind of memory that the vectors are in, for the engine. */
  cudaneuro::MemorySpace
  GetMemorySpace() const
  {
    return m_ComputeDevice.IsCuda() ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
  }

  /** Returns the vectors as an array for other libraries, shared: of shape (vectors, components).
   * \throws ExceptionObject when there are no vectors. */
  cudaneuro::DeviceArray
  GetDeviceArray() const;

  /** Makes an array the vectors, shared.
   * \throws ExceptionObject for another type of element or another number of axes. */
  void
  SetDeviceArray(const cudaneuro::DeviceArray & array);

protected:
  DeviceVectors() = default;
  ~DeviceVectors() override = default;
  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    os << indent << "ComputeDevice: " << m_ComputeDevice << std::endl;
    os << indent << "NumberOfVectors: " << m_NumberOfVectors << std::endl;
    os << indent << "NumberOfComponents: " << m_NumberOfComponents << std::endl;
    os << indent << "DevicePointer: " << m_Memory.Data() << std::endl;
  }

private:
  static constexpr bool isInteger = std::is_same_v<TComponent, int>;

  ComputeDevice           m_ComputeDevice;
  cudaneuro::DeviceMemory m_Memory;
  SizeValueType           m_NumberOfVectors = 0;
  unsigned int            m_NumberOfComponents = 0;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkDeviceVectors.hxx"
#endif

#endif
