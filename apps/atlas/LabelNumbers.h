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

/** Numbers for the labels of all images of an atlas, because the engine counts codes of 16 bits, and labels have 64.
 * While images are read, labels are numbered in the order in which they come. Afterwards all processes number them in
 * the same order: 0, the background, and then the others from the smallest on. */
class LabelNumbers
{
public:
  /** Numbers the labels of an image in the order in which they come. Several threads may call it at once.
   * \throws UserError that names the file, if there are more different labels than numbers */
  template <unsigned int VDimension>
  typename itk::Image<unsigned short, VDimension>::Pointer
  Encode(const LabelImage<VDimension> & labels, const std::string & path);

  /** Sorts the labels of all processes. All processes call it together.
   * \throws UserError if there are more different labels than numbers */
  void
  Sort(const Processes & processes);

  /** Replaces the numbers of an encoded image by the final ones. */
  template <unsigned int VDimension>
  void
  Renumber(itk::Image<unsigned short, VDimension> & codes) const;

  /** Returns the labels of final numbers. */
  template <unsigned int VDimension>
  typename LabelImage<VDimension>::Pointer
  Decode(const itk::Image<unsigned short, VDimension> & codes) const;

  /** Returns the labels in the order of their numbers. */
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
  std::vector<std::int64_t>                        m_Labels{ 0 }; // in the order in which they came
  std::vector<std::int64_t>                        m_Sorted;
  std::vector<unsigned short>                      m_Order; // the final number of each first number
};

#endif
