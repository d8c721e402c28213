// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkDevicePointSet_h
#define itkDevicePointSet_h

#include "cudaneuro/ArrayExchange.h"
#include "cudaneuro/Points.h"
#include "itkComputeDevice.h"
#include "itkCudaNeuroCompatibility.h"
#include "itkCudaNeuroDetail.h"
#include "itkDataObject.h"

#include <string>
#include <type_traits>

namespace itk
{

/** \class DevicePointSet
 * \brief Points, or vectors at points, in the memory of a ComputeDevice: an array of shape (points, dimension).
 *
 * The D coordinates of a point are adjacent. There is no access from the host, unless the device is the CPU, whose
 * memory is the host's. Arrays of other libraries become point sets, and point sets arrays, without a copy.
 *
 * \tparam TCoordRep float or double.
 *
 * \ingroup CudaNeuro
 */
template <typename TCoordRep, unsigned int VDimension = 3>
class ITK_TEMPLATE_EXPORT DevicePointSet : public DataObject
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(DevicePointSet);

  using Self = DevicePointSet;
  using Superclass = DataObject;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(DevicePointSet);

  static_assert(std::is_same_v<TCoordRep, float> || std::is_same_v<TCoordRep, double>,
                "Coordinates are float or double.");
  static_assert(VDimension == 2 || VDimension == 3, "Points of dimension 2 or 3 are supported.");
  static constexpr unsigned int PointDimension = VDimension;

  using CoordRepType = TCoordRep;
  using ValueType = TCoordRep;

  /** The device of the points, and of the next Allocate. Setting another device releases the points. */
  void
  SetComputeDevice(const ComputeDevice & device);
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

  /** Allocates points, which are uninitialized; sufficient memory is kept, unless it is shared.
   * \throws CudaNeuroException when the device has too little memory; the message names how much it has. */
  void
  Allocate(SizeValueType numberOfPoints);

  /** The number of points; 0 before Allocate. */
  itkGetConstMacro(NumberOfPoints, SizeValueType);

  /** Releases the points. */
  void
  Initialize() override
  {
    Superclass::Initialize();
    m_Memory = cudaneuro::DeviceMemory();
    m_NumberOfPoints = 0;
  }

  /** Shares the points of another DevicePointSet of the same type. Does nothing for a null pointer.
   * \throws ExceptionObject for an object of another type. */
  void
  Graft(const DataObject * data) override;

  /** Address of the first coordinate, in device memory; null before Allocate. */
  TCoordRep *
  GetDevicePointer()
  {
    return static_cast<TCoordRep *>(m_Memory.Data());
  }
  const TCoordRep *
  GetDevicePointer() const
  {
    return static_cast<const TCoordRep *>(m_Memory.Data());
  }

  /** The points in the engine's form. */
  cudaneuro::ConstPoints
  GetEnginePoints() const
  {
    return { m_Memory.Data(), cudaneuro::PixelTypeOf<TCoordRep>::value, this->GetMemorySpace() };
  }
  cudaneuro::Points
  GetEnginePoints()
  {
    return { m_Memory.Data(), cudaneuro::PixelTypeOf<TCoordRep>::value, this->GetMemorySpace() };
  }

  /** Returns the points as an array for other libraries, shared: of shape (points, dimension).
   * \throws ExceptionObject when there are no points. */
  cudaneuro::DeviceArray
  GetDeviceArray() const;

  /** Makes an array the points, shared.
   * \throws ExceptionObject for another type of element or another shape. */
  void
  SetDeviceArray(const cudaneuro::DeviceArray & array);

protected:
  DevicePointSet() = default;
  ~DevicePointSet() override = default;
  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    os << indent << "ComputeDevice: " << m_ComputeDevice << std::endl;
    os << indent << "NumberOfPoints: " << m_NumberOfPoints << std::endl;
    os << indent << "DevicePointer: " << m_Memory.Data() << std::endl;
  }

private:
  cudaneuro::MemorySpace
  GetMemorySpace() const
  {
    return m_ComputeDevice.IsCuda() ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
  }

  ComputeDevice           m_ComputeDevice;
  cudaneuro::DeviceMemory m_Memory;
  SizeValueType           m_NumberOfPoints = 0;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkDevicePointSet.hxx"
#endif

#endif
