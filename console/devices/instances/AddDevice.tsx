import { useState } from 'react';
import { useCall } from '#console/api.ts';
import { type DeviceField, deviceFields } from '#console/devices/deviceFields.ts';
import { channelValue, stableChannel } from '#console/devices/deviceWords.ts';
import { useProject } from '#console/membership/useProject.ts';
import { FieldsDialog, useCreateForm } from '#console/ui/fields/FieldsDialog.tsx';
import type { FieldValues } from '#console/ui/fields/fields.ts';
import { createDevice, type Device } from '#contract/device.ts';
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

function AddForm({ params: { projectId, classId }, onAdded, onClose }: AddDeviceProps) {
  const create = useCall(createDevice);
  const submit = async ({ tag, name, channel }: FieldValues<DeviceField>) => {
    const own = { tag: tag.trim(), name: name.trim(), channel: channelValue(channel.trim()) };
    onAdded(await create.mutateAsync({ body: { projectId, deviceClass: classId, ...own } }));
  };
  const form = useCreateForm(deviceFields, submit, { channel: stableChannel });
  return <FieldsDialog title="Add device" form={form} fields={deviceFields} onClose={onClose} />;
}
