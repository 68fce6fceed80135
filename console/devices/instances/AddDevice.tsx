import { useState } from 'react';
import { useCall } from '#console/api.ts';
import { channelValue, stableChannel } from '#console/devices/deviceWords.ts';
import { useProject } from '#console/membership/useProject.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { createDevice, type Device } from '#contract/device.ts';
import { chosenIdPattern, idMax } from '#rules/chosenId.ts';
import { DeviceAdded } from './DeviceAdded.tsx';

interface AddDeviceProps {
  params: { projectId: string; classId: string };
  onAdded: (device: Device) => void;
  onClose: () => void;
}

/** First the few words about it, then its key, which where keys are forgotten is shown this once. */
export function AddDevice({ params, onAdded, onClose }: AddDeviceProps) {
  const [added, setAdded] = useState<Device>();
  const { data: project } = useProject();
  if (added)
    return <DeviceAdded device={added} isForgotten={project?.forgetDeviceKeys ?? false} onClose={onClose} />;
  const keep = (device: Device) => {
    setAdded(device);
    onAdded(device);
  };
  return <AddForm params={params} onAdded={keep} onClose={onClose} />;
}

function AddForm({ params, onAdded, onClose }: AddDeviceProps) {
  const create = useCall(createDevice);
  const form = useForm({
    initial: { tag: '', name: '', channel: stableChannel },
    check: ({ channel }) => (chosenIdPattern.test(channel.trim()) ? {} : { channel: 'INVALID_FORMAT' }),
    async submit({ tag, name, channel }) {
      const body = {
        projectId: params.projectId,
        deviceClass: params.classId,
        tag: tag.trim(),
        name: name.trim(),
        channel: channelValue(channel.trim()),
      };
      onAdded(await create.mutateAsync({ body }));
    },
  });
  return (
    <CreateDialog title="Add device" form={form} onClose={onClose}>
      <TextField
        label="Tag"
        mono
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        placeholder="hall-01"
        hint="Your own label, such as a serial number or location. Use it to find the device."
        {...form.field('tag')}
      />
      <TextField
        label="Name (optional)"
        maxLength={200}
        autoComplete="off"
        dir="auto"
        hint="A readable name."
        {...form.field('name')}
      />
      <TextField
        label="Channel"
        mono
        maxLength={idMax}
        autoComplete="off"
        spellCheck={false}
        hint="Where its firmware comes from; stable by default."
        {...form.field('channel')}
      />
    </CreateDialog>
  );
}
