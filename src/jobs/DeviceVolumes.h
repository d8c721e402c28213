// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_DeviceVolumes_h
#define cudaneuro_jobs_DeviceVolumes_h

#include "cudaneuro/Context.h"

/** What public functions are given, as operations take it: float, in the memory of the context's
 * device. All report progress, as CopyVolume does. */
namespace cudaneuro
{

/** A volume that is read. Float on the device is used where it is. */
class FloatInput
{
public:
  FloatInput(Context & context, const Grid & grid, const ConstVolume & volume);

  const float *
  Data() const
  {
    return m_Data;
  }

private:
  DeviceMemory  m_Memory;
  const float * m_Data;
};

/** A mask that is read; null where absent. */
class MaskInput
{
public:
  MaskInput(Context & context, const Grid & grid, const ConstVolume & mask);

  const unsigned char *
  Data() const
  {
    return m_Data;
  }

private:
  DeviceMemory          m_Memory;
  const unsigned char * m_Data;
};

/** A volume that is written; null where absent. Float on the device is written where it is, unless it is \p input,
 * too. */
class FloatOutput
{
public:
  FloatOutput(Context & context, const Grid & grid, const Volume & volume, const void * input = nullptr);

  float *
  Data() const
  {
    return m_Data;
  }

  /** Delivers what was written. */
  void
  Finish();

private:
  Context &    m_Context;
  Grid         m_Grid;
  Volume       m_Volume;
  DeviceMemory m_Memory;
  float *      m_Data;
};

} // namespace cudaneuro

#endif
