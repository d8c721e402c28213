// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_transform_MappedGrid_h
#define apps_transform_MappedGrid_h

#include "files/maps/MappedRows.h"
#include "shared/Files.h"
#include "shared/ProgressBar.h"

/** Does what cudaneuro::files::ForEachMappedRow does, with a progress bar. */
template <unsigned int VDimension, typename TVisit>
void
ForEachMappedRow(const itk::Transform<double, VDimension, VDimension> & map,
                 const itk::ImageBase<VDimension> &                     grid,
                 cudaneuro::Context &                                   context,
                 ProgressBar &                                          bar,
                 const TVisit &                                         visit)
{
  cudaneuro::files::ForEachMappedRow<VDimension>(
    map, grid, context, [&bar](double fraction) { bar.Show(fraction); }, visit);
}

#endif
