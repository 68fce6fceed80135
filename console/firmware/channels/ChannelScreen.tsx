import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { ChannelRollouts } from '#console/firmware/rollouts/ChannelRollouts.tsx';
import { buttonClass } from '#console/ui/Button.tsx';
import { DetailScreen } from '#console/ui/screen/DetailScreen.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { type Channel, deleteChannel, editChannel, readChannel } from '#contract/channel.ts';
import { tryRollout } from '#contract/rolloutReport.ts';
import { ChannelPanel } from './ChannelPanel.tsx';
import { ChannelTarget } from './ChannelTarget.tsx';
import css from './channels.module.css';
import { DeleteChannel } from './DeleteChannel.tsx';

/** One channel: the bundle it points at, who follows it, and its history. */
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

function OneChannel({ channel }: { channel: Channel }) {
  const { projectId, id: channelId, name, deviceClass } = channel;
  const [deleting, setDeleting] = useState(false);
  const mayEdit = useMay(editChannel);
  const mayTry = useMay(tryRollout);
  const mayDelete = useMay(deleteChannel);
  const remove = { label: 'Delete channel', run: () => setDeleting(true) };
  useActions(mayDelete ? [remove] : []);
  return (
    <DetailScreen
      name={name}
      id={channelId}
      state={<span className={css.quiet}>{deviceClass}</span>}
      actions={
        (mayEdit || mayTry) && (
          <Link
            to="/projects/$projectId/channels/$channelId/bundle"
            params={{ projectId, channelId }}
            className={buttonClass(mayEdit ? 'primary' : undefined)}
          >
            {mayEdit ? 'Change bundle' : 'Try out a change'}
          </Link>
        )
      }
      {...(mayDelete && { menu: [{ ...remove, danger: true }] })}
      side={<ChannelPanel channel={channel} locked={!mayEdit} />}
    >
      <ChannelTarget channel={channel} />
      <ChannelRollouts projectId={projectId} channelId={channelId} />
      {deleting && <DeleteChannel channel={channel} onClose={() => setDeleting(false)} />}
    </DetailScreen>
  );
}
