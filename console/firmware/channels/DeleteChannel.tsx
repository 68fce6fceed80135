import { DeleteUnused } from '#console/firmware/DeleteUnused.tsx';
import { type Channel, deleteChannel } from '#contract/channel.ts';
import css from './channels.module.css';
import { devicesText } from './channelWords.ts';
import { DevicesLink } from './DevicesLink.tsx';

interface Use {
  deviceCount?: number;
}

export function DeleteChannel({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { projectId, id: channelId, name, deviceClass, deviceCount } = channel;
  return (
    <DeleteUnused<typeof deleteChannel, Use>
      noun="channel"
      name={name}
      endpoint={deleteChannel}
      input={{ params: { channelId } }}
      leaveTo={{ to: '/projects/$projectId/channels', params: { projectId } }}
      use={deviceCount > 0 ? { deviceCount } : undefined}
      usedBy={use => <Followers channel={channel} count={use.deviceCount ?? deviceCount} />}
      onClose={onClose}
    >
      <p>
        Do you really want to delete channel <b>{name}</b> of {deviceClass}?
      </p>
      <p>No device follows it. Its finished rollouts are deleted with it.</p>
    </DeleteUnused>
  );
}

function Followers({ channel, count }: { channel: Channel; count: number }) {
  return (
    <p>
      <DevicesLink channel={channel} className={css.inText}>
        {devicesText(count)}
      </DevicesLink>{' '}
      {count === 1 ? 'follows' : 'follow'} it. Move {count === 1 ? 'it' : 'them'} to another channel first.
    </p>
  );
}
