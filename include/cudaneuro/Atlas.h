// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_Atlas_h
#define cudaneuro_Atlas_h

#include "cudaneuro/AtlasAnnotations.h"
#include "cudaneuro/Communicator.h"
#include "cudaneuro/EnumNames.h"
#include "cudaneuro/Registration.h"

#include <memory>

namespace cudaneuro
{

/** How the template is computed from the deformed images, voxel by voxel; images without a value there are excluded. */
enum class AtlasMean
{
  /** The weighted mean, which minimizes the sum of squares of Ha et al., section 3. */
  Mean,
  /** The weighted mean without the lowest and the highest values, so that a failed image does little harm. */
  TrimmedMean,
  /** The weighted median. */
  Median
};

/** The names of the values, for streams and FromName. */
constexpr auto
NamesOf(AtlasMean)
{
  using E = AtlasMean;
  return MakeEnumNames<E>("mean", { { E::Mean, "Mean" }, { E::TrimmedMean, "TrimmedMean" }, { E::Median, "Median" } });
}

/** Returns the parameters of Ha et al. (the force from the deformed image, successive over-relaxation with alpha = 1,
 * beta = 0, gamma = 0.02, 30 sweeps in the first iteration of a level and 4 in each later one), on three levels of 50,
 * 50 and 25 iterations. */
CudaNeuro_EXPORT RegistrationParameters
AtlasRegistrationParameters();

/** How an atlas is computed; Describe lists units, meanings and ranges. */
struct AtlasParameters
{
  /** How each image is registered to the template. matchIntensities must be off and jacobianBound 0, because a step
   * that folds is halved instead. With furtherChannels, each member has that many more images: there is one template
   * per channel, one map deforms all images of a member, and the energy is the mean of the channels' energies by their
   * weights, as in Register. A channel of weight 0 has no influence on the maps, but still gets a template.
   * convergenceThreshold is compared with the decrease of the mean energy of all images, and ends the level. */
  RegistrationParameters registration = AtlasRegistrationParameters();

  AtlasMean meanMethod = AtlasMean::Mean;
  /** Must be less than 0.5, at which nothing would be left. */
  double trimmedFraction = 0.1;
  double sharpening = 0.0;

  /** Besides these intervals, a shape update is made at the end of each level; 0 makes none at all. */
  int  shapeUpdateInterval = 10;
  bool keepPose = false;

  /** The trimmed box saves time and memory; the result is the same. */
  bool trimToBoundingBox = true;
  bool measureEntropy = false;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const AtlasParameters &)
{
  using P = AtlasParameters;
  return std::make_tuple(
    Parameter(&P::registration, "Registration", "", "How each image is registered to the template"),
    Parameter(&P::meanMethod, "MeanMethod", "", "Mean of the deformed images that makes the template"),
    Parameter(&P::trimmedFraction,
              "TrimmedFraction",
              "",
              "Fraction of the weight that the trimmed mean excludes at each end",
              Between(0.0, 0.49),
              OnlyWith(&P::meanMethod, AtlasMean::TrimmedMean)),
    Parameter(&P::sharpening,
              "Sharpening",
              "",
              "Strength of unsharp masking of the template, with a Gaussian of one voxel; 0 is none",
              Between(0.0, 10.0)),
    Parameter(
      &P::shapeUpdateInterval,
      "ShapeUpdateInterval",
      "",
      "Number of iterations between shape updates, which make the mean of the maps the identity; 0 disables them",
      AtLeast(0)),
    Parameter(
      &P::keepPose,
      "KeepPose",
      "",
      "Exclude the mean rotation and translation from shape updates, so that the template keeps its initial pose"),
    Parameter(&P::trimToBoundingBox,
              "TrimToBoundingBox",
              "",
              "Process only the part of the template's grid that the images can reach"),
    Parameter(&P::measureEntropy, "MeasureEntropy", "", "Measure the entropy of the template at every iteration"));
}

/** The devices, threads, memory and processes that compute an atlas. */
struct AtlasDevices
{
  /** CUDA devices, the CPU, or both; a device that is listed twice gets two shares of the images. */
  std::vector<Device> devices{ Device() };
  /** CPU threads in all, 0 for all cores. */
  unsigned int numberOfThreads = 0;
  /** Maximum memory to use on each CUDA device, in bytes; 0 is all that is free. Images that do not fit are kept in
   * page-locked host memory and are copied to the device when they are processed. */
  std::size_t maximumDeviceMemory = 0;
  /** The processes that compute together; null for this one alone. The object must live longer than the atlas. */
  Communicator * communicator = nullptr;
};

/** The image of a further channel of one member of an atlas: the same head in another contrast. */
struct AtlasChannel
{
  /** The grid of this image, which may differ from that of the first channel. */
  Geometry    geometry;
  ConstVolume image;
  /** As AtlasImage::mask, on the grid of this image. */
  ConstVolume mask;
  /** Maps points of the member's first image to points of this one. */
  AffineMap transform;
};

/** One image of an atlas. */
struct AtlasImage
{
  /** The image's name in messages; for example the file's name. */
  std::string name;
  Geometry    geometry;
  ConstVolume image;
  /** Optional, UnsignedChar, on the grid of the image: the image has no value where the mask is 0, nor where the image
   * is infinite or NaN. */
  ConstVolume mask;
  /** Maps points of the template to points of the image. */
  AffineMap transform;
  /** Optional, on the grid of the template: the initial transform is p -> transform(p + transformField(p)). */
  ConstField transformField;
  /** Optional, on the grid of the template: the displacement field to start from. It must not fold. */
  ConstField initialField;
  /** One for each of furtherChannels of the parameters, in their order. */
  std::vector<AtlasChannel> furtherChannels{};
};

/** How far the mean of the maps was from the identity before a shape update. */
struct AtlasDrift
{
  /** Position in the schedule; the update comes after this iteration. */
  int level = 0;
  int iteration = 0;
  /** Root mean square and maximum, over the grid, of the length of the mean displacement, in mm. */
  double rootMeanSquare = 0.0;
  double maximum = 0.0;
  /** The rigid motion closest to the mean displacement: its rotation angle in degrees, about the center of the grid,
   * and its translation there in mm. */
  double                rotationDegrees = 0.0;
  std::array<double, 3> translation{};
};

/** The state that an observer receives after each iteration. */
struct AtlasIteration
{
  /** Index of the level, and of the iteration in it, from 0. */
  int level = 0;
  int iteration = 0;
  /** Weighted mean of the images' energies, and the energy of each image; both from before the iteration's step. */
  double              energy = 0.0;
  std::vector<double> imageEnergies;
  /** For each channel, the weighted mean of the images' energies, without the channel's weight; 0 for weight 0. */
  std::vector<double> channelEnergies;
  /** Minimum Jacobian determinant of all maps. */
  double minimumJacobian = 1.0;
  /** Number of images whose step folded their map and was taken back. */
  int numberOfShortenedSteps = 0;
  /** Shannon entropy of the template's intensities in bits, over 256 bins between its extremes; NaN unless measured. */
  double entropy = 0.0;
};
/** Results of DiffeomorphicAtlas::Run. */
struct AtlasResult
{
  std::vector<AtlasIteration> iterations;
  std::vector<AtlasDrift>     drifts;
  /** Weighted mean of the images' energies, and the energy of each image, on the grid of the template. They belong to
   * the maps and the template that GetImage and GetTemplate return, while an iteration's are from before its step. */
  double              energy = 0.0;
  std::vector<double> imageEnergies;
  /** As AtlasIteration::channelEnergies, for the final maps and templates. */
  std::vector<double> channelEnergies;
  int                 numberOfShortenedSteps = 0;
  /** Maximum number of images per device that were kept in host memory for lack of memory on it. */
  int numberOfStreamedImages = 0;
  /** How partial sums are exchanged: "none"; between CUDA devices "NCCL ..." or "peer copies"; "copies on the device"
   * where one CUDA device works on several images at once; "host copies". */
  std::string exchange;
  /** Duration of the iterations in seconds, and the part of it that means and their exchange took, in the share of this
   * process that waited the shortest for others. */
  double iterationSeconds = 0.0;
  double meanSeconds = 0.0;
};

/** The action that an observer requests. If several processes request one, all take the one of the largest value. */
enum class AtlasAction
{
  Continue = 0,
  /** Write a checkpoint, and continue. */
  Save = 1,
  /** End the run with the results so far. */
  Stop = 2,
  /** Write a checkpoint, and end the run. */
  SaveAndStop = 3
};

/** Called after each iteration, in order, on the thread that called Run. */
using AtlasObserver = std::function<AtlasAction(const AtlasIteration &)>;

/** When and where checkpoints are written; Describe says what each member is. A checkpoint is a folder with a file for
 * each image and a list of them, which is replaced last: the list always names a complete state. */
struct AtlasCheckpoint
{
  std::string folder;
  double      interval = 600.0;
  /** Text that ReadCheckpointNote returns. */
  std::string note = {};
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const AtlasCheckpoint &)
{
  using P = AtlasCheckpoint;
  return std::make_tuple(Parameter(&P::folder, "CheckpointFolder", "", "Where checkpoints are written"),
                         Parameter(&P::interval,
                                   "CheckpointInterval",
                                   "seconds",
                                   "Time between checkpoints; 0 writes one after each iteration",
                                   AtLeast(0.0)),
                         Parameter(&P::note, "CheckpointNote", "", "Text of the caller that is stored with the state"));
}

/** Outputs for one image; each is optional, on the grid of the template. */
struct AtlasImageOutputs
{
  /** h(p) - p, where the image at transform(h(p)) is similar to the template at p. */
  Field displacement;
  /** The inverse of h, minus p. It does not fold: where the fixed-point iteration folds, the inverse is repaired. */
  Field inverse;
  /** The deformed image; 0 where the image has no value. */
  Volume deformed;
  /** The deformed images of the further channels; the list may be shorter than the number of channels. */
  std::vector<Volume> deformedChannels;
  /** Jacobian determinant of h. */
  Volume jacobian;
};
/** Results of DiffeomorphicAtlas::GetImage for one image. */
struct AtlasImageResult
{
  /** Number of outliers of the image that were repaired. */
  std::int64_t    numberOfOutliers = 0;
  InversionResult inversion;
  JacobianResult  jacobian;
  /** Whether the map was scaled towards the identity on the way to a finer level, because it folded there and smoothing
   * did not help. */
  bool isDamped = false;
};

/** Callers should warn if the template's grid cuts off more than this fraction of an image: smaller cuts are ends of a
 * neck, or errors of an alignment. */
constexpr double noticeableCut = 0.02;

/** Computes an unbiased diffeomorphic atlas of a population (Ha et al., algorithm 1; Joshi et al. 2004).
 *
 * The template is the mean of the images deformed by maps h_k; each iteration moves every map by one step of a greedy
 * fluid registration of its image to the template, with the metric, the solver and the schedule of the registration
 * parameters. The shape update makes the mean of the maps the identity: with d the weighted mean of the displacements,
 * h_k becomes h_k o (id + d)^-1. Documentation/atlas-method.md has the equations.
 *
 * Sums over images are sums of 64-bit integers, to which each image's contribution is rounded. Therefore the result has
 * the same bits for every distribution of the images over devices of one kind, and for every order of the images.
 *
 * One object serves one thread. Typical use:
 * \code
 * DiffeomorphicAtlas atlas(parameters, geometry, weights, devices);
 * for (int image : atlas.GetOwnImages())
 *   atlas.SetImage(image, ...);
 * atlas.Run(observer, result);
 * atlas.GetTemplate(...);
 * \endcode
 *
 * \ingroup CudaNeuro */
class CudaNeuro_EXPORT DiffeomorphicAtlas
{
public:
  /** \param geometry the grid of the template.
   * \param weights one for each image of all processes; not negative, finite, with a positive sum.
   * \throws InvalidParameterError, Error when a device cannot be used. */
  DiffeomorphicAtlas(const AtlasParameters &     parameters,
                     const Geometry &            geometry,
                     const std::vector<double> & weights,
                     const AtlasDevices &        devices);
  ~DiffeomorphicAtlas();
  DiffeomorphicAtlas(const DiffeomorphicAtlas &) = delete;
  DiffeomorphicAtlas &
  operator=(const DiffeomorphicAtlas &) = delete;

  /** The indices of the images that this process must set, in increasing order. */
  std::vector<int>
  GetOwnImages() const;

  /** Copies and prepares an image; the input's memory is not used afterwards. Several threads may call it at once, but
   * not after Run, Resume or GetInitialMean.
   * \throws InvalidParameterError naming the image, for one without usable voxels, and OutOfMemoryError. */
  void
  SetImage(int image, const AtlasImage & input);

  /** Returns how much of one of the own images, which must be set, lies beyond the grid of the template and so is lost:
   * 0 to 1, a fraction of its intensity above the background. Neither the displacements of the initial transform nor
   * later maps count. Above noticeableCut, callers should warn.
   * \throws Error, InvalidParameterError */
  double
  GetCutFraction(int image) const;

  /** Optional: the first channel's template of the first iteration, on the grid of the template, in the intensities of
   * the images. By default it is the mean of the images, as that of further channels always is. */
  void
  SetInitialTemplate(const ConstVolume & image);

  /** Writes checkpoints during Run, at the interval and when the observer asks for one.
   * \throws InvalidParameterError for an interval that is negative or NaN */
  void
  SetCheckpoint(const AtlasCheckpoint & checkpoint);

  /** Whether the folder has a checkpoint, which may belong to any atlas. */
  static bool
  HasCheckpoint(const std::string & folder);

  /** Whether a file of this name, in the folder of a checkpoint, is part of a checkpoint, complete or not. */
  static bool
  IsCheckpointFile(const std::string & fileName);

  /** Returns the note of the checkpoint in a folder.
   * \throws Error for a checkpoint that is damaged, or of another version */
  static std::string
  ReadCheckpointNote(const std::string & folder);

  /** Restores the state of a checkpoint; all images of this process must be set. Run then continues with the same bits
   * as a run that was not interrupted. The number of processes and devices may differ from the run that wrote it.
   * \throws Error for a checkpoint that is damaged, or that has other images, parameters or another initial template;
   * the message names which. */
  void
  Resume(const std::string & folder);

  /** Sets the progress function of all later calls, see Context::SetProgressFunction. */
  void
  SetProgressFunction(Context::ProgressFunction function);

  /** Runs all levels, once. \p result is filled as far as the run came, also when an exception is thrown; when the
   * observer is called, it has all iterations up to the current one, with those before a resumed checkpoint.
   * \throws Error for an image that was not set, InvalidParameterError for images without contrast, Aborted,
   * OutOfMemoryError, and the exceptions of the communicator. The previous checkpoint is intact then. */
  void
  Run(const AtlasObserver & observer, AtlasResult & result);

  /** Writes the template of a channel (0 is the first) after Run; 0 where no image has a value. All processes call it.
   * \throws InvalidParameterError for a channel that does not exist */
  void
  GetTemplate(const Volume & output, int channel = 0);

  /** Writes the mean of the images of a channel under their initial maps alone, as they were set. All processes call
   * it.
   * \throws InvalidParameterError for a channel that does not exist */
  void
  GetInitialMean(const Volume & output, int channel = 0);

  /** Writes outputs for one of the own images after Run.
   * \param source the image as it was set, or null. With it, an image that SetImage had to resample is interpolated
   * only once for the deformed image, through its map and its initial transform together; without it, the resampled
   * image is interpolated a second time, which blurs.
   * \throws InvalidParameterError, OutOfMemoryError */
  AtlasImageResult
  GetImage(int image, const AtlasImageOutputs & outputs, const AtlasImage * source = nullptr);

  /** Carries a map of labels of one of the own images to the template, after Run: each voxel of the template gets the
   * label of the nearest voxel, through the image's map and initial transform together. Until the atlas is destroyed,
   * the labels of each image take 2 bytes a voxel of the template in host memory, for any number of labels; the
   * input's memory is not used afterwards. Labels that were set before are replaced. Several threads may call it at
   * once.
   * \throws InvalidParameterError naming the labels, OutOfMemoryError, Aborted */
  void
  SetLabels(int image, const AtlasLabels & labels);

  /** Writes the label that the images vote for at each voxel, each image with its weight. Images without labels do not
   * vote, nor does an image where the voxel maps outside its map of labels. Votes are whole numbers: the result does
   * not depend on the order of the images, nor on their distribution over devices. All processes call it, and exchange
   * codes for at most 2^26 voxels and images at a time.
   * \throws Error when no labels were set, InvalidParameterError, OutOfMemoryError, Aborted */
  void
  GetLabels(const AtlasLabelOutputs & outputs);

  /** Carries points of one of the own images to the template, after Run: to the place that its map and its initial
   * transform together map to them. The input's memory is not used afterwards; points that were set before are
   * replaced. Several threads may call it at once.
   * \returns the points that are left out
   * \throws InvalidParameterError naming the points, OutOfMemoryError, Aborted */
  AtlasPointsResult
  SetPoints(int image, const AtlasPoints & points);

  /** Returns the mean position of each point on the template, from number 0 to the largest that was carried there.
   * Means are weighted; images without points or without this point, and images of weight 0, are excluded. The result
   * does not depend on the order of the images, nor on their distribution over devices. All processes call it.
   * \throws Error when no points were set, Aborted */
  std::vector<AtlasPoint>
  GetPoints();

private:
  class Implementation;
  std::unique_ptr<Implementation> m_Implementation;
};

} // namespace cudaneuro

#endif
