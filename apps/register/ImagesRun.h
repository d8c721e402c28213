// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_ImagesRun_h
#define apps_register_ImagesRun_h

#include "register/RegisterInputs.h"
#include "register/RegisterRun.h"

/** The steps of a pair of images that all methods have in common, and how long they took. */
template <unsigned int VDimension>
class ImagesRun : public RegisterRun
{
public:
  using RegisterRun::RegisterRun;

  void
  Read() final
  {
    m_Inputs = ReadInputs<VDimension>(this->GetJob().GetOptions(), this->GetJob().GetReport());
  }

  void
  Compute() final
  {
    this->Register(m_Inputs);
    const Stopwatch warping;
    if (m_Inputs.movingLabels.IsNotNull())
    {
      m_Labels = this->WarpLabels(m_Inputs);
      this->GetJob().GetReport().Set("/seconds/labels", warping.GetSeconds());
    }
  }

  void
  Write() final
  {
    const Stopwatch writing;
    this->WriteOutputs(m_Labels);
    this->GetJob().GetReport().Set("/seconds/writing", writing.GetSeconds());
  }

private:
  /** Finds the map, and notes what was found. */
  virtual void
  Register(const RegisterInputs<VDimension> & inputs) = 0;
  /** The moving labels on the fixed grid; notes how they overlap with the fixed ones. */
  virtual typename FloatImage<VDimension>::Pointer
  WarpLabels(const RegisterInputs<VDimension> & inputs) = 0;
  /** \param labels null where there are none */
  virtual void
  WriteOutputs(const FloatImage<VDimension> * labels) = 0;

  RegisterInputs<VDimension>               m_Inputs;
  typename FloatImage<VDimension>::Pointer m_Labels;
};

#endif
