// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef WithAxes_h
#define WithAxes_h

#include <type_traits>

namespace itk
{

/** Calls a generic function with a number of axes, 2 or 3. */
template <typename TFunction>
auto
WithAxes(unsigned int axes, const TFunction & function)
{
  return axes == 2 ? function(std::integral_constant<unsigned int, 2>())
                   : function(std::integral_constant<unsigned int, 3>());
}

} // namespace itk

#endif
