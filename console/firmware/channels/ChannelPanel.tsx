import { Link } from '@tanstack/react-router';
import { useCall } from '#console/core/api.ts';
import { classFact } from '#console/firmware/firmwareFacts.tsx';
import { FieldsPanel } from '#console/ui/fields/FieldsPanel.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type Channel, editChannel } from '#contract/channel.ts';
import { channelFields } from './channelFields.ts';
import { devicesText } from './channelWords.ts';

export function ChannelPanel({ channel, locked }: { channel: Channel; locked: boolean }) {
  const { projectId, id: channelId, name, deviceClass: classId, deviceCount, createdAt } = channel;
  const save = useCall(editChannel);
  return (
    <FieldsPanel
      title="Info"
      locked={locked}
      row={channel}
      fields={channelFields}
      facts={[
        [
          'Devices',
          <Link
            key="devices"
            to="/projects/$projectId/device_classes/$classId/instances"
            params={{ projectId, classId }}
            search={{ channel: name } as never}
          >
            {devicesText(deviceCount)}
          </Link>,
        ],
        classFact(projectId, classId),
        'name',
        'description',
        ['Created', <TimeAgo key="created" time={createdAt} />],
      ]}
      toForm={({ name, description }) => ({ name, description })}
      send={({ description }, ifMatch) =>
        save.mutateAsync({
          params: { channelId },
          body: { ...(description !== undefined && { description }) },
          ifMatch,
        })
      }
      saved="Channel saved"
    />
  );
}
