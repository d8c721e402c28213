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

/** How the template is made of the deformed images, voxel by voxel. Images without a value there take no part. */
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

/** The step of Ha et al. (the force from the deformed image, successive over-relaxation with alpha = 1, beta = 0,
 * gamma = 0.02, 30 sweeps in the first iteration of a level and 4 in each later one), on three levels of 50, 50 and 25
 * iterations. */
CudaNeuro_EXPORT RegistrationParameters
AtlasRegistrationParameters();

/** How an atlas is computed; Describe says what each parameter is. */
struct AtlasParameters
{
  /** How each image is registered to the template. matchIntensities must be off, and jacobianBound 0: steps are halved.
   * With furtherChannels, members have as many images more: there is a template of each channel, all images of a member
   * are deformed by one map, and the energy is the mean of the channels' energies by their weights, as in Register. A
   * channel of weight 0 has no say in the maps, and yet a template.
   * convergenceThreshold looks at the mean energy of all images, and ends the level. */
  RegistrationParameters registration = AtlasRegistrationParameters();

  AtlasMean meanMethod = AtlasMean::Mean;
  /** Below 0.5. */
  double trimmedFraction = 0.1;
  double sharpening = 0.0;

  /** And again at the end of each level; 0 never does it. */
  int  shapeUpdateInterval = 10;
  bool keepPose = false;

  /** The result is the same. */
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
    Parameter(&P::meanMethod, "MeanMethod", "", "How the template is made of the deformed images"),
    Parameter(&P::trimmedFraction,
              "TrimmedFraction",
              "",
              "Fraction of the weight that the trimmed mean leaves out at each end",
              Between(0.0, 0.5),
              OnlyWith(&P::meanMethod, AtlasMean::TrimmedMean)),
    Parameter(&P::sharpening,
              "Sharpening",
              "",
              "Multiple of the template's difference from itself smoothed by one voxel that is added to it; 0 is none",
              Between(0.0, 10.0)),
    Parameter(&P::shapeUpdateInterval,
              "ShapeUpdateInterval",
              "",
              "Iterations after which the mean of the maps is made the identity; 0 never does it",
              AtLeast(0)),
    Parameter(&P::keepPose,
              "KeepPose",
              "",
              "Leave the rotation and the translation of the mean displacement out of the shape update, so that the "
              "template keeps the pose in which it starts"),
    Parameter(&P::trimToBoundingBox,
              "TrimToBoundingBox",
              "",
              "Work on the template only within the box that the images can reach"),
    Parameter(&P::measureEntropy, "MeasureEntropy", "", "Measure the entropy of the template at every iteration"));
}

/** Where an atlas is computed. */
struct AtlasDevices
{
  /** CUDA devices, the CPU, or both; a device that is listed twice takes two shares. */
  std::vector<Device> devices{ Device() };
  /** CPU threads in all, 0 for all cores. */
  unsigned int numberOfThreads = 0;
  /** Most memory to use of each CUDA device, in bytes; 0 for all that is free. Images that do not fit are kept in
   * page-locked host memory and come to the device when it is their turn. */
  std::size_t maximumDeviceMemory = 0;
  /** The processes that take part; null for this one alone. It must live longer than the atlas. */
  Communicator * communicator = nullptr;
};

/** The image of a further channel of a member of an atlas: the same head by another contrast. */
struct AtlasChannel
{
  /** May be another than that of the first channel. */
  Geometry    geometry;
  ConstVolume image;
  /** As that of AtlasImage, on the grid of this image. */
  ConstVolume mask;
  /** From points of the member's first image to points of this one. */
  AffineMap transform;
};

/** One image of an atlas. */
struct AtlasImage
{
  /** For messages; for example the file's name. */
  std::string name;
  Geometry    geometry;
  ConstVolume image;
  /** Optional, UnsignedChar, on the grid of the image: where it is 0 the image has no value, nor where it is
   * infinite or NaN. */
  ConstVolume mask;
  /** From points of the template to points of the image. */
  AffineMap transform;
  /** Optional, on the grid of the template: the initial transform is p -> transform(p + transformField(p)). */
  ConstField transformField;
  /** Optional, on the grid of the template: the displacement field to start from. It must not fold. */
  ConstField initialField;
  /** As many as the parameters have of furtherChannels, in their order. */
  std::vector<AtlasChannel> furtherChannels{};
};

/** What the mean of the maps was before a shape update. */
struct AtlasDrift
{
  /** Where in the schedule; the update comes after this iteration. */
  int level = 0;
  int iteration = 0;
  /** Root of the mean square and maximum of the length of the mean displacement over the grid, in mm. */
  double rootMeanSquare = 0.0;
  double maximum = 0.0;
  /** The rigid motion nearest to the mean displacement: the angle of its rotation in degrees, about the center of the
   * grid, and its translation there in mm. */
  double                rotationDegrees = 0.0;
  std::array<double, 3> translation{};
};

/** The state after an iteration. */
struct AtlasIteration
{
  /** Index of the level, and of the iteration in it, from 0. */
  int level = 0;
  int iteration = 0;
  /** Weighted mean of the images' energies, and the energy of each image; before the iteration's step. */
  double              energy = 0.0;
  std::vector<double> imageEnergies;
  /** Weighted mean of the images' energies of each channel, without its weight; 0 for a channel of weight 0. */
  std::vector<double> channelEnergies;
  /** Least Jacobian determinant of all maps. */
  double minimumJacobian = 1.0;
  /** Images whose step folded their map and was taken back. */
  int numberOfShortenedSteps = 0;
  /** Shannon entropy of the template's intensities in bits, over 256 bins between its extremes; NaN unless measured. */
  double entropy = 0.0;
};
/** What DiffeomorphicAtlas::Run did. */
struct AtlasResult
{
  std::vector<AtlasIteration> iterations;
  std::vector<AtlasDrift>     drifts;
  /** Weighted mean of the images' energies, and the energy of each image, on the grid of the template: of the maps
   * and the template that GetImage and GetTemplate give. An iteration's are those from before its step. */
  double              energy = 0.0;
  std::vector<double> imageEnergies;
  /** As those of an iteration. */
  std::vector<double> channelEnergies;
  int                 numberOfShortenedSteps = 0;
  /** Most images of a device that were kept in host memory, for want of memory on it. */
  int numberOfStreamedImages = 0;
  /** How sums travel: "none"; between CUDA devices "NCCL ..." or "peer copies"; "copies on the device" where one CUDA
   * device works on several images at once; "host copies". */
  std::string exchange;
  /** Seconds of the iterations, and the part of them that means and their exchange took, in the share of this process
   * that had to wait least for others. */
  double iterationSeconds = 0.0;
  double meanSeconds = 0.0;
};

/** What an observer wants next. Of several processes, the largest wish of all is done. */
enum class AtlasAction
{
  Continue = 0,
  /** Write a checkpoint, and go on. */
  Save = 1,
  /** End the run with the results so far. */
  Stop = 2,
  /** Write a checkpoint, and end the run. */
  SaveAndStop = 3
};

/** Called after each iteration, in order, on the thread that called Run. */
using AtlasObserver = std::function<AtlasAction(const AtlasIteration &)>;

/** When and where checkpoints are written; Describe says what each member is. A checkpoint is a folder with a file for
 * each image and a list of them, which is replaced last: whatever happens, it names a complete state. */
struct AtlasCheckpoint
{
  std::string folder;
  double      interval = 600.0;
  /** ReadCheckpointNote gives it back. */
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
                         Parameter(&P::note, "CheckpointNote", "", "Any text of the caller, kept with the state"));
}

/** Outputs for one image; each is optional, on the grid of the template. */
struct AtlasImageOutputs
{
  /** h(p) - p, where the image at transform(h(p)) is like the template at p. */
  Field displacement;
  /** The inverse of h, minus p. It does not fold: where the fixed-point iteration does, it is repaired. */
  Field inverse;
  /** The deformed image; 0 where the image has no value. */
  Volume deformed;
  /** The deformed images of further channels; may be fewer than there are. */
  std::vector<Volume> deformedChannels;
  /** Jacobian determinant of h. */
  Volume jacobian;
};
/** What became of one image of an atlas. */
struct AtlasImageResult
{
  /** Outliers of the image that were repaired. */
  std::int64_t    numberOfOutliers = 0;
  InversionResult inversion;
  JacobianResult  jacobian;
  /** The map was brought nearer to the identity on the way to a finer level, as it folded there and smoothing did
   * not help. */
  bool isDamped = false;
};

/** A template that loses more than this fraction of an image is worth a warning: less are ends of a neck, or errors
 * of an alignment. */
constexpr double noticeableCut = 0.02;

/** Unbiased diffeomorphic atlas of a population (Ha et al., algorithm 1; Joshi et al. 2004).
 *
 * The template is the mean of the images deformed by maps h_k; each iteration moves every map by one step of a greedy
 * fluid registration of its image to the template, in the metric, with the solver and the schedule of the registration
 * parameters. The maps' mean is made the identity by the shape update: with d the weighted mean of the displacements,
 * h_k becomes h_k o (id + d)^-1. Documentation/atlas-method.md has the equations.
 *
 * Sums over images are sums of integers of 64 bits, to which each image's contribution is rounded. Therefore the result
 * has the same bits however the images are shared out over devices of one kind, and in whatever order they are given.
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

  /** The images that this process must set, increasing. */
  std::vector<int>
  GetOwnImages() const;

  /** Reads and prepares an image; what it points to is not used afterwards. Several threads may call it at once. No
   * image is taken after Run, Resume or GetInitialMean.
   * \throws InvalidParameterError naming the image, for one without usable voxels, and OutOfMemoryError. */
  void
  SetImage(int image, const AtlasImage & input);

  /** How much of one of the own images, which must be set, lies beyond the grid of the template and so is lost: 0 to 1,
   * a fraction of its intensity above the background. Displacements of the initial transform do not count, nor what the
   * maps will move. From noticeableCut on, callers should warn.
   * \throws Error, InvalidParameterError */
  double
  GetCutFraction(int image) const;

  /** Optional: the first channel's template of the first iteration, on the grid of the template, in the intensities of
   * the images. By default it is the mean of the images, as that of further channels always is. */
  void
  SetInitialTemplate(const ConstVolume & image);

  /** Writes checkpoints during Run, and on the observer's wish.
   * \throws InvalidParameterError for an interval that is negative or NaN */
  void
  SetCheckpoint(const AtlasCheckpoint & checkpoint);

  /** Whether the folder has a checkpoint, of whatever atlas. */
  static bool
  HasCheckpoint(const std::string & folder);

  /** Whether a file of this name, in the folder of a checkpoint, is part of one, finished or not. */
  static bool
  IsCheckpointFile(const std::string & fileName);

  /** The note of the checkpoint in a folder.
   * \throws Error for a checkpoint that is damaged, or of another version */
  static std::string
  ReadCheckpointNote(const std::string & folder);

  /** Takes up the state of a checkpoint; all images of this process must be set. Run then goes on with the same bits as
   * a run that was not interrupted. The number of processes and devices may differ from those that wrote it.
   * \throws Error for a checkpoint that is damaged, or of other images, parameters or another initial template; it
   * names which. */
  void
  Resume(const std::string & folder);

  /** As Context::SetProgressFunction, for all that follows. */
  void
  SetProgressFunction(Context::ProgressFunction function);

  /** Runs all levels, once. \p result is filled as far as the run came, also when an exception leaves; for the
   * observer, with the iterations of a checkpoint that was resumed and those up to its own.
   * \throws Error for an image that was not set, InvalidParameterError for images without contrast, Aborted,
   * OutOfMemoryError, and what the communicator throws. The checkpoint of before is intact then. */
  void
  Run(const AtlasObserver & observer, AtlasResult & result);

  /** The template of a channel after Run, 0 for the first one; 0 where no image has a value. All processes call it.
   * \throws InvalidParameterError for a channel that there is not */
  void
  GetTemplate(const Volume & output, int channel = 0);

  /** The mean of the images of a channel as they were set, without any map but their initial ones. All processes call
   * it.
   * \throws InvalidParameterError for a channel that there is not */
  void
  GetInitialMean(const Volume & output, int channel = 0);

  /** Outputs for one of the own images after Run.
   * \param source the image as it was set, or null. With it, an image that SetImage had to resample is interpolated
   * once for the deformed image, where its map and its initial transform together lead; without it a second time, which
   * blurs.
   * \throws InvalidParameterError, OutOfMemoryError */
  AtlasImageResult
  GetImage(int image, const AtlasImageOutputs & outputs, const AtlasImage * source = nullptr);

  /** Takes a map of labels of one of the own images to the template, after Run: at each voxel of the template the label
   * of the nearest voxel, through the image's map and initial transform together. Until the atlas is destroyed they
   * take 2 bytes a voxel of the template in host memory, for each image and however many labels there are; what the
   * input points to is not used afterwards. Labels that were set before are replaced. Several threads may call it at
   * once.
   * \throws InvalidParameterError naming the labels, OutOfMemoryError, Aborted */
  void
  SetLabels(int image, const AtlasLabels & labels);

  /** The vote of the images on the label of each voxel, in which an image counts as much as its weight. Images of which
   * no labels were set have no voice, nor has an image where the voxel is seen outside its map of labels. Votes are
   * whole numbers: the result does not depend on the order of the images, nor on how they are shared out. All processes
   * call it, and exchange codes for at most 2^26 voxels and images at a time.
   * \throws Error when no labels were set, InvalidParameterError, OutOfMemoryError, Aborted */
  void
  GetLabels(const AtlasLabelOutputs & outputs);

  /** Carries points of one of the own images to the template, after Run: to where its map and its initial transform
   * together lead to them. What the input points to is not used afterwards; points that were set before are replaced.
   * Several threads may call it at once.
   * \returns the points that are left out
   * \throws InvalidParameterError naming the points, OutOfMemoryError, Aborted */
  AtlasPointsResult
  SetPoints(int image, const AtlasPoints & points);

  /** Where the images have each point on the template, from number 0 to the largest that came there: weighted means,
   * in which images of which no points were set, and those that lack a point, do not count, nor images of weight 0. The
   * result does not depend on the order of the images, nor on how they are shared out. All processes call it.
   * \throws Error when no points were set, Aborted */
  std::vector<AtlasPoint>
  GetPoints();

private:
  class Implementation;
  std::unique_ptr<Implementation> m_Implementation;
};

} // namespace cudaneuro

#endif
