import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { WaysOut } from '#console/firmware/rollouts/acts/WaysOut.tsx';
import { GatesPanel } from '#console/firmware/rollouts/gates/GatesPanel.tsx';
import { isMoving, rolloutPollMs } from '#console/firmware/rollouts/isMoving.ts';
import { asRow, RolloutPill } from '#console/firmware/rollouts/RolloutPill.tsx';
import { buttonClass } from '#console/ui/Button.tsx';
import { DetailScreen } from '#console/ui/screen/DetailScreen.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { type Channel, deleteChannel, editChannel, readChannel } from '#contract/channel.ts';
import { type ChannelFirmware, readChannelFirmware } from '#contract/channelFirmware.ts';
import { type Rollout, readRollout } from '#contract/rollout.ts';
import { readRolloutReport, tryRollout } from '#contract/rolloutReport.ts';
import { ChannelPanel } from './ChannelPanel.tsx';
import css from './channels.module.css';
import { devicesText } from './channelWords.ts';
import { DeleteChannel } from './DeleteChannel.tsx';
import { DevicesLink } from './DevicesLink.tsx';
import { BundleBand } from './firmware/BundleBand.tsx';
import { ChannelPill } from './firmware/ChannelPill.tsx';
import { ChannelRuns } from './firmware/ChannelRuns.tsx';
import { OffTargetPanel } from './firmware/OffTargetPanel.tsx';
import { RolloutBand } from './firmware/RolloutBand.tsx';

/** One channel: what its devices run, the rollout that changes it, who is off target and why, and what it ran before. */
export function ChannelScreen() {
  const { projectId, channelId } = useParams({ from: '/shell/projects/$projectId/channels/$channelId' });
  const read = useRead(readChannel, { params: { channelId } });
  const { data, error } = read;
  if (error?.reason === 'CHANNEL_NOT_FOUND' || (data && data.projectId !== projectId))
    return <NotFound what={`Channel ${channelId} does not exist.`} />;
  if (!data) return <ReadState read={read} what="The channel" />;
  return (
    <>
      <ReadState read={read} what="The channel" refetchError />
      <OneChannel channel={data} />
    </>
  );
}

/** Devices may still be updating after an edit of the channel. */
const idlePollMs = 15_000;

function OneChannel({ channel }: { channel: Channel }) {
  const { id: channelId, name, rolloutId } = channel;
  const [deleting, setDeleting] = useState(false);
  const mayEdit = useMay(editChannel);
  // What cannot work now is not offered.
  const isFree = rolloutId === undefined;
  const mayDelete = useMay(deleteChannel) && isFree;
  const remove = { label: 'Delete channel', run: () => setDeleting(true) };
  useActions(mayDelete ? [remove] : []);
  const rolloutRead = useRead(
    readRollout,
    { params: { rolloutId: rolloutId ?? '' } },
    { enabled: !isFree, refetchInterval: last => isMoving(last) && rolloutPollMs },
  );
  const rollout = isFree ? undefined : rolloutRead.data;
  const read = useRead(
    readChannelFirmware,
    { params: { channelId } },
    {
      refetchInterval: last =>
        isMoving(rollout) ? 2 * rolloutPollMs : (last?.devices.updating ?? 0) > 0 && idlePollMs,
    },
  );
  return (
    <DetailScreen
      name={name}
      state={<Beside channel={channel} rollout={rollout} firmware={read.data} />}
      actions={
        <>
          <DevicesLink channel={channel} className={buttonClass()}>
            Devices
          </DevicesLink>
          {isFree && <RollOutAnother channel={channel} />}
        </>
      }
      above={
        isFree ? (
          <BundleBand channel={channel} read={read} />
        ) : rollout ? (
          <RolloutBand key={rollout.id} rollout={rollout} read={read} />
        ) : (
          <ReadState read={rolloutRead} what="The rollout" />
        )
      }
      {...(mayDelete && { menu: [{ ...remove, danger: true }] })}
      side={
        <>
          {rollout && <RolloutSide rollout={rollout} />}
          <ChannelPanel channel={channel} locked={!mayEdit} />
        </>
      }
    >
      <OffTargetPanel channel={channel} count={read.data?.offTarget} />
      <ChannelRuns channel={channel} />
      {deleting && <DeleteChannel channel={channel} onClose={() => setDeleting(false)} />}
    </DetailScreen>
  );
}

interface BesideProps {
  channel: Channel;
  rollout: Rollout | undefined;
  firmware: ChannelFirmware | undefined;
}

/** Who follows it, and how it stands. */
function Beside({ channel, rollout, firmware }: BesideProps) {
  const { projectId, deviceClass: classId, deviceCount } = channel;
  return (
    <>
      <span className={css.followers}>
        <span>{devicesText(deviceCount)} of class</span>
        <Link to="/projects/$projectId/device_classes/$classId/overview" params={{ projectId, classId }}>
          {classId}
        </Link>
      </span>
      {rollout ? (
        <RolloutPill rollout={asRow(rollout)} />
      ) : (
        channel.rolloutId === undefined && <ChannelPill channel={channel} firmware={firmware} />
      )}
    </>
  );
}

/** What may pause the rollout, and what a person can do. */
function RolloutSide({ rollout }: { rollout: Rollout }) {
  const read = useRead(
    readRolloutReport,
    { params: { rolloutId: rollout.id } },
    { refetchInterval: isMoving(rollout) && 2 * rolloutPollMs },
  );
  return (
    <>
      <GatesPanel rollout={rollout} read={read} />
      <WaysOut rollout={rollout} />
    </>
  );
}

function RollOutAnother({ channel: { projectId, id: channelId, bundleId } }: { channel: Channel }) {
  const mayEdit = useMay(editChannel);
  const mayTry = useMay(tryRollout);
  if (!mayEdit && !mayTry) return null;
  const another = bundleId === undefined ? 'Roll out a bundle' : 'Roll out another bundle';
  return (
    <Link
      to="/projects/$projectId/channels/$channelId/bundle"
      params={{ projectId, channelId }}
      className={buttonClass(mayEdit ? 'primary' : undefined)}
    >
      {mayEdit ? another : 'Try out a change'}
    </Link>
  );
}
