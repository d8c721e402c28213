// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroMacros_h
#define itkCudaNeuroMacros_h

#include "itkCudaNeuroDetail.h"
#include "itkCudaNeuroParameters.h"
#include "itkMacro.h"

#include <string>
#include <vector>

/** \file
 * Parameters of the module's classes: for each kind of parameter, one macro that defines the functions by which users
 * set and get it. The class has the member m_NAME, or, for the macros with a \c member, the engine's struct
 * m_Parameters that has it. wrapping/Docstrings.cmake repeats for Doxygen what the macros define. */

/** Set and get an input by its name; the getter throws if a numbered SetInput has set an object of another type. */
#define itkCudaNeuroSetGetInputMacro(name, type) \
  itkSetInputMacro(name, type); \
  virtual const type * Get##name() const \
  { \
    return ::itk::CudaNeuroDetail::InputAs<type>(this->ProcessObject::GetInput(#name), #name); \
  } \
  static_assert(true, "so that a semicolon follows")

/** Set and get a number. */
#define itkCudaNeuroSetGetMacro(name, type) \
  itkSetMacro(name, type); \
  itkGetConstMacro(name, type)

/** Set and get an object that is returned by reference. */
#define itkCudaNeuroSetGetReferenceMacro(name, type) \
  itkSetMacro(name, type); \
  itkGetConstReferenceMacro(name, type)

/** Set an array of one value an axis to a single value. */
#define itkCudaNeuroSetAllAxesMacro(name, type, valueType) \
  void Set##name(valueType value) \
  { \
    type values; \
    values.Fill(value); \
    this->Set##name(values); \
  } \
  static_assert(true, "so that a semicolon follows")

/** Set and get an array of one value an axis; a single value sets all axes. */
#define itkCudaNeuroSetGetAxesMacro(name, type, valueType) \
  itkCudaNeuroSetGetReferenceMacro(name, type); \
  itkCudaNeuroSetAllAxesMacro(name, type, valueType)

/** Set and get a switch, and turn it on and off. */
#define itkCudaNeuroSetGetBooleanMacro(name) \
  itkCudaNeuroSetGetMacro(name, bool); \
  itkBooleanMacro(name)

/** Set and get a parameter of the engine's struct m_Parameters, as a type of ITK. */
#define itkCudaNeuroParameterMacro(name, type, member) \
  virtual void Set##name(const type value) \
  { \
    if (::itk::CudaNeuroDetail::ChangesParameter(value, this->m_Parameters.member, #name)) \
    { \
      this->Modified(); \
    } \
  } \
  virtual type Get##name() const \
  { \
    return ::itk::CudaNeuroDetail::FromEngine<type>(this->m_Parameters.member); \
  } \
  static_assert(true, "so that a semicolon follows")

/** Set and get all parameters of the engine's struct m_Parameters at once. Not in Python, which has no objects of
 * it. */
#if defined(ITK_WRAPPING_PARSER)
#  define itkCudaNeuroParametersMacro(type) static_assert(true, "so that a semicolon follows")
#else
#  define itkCudaNeuroParametersMacro(type) \
    void SetParameters(const type & parameters) \
    { \
      this->m_Parameters = parameters; \
      this->Modified(); \
    } \
    const type & GetParameters() const \
    { \
      return this->m_Parameters; \
    } \
    static_assert(true, "so that a semicolon follows")
#endif

/** Get the value of an expression, as a type of ITK. */
#define itkCudaNeuroGetValueMacro(name, type, value) \
  virtual type Get##name() const \
  { \
    return ::itk::CudaNeuroDetail::FromEngine<type>(value); \
  } \
  static_assert(true, "so that a semicolon follows")

/** Get a number of the engine's struct m_Result. */
#define itkCudaNeuroGetResultMacro(name, type, member) itkCudaNeuroGetValueMacro(name, type, this->m_Result.member)

/** Get a value of one of several targets, by an expression that uses the number \c target. */
#define itkCudaNeuroGetOfTargetMacro(name, type, value) \
  type Get##name(unsigned int target = 0) const \
  { \
    return value; \
  } \
  static_assert(true, "so that a semicolon follows")

/** Get the numbers that are the same member of all elements of a list. */
#define itkCudaNeuroGetSeriesMacro(name, list, member) \
  std::vector<double> Get##name() const \
  { \
    return ::itk::CudaNeuroDetail::ValuesOf(list, member); \
  } \
  static_assert(true, "so that a semicolon follows")

/** Set and get a parameter of one value an axis; a single value sets all axes. */
#define itkCudaNeuroAxesParameterMacro(name, type, valueType, member) \
  itkCudaNeuroParameterMacro(name, type, member); \
  itkCudaNeuroSetAllAxesMacro(name, type, valueType)

/** Set and get a parameter that is a switch, and turn it on and off. */
#define itkCudaNeuroBooleanParameterMacro(name, member) \
  itkCudaNeuroParameterMacro(name, bool, member); \
  itkBooleanMacro(name)

/** Set and get a value of one of the engine's enumerations by name, where there are functions that take and return
 * the value. */
#define itkCudaNeuroEnumByNameMacro(name, type) \
  void Set##name(const std::string & nameOfValue) \
  { \
    this->Set##name(::itk::CudaNeuroDetail::EnumFromName<type>(nameOfValue)); \
  } \
  std::string Get##name##Name() const \
  { \
    return ::itk::CudaNeuroDetail::NameOf(this->Get##name()); \
  } \
  static_assert(true, "so that a semicolon follows")

/** Set and get a value of one of the engine's enumerations, as a value and by its name. Python, which has no objects of
 * these enumerations, has only the names. */
#if defined(ITK_WRAPPING_PARSER)
#  define itkCudaNeuroSetGetEnumMacro(name, type) itkCudaNeuroEnumByNameMacro(name, type)
#else
#  define itkCudaNeuroSetGetEnumMacro(name, type) \
    itkSetEnumMacro(name, type); \
    itkGetEnumMacro(name, type); \
    itkCudaNeuroEnumByNameMacro(name, type)
#endif

/** Set and get a parameter that is one of the engine's enumerations, as itkCudaNeuroSetGetEnumMacro does. */
#if defined(ITK_WRAPPING_PARSER)
#  define itkCudaNeuroEnumParameterMacro(name, type, member) itkCudaNeuroEnumByNameMacro(name, type)
#else
#  define itkCudaNeuroEnumParameterMacro(name, type, member) \
    itkCudaNeuroParameterMacro(name, type, member); \
    itkCudaNeuroEnumByNameMacro(name, type)
#endif

#endif
