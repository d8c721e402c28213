// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_ImagesRun_h
#define apps_register_ImagesRun_h

#include "files/images/ImageGrid.h"
#include "register/inputs/RegisterInputs.h"
#include "register/RegisterRun.h"
#include "shared/Files.h"
#include "shared/ProgramSupport.h"

/** The common steps of all methods for a pair of images, with their durations. */
template <unsigned int VDimension>
class ImagesRun : public RegisterRun
{
public:
  using RegisterRun::RegisterRun;

  void
  Read() final
  {
    m_Inputs =
      ReadInputs<VDimension>(this->GetJob().GetOptions(), this->GetJob().GetImages(), this->GetJob().GetReport());
  }

  void
  Compute() final
  {
    this->Register(m_Inputs);
    const Stopwatch warping;
    if (m_Inputs.movingLabels.IsNotNull())
    {
      m_Labels = this->WarpLabels(m_Inputs);
      m_Labels->SetMetaDataDictionary(m_Inputs.movingSegments);
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

protected:
  const RegisterInputs<VDimension> &
  GetInputs() const
  {
    return m_Inputs;
  }

  /** Checks the parameters of a filter before voxels are read, with the headers of the images.
   * \throws UserError that names the option */
  template <typename TFilter>
  void
  CheckParameters(TFilter & filter)
  {
    filter.SetFixedImage(MakeHeader(this->GetJob().GetImages().fixed));
    filter.SetMovingImage(MakeHeader(this->GetJob().GetImages().moving));
    try
    {
      filter.VerifyParameters();
    }
    catch (const itk::ExceptionObject & error)
    {
      throw UserError(WithOptionNames(OneLine(error.GetDescription())));
    }
  }

private:
  /** Makes an image without voxels. */
  static typename DeviceFloatImage<VDimension>::Pointer
  MakeHeader(const OpenedImage & opened)
  {
    const auto image = DeviceFloatImage<VDimension>::New();
    image->CopyInformation(ReadGrid<VDimension>(opened));
    return image;
  }

  /** Finds the map, and reports it. */
  virtual void
  Register(const RegisterInputs<VDimension> & inputs) = 0;
  /** Returns the moving labels on the fixed grid, and reports their comparison with the fixed ones. */
  virtual typename LabelImage<VDimension>::Pointer
  WarpLabels(const RegisterInputs<VDimension> & inputs) = 0;
  /** \param labels null if there are none */
  virtual void
  WriteOutputs(const LabelImage<VDimension> * labels) = 0;

  RegisterInputs<VDimension>               m_Inputs;
  typename LabelImage<VDimension>::Pointer m_Labels;
};

#endif
