// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_inputs_RegisterInputs_h
#define apps_register_inputs_RegisterInputs_h

#include "files/images/ImageFile.h"
#include "itkDeviceImage.h"
#include "itkImage.h"
#include "itkMetaDataDictionary.h"
#include "itkTransform.h"
#include "itkVector.h"
#include "register/inputs/ChannelInputs.h"
#include "register/labels/LabelCodes.h"
#include "register/inputs/LabelTerm.h"
#include "register/inputs/RegisterOptions.h"
#include "register/inputs/RegisterPoints.h"
#include "register/inputs/RegisterReport.h"
#include "shared/Files.h"

#include <optional>

template <unsigned int VDimension>
using FloatImage = itk::Image<float, VDimension>;
template <unsigned int VDimension>
using DeviceFloatImage = itk::DeviceImage<float, VDimension>;
template <unsigned int VDimension>
using DeviceMask = itk::DeviceImage<unsigned char, VDimension>;
template <unsigned int VDimension>
using DeviceField = itk::DeviceImage<itk::Vector<float, VDimension>, VDimension>;
template <unsigned int VDimension>
using TransformOf = itk::Transform<double, VDimension, VDimension>;

/** The files of a run, with their headers. */
struct RegisterImages
{
  /** If false, the images are only grids. */
  bool                       hasImages = true;
  OpenedImage                fixed;
  OpenedImage                moving;
  std::optional<OpenedImage> fixedMask;
  std::optional<OpenedImage> movingMask;
  std::optional<OpenedImage> fixedLabels;
  std::optional<OpenedImage> movingLabels;
  std::optional<OpenedImage> initialField;
  std::vector<OpenedChannel> channels;
  RegisterPoints             points;
};

/** Reads the headers, and the points, which are few.
 * \throws UserError if a file is no image, or has other axes than the fixed image, and for unusable points */
RegisterImages
OpenImages(const RegisterOptions & options);

/** The inputs of a run on its device. Inputs that were not given are null. */
template <unsigned int VDimension>
struct RegisterInputs
{
  /** If false, the images have no pixels. */
  bool                                           hasImages = true;
  typename DeviceFloatImage<VDimension>::Pointer fixed;
  typename DeviceFloatImage<VDimension>::Pointer moving;
  typename DeviceMask<VDimension>::Pointer       fixedMask;
  typename DeviceMask<VDimension>::Pointer       movingMask;
  /** In host memory, because the CPU counts the overlap. */
  typename LabelImage<VDimension>::Pointer fixedLabels;
  /** The numbers of labels, which are exact in float. */
  typename DeviceFloatImage<VDimension>::Pointer movingLabels;
  LabelCodes                                     movingCodes;
  /** Names and colors of the moving labels, if they are a segmentation of 3D Slicer. */
  itk::MetaDataDictionary                   movingSegments;
  typename DeviceField<VDimension>::Pointer initialField;
  typename TransformOf<VDimension>::Pointer initialTransform;
  std::vector<ChannelInputs<VDimension>>    channels;
  RegisterPoints                            points;
  LabelTermInputs<VDimension>               labelTerm;
};

/** Reads all files at once, each in a thread, while the device starts, and uploads each as soon as it is read. Reports
 * the seconds.
 * \throws UserError that names the file, itk::ExceptionObject, Interrupted */
template <unsigned int VDimension>
RegisterInputs<VDimension>
ReadInputs(const RegisterOptions & options, const RegisterImages & images, RegisterReport & report);

/** Sets the images of all channels and their masks in a filter. */
template <unsigned int VDimension, typename TFilter>
void
SetImages(const RegisterInputs<VDimension> & inputs, TFilter & filter)
{
  filter.SetFixedImage(inputs.fixed);
  filter.SetMovingImage(inputs.moving);
  filter.SetFixedMaskImage(inputs.fixedMask);
  filter.SetMovingMaskImage(inputs.movingMask);
  for (unsigned int i = 0; i < inputs.channels.size(); ++i)
  {
    const ChannelInputs<VDimension> & channel = inputs.channels[i];
    filter.SetFixedImage(i + 1, channel.fixed);
    filter.SetMovingImage(i + 1, channel.moving);
    filter.SetFixedMaskImage(i + 1, channel.fixedMask);
    filter.SetMovingMaskImage(i + 1, channel.movingMask);
    filter.SetChannelFixedTransform(i + 1, channel.fixedTransform);
    filter.SetChannelMovingTransform(i + 1, channel.movingTransform);
  }
}

#endif
