# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# Docstrings are made of what Doxygen reads in the headers. It expands only the macros that its settings name, which ITK writes when
# it ends the wrapping of a module: here are those of itkCudaNeuroMacros.h, itkCudaNeuroLevelSchedule.h,
# itkCudaNeuroUpdateSmoothing.h and itkCudaNeuroVelocityEquation.h. The comment above a macro is that of the first function; the others refer to it.
set(_macros
    [=[
PREDEFINED += "itkCudaNeuroSetGetInputMacro(name,type)=virtual void Set##name(const type * _arg); virtual const type * Get##name() const;"
PREDEFINED += "itkCudaNeuroSetGetMacro(name,type)=virtual void Set##name(type _arg); virtual type Get##name() const;"
PREDEFINED += "itkCudaNeuroSetGetReferenceMacro(name,type)=virtual void Set##name(type _arg); virtual const type & Get##name() const;"
PREDEFINED += "itkCudaNeuroSetGetAxesMacro(name,type,valueType)=virtual void Set##name(type _arg); virtual const type & Get##name() const; void Set##name(valueType value);"
PREDEFINED += "itkCudaNeuroSetGetBooleanMacro(name)=virtual void Set##name(bool _arg); virtual bool Get##name() const; virtual void name##On(); virtual void name##Off();"
PREDEFINED += "itkCudaNeuroParameterMacro(name,type,member)=virtual void Set##name(type _arg); virtual type Get##name() const;"
PREDEFINED += "itkCudaNeuroParametersMacro(type)=void SetParameters(const type & parameters); const type & GetParameters() const;"
PREDEFINED += "itkCudaNeuroGetValueMacro(name,type,value)=virtual type Get##name() const;"
PREDEFINED += "itkCudaNeuroGetResultMacro(name,type,member)=virtual type Get##name() const;"
PREDEFINED += "itkCudaNeuroGetOfTargetMacro(name,type,value)=type Get##name(unsigned int target = 0) const;"
PREDEFINED += "itkCudaNeuroGetSeriesMacro(name,list,member)=std::vector<double> Get##name() const;"
PREDEFINED += "itkCudaNeuroAxesParameterMacro(name,type,valueType,member)=virtual void Set##name(type _arg); virtual type Get##name() const; void Set##name(valueType value);"
PREDEFINED += "itkCudaNeuroBooleanParameterMacro(name,member)=virtual void Set##name(bool _arg); virtual bool Get##name() const; virtual void name##On(); virtual void name##Off();"
PREDEFINED += "itkCudaNeuroEnumParameterMacro(name,type,member)=virtual void Set##name(const type _arg); virtual type Get##name() const; void Set##name(const std::string & nameOfValue); std::string Get##name##Name() const;"
PREDEFINED += "itkCudaNeuroEnumByNameMacro(name,type)=void Set##name(const std::string & nameOfValue); std::string Get##name##Name() const;"
PREDEFINED += "itkCudaNeuroSetGetEnumMacro(name,type)=virtual void Set##name(const type _arg); virtual type Get##name() const; void Set##name(const std::string & nameOfValue); std::string Get##name##Name() const;"
PREDEFINED += "itkCudaNeuroLevelScheduleMacro(gridImage)=void SetNumberOfLevels(unsigned int levels); /** \copydoc SetNumberOfLevels() */ unsigned int GetNumberOfLevels() const; /** \copydoc SetNumberOfLevels() */ void SetShrinkFactorsPerLevel(const UnsignedVectorType & factors); /** \copydoc SetNumberOfLevels() */ void SetShrinkFactorsPerDimension(unsigned int level, const ShrinkFactorsType & factors); /** \copydoc SetNumberOfLevels() */ ShrinkFactorsType GetShrinkFactorsPerDimension(unsigned int level) const; /** \copydoc SetNumberOfLevels() */ void SetNumberOfIterations(unsigned int iterations); /** \copydoc SetNumberOfLevels() */ unsigned int GetNumberOfIterations() const; /** \copydoc SetNumberOfLevels() */ void SetNumberOfIterationsPerLevel(const UnsignedVectorType & iterations); /** \copydoc SetNumberOfLevels() */ const UnsignedVectorType & GetNumberOfIterationsPerLevel() const;"
PREDEFINED += "itkCudaNeuroUpdateSmoothingMacro()=virtual void SetUpdateFieldStandardDeviations(StandardDeviationsType sigmas); /** \copydoc SetUpdateFieldStandardDeviations() */ void SetUpdateFieldStandardDeviations(double sigma); /** \copydoc SetUpdateFieldStandardDeviations() */ virtual const StandardDeviationsType & GetUpdateFieldStandardDeviations() const; /** \copydoc SetUpdateFieldStandardDeviations() */ virtual void SetUpdateFieldStandardDeviationsPerLevel(const RealVectorType & sigmas); /** \copydoc SetUpdateFieldStandardDeviations() */ virtual const RealVectorType & GetUpdateFieldStandardDeviationsPerLevel() const;"
PREDEFINED += "itkCudaNeuroVelocityEquationMacro(registration)=virtual void SetAlpha(double value); /** \copydoc SetAlpha() */ virtual double GetAlpha() const; /** \copydoc SetAlpha() */ virtual void SetBeta(double value); /** \copydoc SetAlpha() */ virtual double GetBeta() const; /** \copydoc SetAlpha() */ virtual void SetGamma(double value); /** \copydoc SetAlpha() */ virtual double GetGamma() const; /** \copydoc SetAlpha() */ virtual void SetFirstSweeps(unsigned int value); /** \copydoc SetAlpha() */ virtual unsigned int GetFirstSweeps() const; /** \copydoc SetAlpha() */ virtual void SetSweeps(unsigned int value); /** \copydoc SetAlpha() */ virtual unsigned int GetSweeps() const;"
]=])
# Of ITK before 5.3, and of later ones.
foreach(_settings IN ITEMS Doc/doxygen.config Doxyfile.CudaNeuroDoxygen)
  if(EXISTS "${CMAKE_CURRENT_BINARY_DIR}/${_settings}")
    file(APPEND "${CMAKE_CURRENT_BINARY_DIR}/${_settings}" "${_macros}")
  endif()
endforeach()
