// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef PyDeviceArray_h
#define PyDeviceArray_h

#include "cudaneuro/ArrayExchange.h"
#include "cudaneuro/Error.h"
#include "itkCudaNeuroDetail.h"

#include <Python.h>

#include <memory>
#include <vector>

/** Exchanges the elements of a DeviceImage or a DevicePointSet with Python's array libraries. Functions that return a
 * PyObject return a new reference, or null with Python's error set. */
namespace itk::PyDeviceArray
{

/** Names of a capsule before and after its tensor was taken, by DLPack's Python specification. */
constexpr const char * capsuleName = "dltensor";
constexpr const char * usedCapsuleName = "used_dltensor";

inline PyObject *
SetValueError(const std::exception & error)
{
  PyErr_SetString(PyExc_ValueError, error.what());
  return nullptr;
}

inline void
DeleteCapsule(PyObject * capsule)
{
  if (PyCapsule_IsValid(capsule, capsuleName))
  {
    cudaneuro::DeleteDLPack(static_cast<DLManagedTensor *>(PyCapsule_GetPointer(capsule, capsuleName)));
  }
}

/** Returns an array as a DLPack capsule. */
inline PyObject *
MakeCapsule(const cudaneuro::DeviceArray & array)
{
  DLManagedTensor * const tensor = cudaneuro::ExportDLPack(array);
  PyObject * const        capsule = PyCapsule_New(tensor, capsuleName, DeleteCapsule);
  if (capsule == nullptr)
  {
    cudaneuro::DeleteDLPack(tensor);
  }
  return capsule;
}

/** Returns a copy of numbers as a DLPack capsule of an array of shape (numbers / columns, columns). */
inline PyObject *
CopyToCapsule(const std::vector<double> & numbers, std::size_t columns)
{
  const auto             copy = std::make_shared<std::vector<double>>(numbers);
  cudaneuro::DeviceArray array;
  array.type = cudaneuro::PixelType::Double;
  array.shape = { static_cast<std::int64_t>(numbers.size() / columns), static_cast<std::int64_t>(columns) };
  array.memory.owner = std::shared_ptr<void>(copy, copy->data());
  array.memory.bytes = numbers.size() * sizeof(double);
  return MakeCapsule(array);
}

/** Returns the elements of an object as a DLPack capsule. */
template <typename TObject>
PyObject *
ExportCapsule(const TObject * object)
{
  return MakeCapsule(object->GetDeviceArray());
}

/** Makes the elements of a DLPack capsule those of the object, after the work enqueued on \p stream is done (0: nothing
 * to wait for). */
template <typename TObject>
PyObject *
ImportCapsule(TObject * object, PyObject * capsule, std::uintptr_t stream)
{
  if (!PyCapsule_IsValid(capsule, capsuleName))
  {
    PyErr_SetString(PyExc_ValueError,
                    PyCapsule_IsValid(capsule, usedCapsuleName)
                      ? "The DLPack capsule was used before: its owner has taken the array away"
                      : "__dlpack__ did not return a capsule named \"dltensor\"");
    return nullptr;
  }
  auto * const tensor = static_cast<DLManagedTensor *>(PyCapsule_GetPointer(capsule, capsuleName));
  try
  {
    const cudaneuro::DeviceArray array =
      cudaneuro::ImportDLPack(tensor, CudaNeuroDetail::ComponentTypeOf<typename TObject::ValueType>);
    PyCapsule_SetName(capsule, usedCapsuleName);
    if (stream != 0)
    {
      cudaneuro::SynchronizeStream(array.device, stream);
    }
    object->SetDeviceArray(array);
  }
  catch (const std::exception & error)
  {
    return SetValueError(error);
  }
  Py_RETURN_NONE;
}

/** Releases a Python object, on the thread of the last owner of the memory. */
inline void
ReleaseObject(PyObject * object)
{
  if (Py_IsInitialized() != 0)
  {
    const PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(object);
    PyGILState_Release(state);
  }
}

/** Makes the memory at a CUDA address, which \p owner keeps, that of the object: \p shape is a tuple, in C order. */
template <typename TObject>
PyObject *
ImportCudaAddress(TObject * object, std::uintptr_t address, PyObject * shape, std::uintptr_t stream, PyObject * owner)
{
  cudaneuro::DeviceArray array;
  array.type = CudaNeuroDetail::ComponentTypeOf<typename TObject::ValueType>;
  array.memory.bytes = cudaneuro::PixelSize(array.type);
  for (Py_ssize_t axis = 0; axis < PyTuple_Size(shape); ++axis)
  {
    const long long size = PyLong_AsLongLong(PyTuple_GetItem(shape, axis));
    if (size <= 0)
    {
      PyErr_SetString(PyExc_ValueError, "The array is empty, or its shape is not one");
      return nullptr;
    }
    array.shape.push_back(size);
    array.memory.bytes *= static_cast<std::size_t>(size);
  }
  try
  {
    void * const data = reinterpret_cast<void *>(address);
    array.device = cudaneuro::DeviceOfAddress(data);
    if (stream != 0)
    {
      cudaneuro::SynchronizeStream(array.device, stream);
    }
    Py_INCREF(owner);
    array.memory.owner = std::shared_ptr<void>(data, [owner](void *) { ReleaseObject(owner); });
    object->SetDeviceArray(array);
  }
  catch (const std::exception & error)
  {
    return SetValueError(error);
  }
  Py_RETURN_NONE;
}

} // namespace itk::PyDeviceArray

#endif
