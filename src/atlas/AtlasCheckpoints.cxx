// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasCheckpoints.h"

#include "atlas/AtlasHistory.h"
#include "atlas/checkpoints/CheckpointFiles.h"
#include "atlas/checkpoints/Checksum.h"
#include "core/ParameterText.h"
#include "cudaneuro/Error.h"

#include <algorithm>
#include <locale>
#include <sstream>

namespace cudaneuro
{

namespace
{

/** The contents of a checkpoint's list besides its images. */
struct Description
{
  CheckpointPosition       position;
  std::string              note;
  std::vector<std::string> identity;
  std::string              history;
};

std::string
ToText(const Description & description)
{
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << description.position.level << ' ' << description.position.iteration << ' ' << description.identity.size()
       << ' ' << description.note.size() << '\n'
       << description.note << '\n';
  for (const std::string & line : description.identity)
  {
    text << line << '\n';
  }
  text << description.history;
  return text.str();
}

Description
ReadDescription(const CheckpointReader & reader)
{
  Description        description;
  std::istringstream text(reader.GetDescription());
  text.imbue(std::locale::classic());
  std::size_t lines = 0;
  std::size_t bytes = 0;
  text >> description.position.level >> description.position.iteration >> lines >> bytes;
  text.get();
  description.note.resize(bytes);
  text.read(description.note.data(), static_cast<std::streamsize>(bytes));
  text.get();
  for (std::string line; description.identity.size() < lines && std::getline(text, line);)
  {
    description.identity.push_back(line);
  }
  description.history.assign(std::istreambuf_iterator<char>(text), {});
  return description;
}

} // namespace

AtlasCheckpoints::AtlasCheckpoints(const AtlasPlan & plan, DeviceGroup & group, Shares & shares, bool isFirstProcess)
  : m_Plan(plan)
  , m_Group(group)
  , m_Shares(shares)
  , m_IsFirstProcess(isFirstProcess)
{}

void
AtlasCheckpoints::Set(const AtlasCheckpoint & checkpoint)
{
  m_Checkpoint = checkpoint;
  m_Last = std::chrono::steady_clock::now();
}

bool
AtlasCheckpoints::IsDue() const
{
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - m_Last;
  return !m_Checkpoint.folder.empty() && since.count() >= m_Checkpoint.interval;
}

std::vector<std::string>
AtlasCheckpoints::Identity() const
{
  std::vector<std::string> lines;
  AppendLines(lines, m_Plan.parameters, { "TrimToBoundingBox", "MeasureEntropy" });
  lines.push_back(LineOf("size of the template", m_Plan.geometry.grid.size));
  lines.push_back(LineOf("spacing of the template", m_Plan.geometry.grid.spacing));
  lines.push_back(LineOf("origin of the template", m_Plan.geometry.origin));
  lines.push_back(LineOf("direction of the template", m_Plan.geometry.direction));
  lines.push_back(LineOf("initial template, checksum",
                         m_Plan.initialTemplate ? std::to_string(*m_Plan.initialTemplate) : std::string("none")));
  lines.push_back(LineOf("number of images", m_Plan.NumberOfImages()));
  for (const ChannelScale & scale : m_Plan.scales)
  {
    lines.push_back(LineOf("intensity that is counted as 0", scale.offset));
  }
  for (std::size_t i = 0; i < m_Checksums.size(); ++i)
  {
    const std::size_t image = i % m_Plan.weights.size();
    const std::size_t channel = i / m_Plan.weights.size();
    lines.push_back(LineOf("image " + std::to_string(image) +
                             (channel > 0 ? ", channel " + std::to_string(channel) : std::string()) +
                             ", weight and checksum",
                           m_Plan.weights[image],
                           static_cast<std::uint64_t>(m_Checksums[i])));
  }
  return lines;
}

void
AtlasCheckpoints::ExchangeChecksums(int device)
{
  const std::size_t         images = m_Plan.weights.size();
  std::vector<std::int64_t> checksums(m_Plan.NumberOfChannels() * images, 0);
  std::vector<float>        image(static_cast<std::size_t>(m_Plan.NumberOfVoxels()));
  for (Member & member : m_Shares[static_cast<std::size_t>(device)]->GetMembers())
  {
    for (std::size_t channel = 0; channel < m_Plan.NumberOfChannels(); ++channel)
    {
      m_Shares[static_cast<std::size_t>(device)]->ReadFull(member, channel, image.data());
      // Removes the scale, a mean over all images: otherwise one changed image would change all checksums.
      for (float & intensity : image)
      {
        intensity *= m_Plan.scales[channel].scale;
      }
      checksums[channel * images + static_cast<std::size_t>(member.image)] =
        static_cast<std::int64_t>(Checksum(image.data(), image.size() * sizeof(float)));
    }
  }
  m_Group.SumOnHost(device, checksums.data(), checksums.size());
  if (device == 0)
  {
    m_Checksums = checksums;
  }
}

void
AtlasCheckpoints::SaveShare(int device, int generation)
{
  AtlasShare &                   share = *m_Shares[static_cast<std::size_t>(device)];
  CheckpointWriter               writer(m_Checkpoint.folder, generation);
  const std::vector<MemberState> states = share.ReadStates();
  const auto                     values = static_cast<std::size_t>(3 * NumberOfVoxels(share.GetExtent()));
  std::vector<float>             map(values);
  std::vector<float>             velocity(values);
  for (std::size_t i = 0; i < states.size(); ++i)
  {
    Member & member = share.GetMembers()[i];
    share.ReadFields(member, map.data(), velocity.data());
    writer.WriteImage(member.image,
                      { { &states[i], sizeof(MemberState) },
                        { map.data(), values * sizeof(float) },
                        { velocity.data(), values * sizeof(float) } });
  }
}

void
AtlasCheckpoints::Save(int device, const CheckpointPosition & position, const AtlasResult & result)
{
  if (m_Checkpoint.folder.empty())
  {
    throw Error("Run", "the observer asks for a checkpoint, and SetCheckpoint has named no folder");
  }
  if (m_Checksums.empty())
  {
    // All bodies reach this point together: either all of them have the checksums of this run, or none has.
    this->ExchangeChecksums(device);
  }
  const bool   isFirst = m_IsFirstProcess && device == 0;
  std::int64_t generation = isFirst ? NextGeneration(m_Checkpoint.folder) : 0;
  m_Group.SumOnHost(device, &generation, 1);
  this->SaveShare(device, static_cast<int>(generation));
  std::int64_t written = 1;
  m_Group.SumOnHost(device, &written, 1); // waits until all images are written
  if (isFirst)
  {
    const std::string text = ToText({ position, m_Checkpoint.note, this->Identity(), WriteHistory(result) });
    CheckpointWriter(m_Checkpoint.folder, static_cast<int>(generation)).Commit(text, m_Plan.NumberOfImages());
  }
  std::int64_t committed = 1;
  m_Group.SumOnHost(device, &committed, 1);
  if (device == 0)
  {
    m_Last = std::chrono::steady_clock::now();
  }
}

void
AtlasCheckpoints::RequireSameAtlas(const std::string & folder, const std::vector<std::string> & identity) const
{
  const std::vector<std::string> own = this->Identity();
  for (std::size_t i = 0; i < std::max(own.size(), identity.size()); ++i)
  {
    const std::string ofCheckpoint = i < identity.size() ? identity[i] : "nothing";
    const std::string ofAtlas = i < own.size() ? own[i] : "nothing";
    if (ofCheckpoint != ofAtlas)
    {
      std::ostringstream reason;
      reason << "the checkpoint in " << folder << " is of another atlas, or of images that were resampled on another "
             << "kind of device: it has \"" << ofCheckpoint << "\" where this one has \"" << ofAtlas << '"';
      throw Error("Resume", reason.str());
    }
  }
}

CheckpointPosition
AtlasCheckpoints::Load(const std::string & folder, AtlasResult & result)
{
  m_Group.Run([this](int device) { this->ExchangeChecksums(device); });
  const CheckpointReader   reader(folder);
  const Description        description = ReadDescription(reader);
  const CheckpointPosition position = description.position;
  this->RequireSameAtlas(folder, description.identity);
  ReadHistory(description.history, result);
  m_Group.Run([&](int device) {
    AtlasShare & share = *m_Shares[static_cast<std::size_t>(device)];
    share.BeginLevel(position.level);
    const auto               values = static_cast<std::size_t>(3 * NumberOfVoxels(share.GetExtent()));
    std::vector<float>       map(values);
    std::vector<float>       velocity(values);
    std::vector<MemberState> states(share.GetMembers().size());
    for (std::size_t i = 0; i < states.size(); ++i)
    {
      Member & member = share.GetMembers()[i];
      reader.ReadImage(member.image,
                       { { &states[i], sizeof(MemberState) },
                         { map.data(), values * sizeof(float) },
                         { velocity.data(), values * sizeof(float) } });
      share.WriteFields(member, map.data(), velocity.data());
    }
    share.MakeTemplate();
    share.WriteStates(states); // the step for the template's images has changed them
  });
  return position;
}

std::string
AtlasCheckpoints::ReadNote(const std::string & folder)
{
  return ReadDescription(CheckpointReader(folder)).note;
}

} // namespace cudaneuro
