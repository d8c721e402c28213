// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_labels_LabelCodes_h
#define apps_register_labels_LabelCodes_h

#include "files/images/ImageFile.h"
#include "shared/Files.h"

#include <cstdint>
#include <string>
#include <vector>

/** The labels of an image, numbered: images on a device are of float, which has all whole numbers up to 2^24 only,
 * and labels are of 64 bits. Background, which is 0, has the number 0. */
class LabelCodes
{
public:
  /** Numbers the labels of an image.
   * \throws UserError that names the file, when there are more different ones than float can number */
  template <unsigned int VDimension>
  typename itk::Image<float, VDimension>::Pointer
  Encode(const LabelImage<VDimension> & labels, const std::string & path);

  /** The labels of numbers. */
  template <unsigned int VDimension>
  typename LabelImage<VDimension>::Pointer
  Decode(const itk::Image<float, VDimension> & codes) const;

  /** The type to write labels as: a type of whole numbers or of floating point that has them all. */
  itk::IOComponentEnum
  TypeToWrite(itk::IOComponentEnum wanted) const;

private:
  std::vector<std::int64_t> m_Labels{ 0 };
};

#endif
