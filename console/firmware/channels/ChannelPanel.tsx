import { useCall } from '#console/core/api.ts';
import { classFact } from '#console/firmware/firmwareFacts.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { FieldsPanel } from '#console/ui/fields/FieldsPanel.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type Channel, editChannel } from '#contract/channel.ts';
import { channelFields } from './channelFields.ts';

export function ChannelPanel({ channel, locked }: { channel: Channel; locked: boolean }) {
  const { projectId, id: channelId, deviceClass: classId, createdAt } = channel;
  const save = useCall(editChannel);
  return (
    <FieldsPanel
      title="Info"
      locked={locked}
      row={channel}
      fields={channelFields}
      facts={[
        classFact(projectId, classId),
        'name',
        'description',
        ['Channel id', <CopyText key="id" text={channelId} label="Copy id" />],
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
