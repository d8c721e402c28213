// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_labels_LabelCodes_h
#define apps_register_labels_LabelCodes_h

#include "files/images/ImageFile.h"
#include "shared/Files.h"

#include <cstdint>
#include <string>
#include <vector>

/** The numbered labels of an image. Labels have 64 bits, but images on a device are of float, which holds integers only
 * up to 2^24. Background, 0, has the number 0. */
class LabelCodes
{
public:
  /** Numbers the labels of an image.
   * \throws UserError that names the file, if there are more labels than float can number */
  template <unsigned int VDimension>
  typename itk::Image<float, VDimension>::Pointer
  Encode(const LabelImage<VDimension> & labels, const std::string & path);

  /** Returns the labels of an image of numbers. */
  template <unsigned int VDimension>
  typename LabelImage<VDimension>::Pointer
  Decode(const itk::Image<float, VDimension> & codes) const;

  /** Returns the type to write labels as: an integer or floating-point type that holds all of them. */
  itk::IOComponentEnum
  TypeToWrite(itk::IOComponentEnum wanted) const;

private:
  std::vector<std::int64_t> m_Labels{ 0 };
};

#endif
