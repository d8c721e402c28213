// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_inputs_LabelTerm_h
#define apps_register_inputs_LabelTerm_h

#include "files/images/ImageFile.h"
#include "itkDeviceImage.h"
#include "register/labels/LabelWeights.h"
#include "register/inputs/Uploader.h"
#include "shared/Files.h"

#include <cstdint>
#include <string>
#include <vector>

/** The labels of two images, numbered in ascending order from 1 on; 0, no label, stays 0. A label has the same number
 * in both images, and labels of 64 bits have numbers that a device accepts. */
class SharedLabelCodes
{
public:
  /** \throws UserError that names the files, if there are more labels than codes, or none, for segmentations of
   * several layers, whose voxels have several labels, and for a weight of a label that neither image has */
  template <unsigned int VDimension>
  SharedLabelCodes(const LabelImage<VDimension> & fixed,
                   const std::string &            fixedPath,
                   const LabelImage<VDimension> & moving,
                   const std::string &            movingPath,
                   const LabelWeights &           weights);

  template <unsigned int VDimension>
  typename itk::Image<unsigned short, VDimension>::Pointer
  Encode(const LabelImage<VDimension> & labels) const;

  /** Returns the weight of each code. */
  const std::vector<double> &
  GetWeights() const
  {
    return m_Weights;
  }

private:
  /** The labels in the order of their codes. */
  std::vector<std::int64_t> m_Labels;
  std::vector<double>       m_Weights;
};

/** Two images of codes on the device; null if labels do not pull. */
template <unsigned int VDimension>
struct LabelTermInputs
{
  typename itk::DeviceImage<unsigned short, VDimension>::Pointer fixed;
  typename itk::DeviceImage<unsigned short, VDimension>::Pointer moving;
  std::vector<double>                                            weights;
};

#endif
