// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_LabelNumbers_h
#define apps_atlas_LabelNumbers_h

#include "processes/Processes.h"
#include "files/images/ImageFile.h"
#include "shared/Files.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

/** Numbers for the labels of all images of an atlas: the engine counts codes of 16 bits, and labels are of 64 bits.
 * Images are numbered while they are read, each label as it comes; when all have been read, each gets its number in the
 * order of labels, of which all processes have the same: 0, which is the background, and then the others from the
 * smallest on. */
class LabelNumbers
{
public:
  /** Numbers the labels of an image as they come. Several threads may call it at once.
   * \throws UserError that names the file, when there are more different labels than numbers */
  template <unsigned int VDimension>
  typename itk::Image<unsigned short, VDimension>::Pointer
  Encode(const LabelImage<VDimension> & labels, const std::string & path);

  /** Puts the labels of all processes in order, which call it together.
   * \throws UserError when there are more different labels than numbers */
  void
  Sort(const Processes & processes);

  /** Gives an image that was encoded the numbers in order. */
  template <unsigned int VDimension>
  void
  Renumber(itk::Image<unsigned short, VDimension> & codes) const;

  /** The labels of numbers in order. */
  template <unsigned int VDimension>
  typename LabelImage<VDimension>::Pointer
  Decode(const itk::Image<unsigned short, VDimension> & codes) const;

  /** In order. */
  const std::vector<std::int64_t> &
  GetLabels() const
  {
    return m_Sorted;
  }

private:
  unsigned short
  NumberOf(std::int64_t label, const std::string & path);

  std::mutex                                       m_Mutex;
  std::unordered_map<std::int64_t, unsigned short> m_Numbers{ { 0, static_cast<unsigned short>(0) } };
  std::vector<std::int64_t>                        m_Labels{ 0 }; // as they came
  std::vector<std::int64_t>                        m_Sorted;
  std::vector<unsigned short>                      m_Order; // the number in order of each number as they came
};

#endif
