import { useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { useProject } from '#console/core/membership/useProject.ts';
import { type DeviceField, deviceFields } from '#console/devices/deviceFields.ts';
import { channelValue, stableChannel } from '#console/devices/deviceWords.ts';
import { useChannelChoices } from '#console/firmware/channels/useChannelChoices.ts';
import { FieldsDialog, useCreateForm } from '#console/ui/fields/FieldsDialog.tsx';
import type { FieldValues } from '#console/ui/fields/fields.ts';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { createDevice, type Device } from '#contract/device.ts';
import { readStats } from '#contract/stats.ts';
import { DeviceAdded } from './DeviceAdded.tsx';

interface AddDeviceProps {
  projectId: string;
  /** The class whose screen this is; if absent, the developer chooses a class. */
  classId: string | undefined;
  /** The class that is preselected. */
  fileClass: string | undefined;
  onAdded: (deviceId: string) => void;
  onClose: () => void;
}

/**
 * First a short form, then the key of the new device, which is shown only this once if the project keeps no readable
 * keys.
 */
export function AddDevice({ onAdded, onClose, ...given }: AddDeviceProps) {
  const [added, setAdded] = useState<Device>();
  const { data: project } = useProject();
  if (added)
    return <DeviceAdded device={added} isForgotten={project?.forgetDeviceKeys ?? false} onClose={onClose} />;
  const keep = (device: Device) => {
    setAdded(device);
    onAdded(device.id);
  };
  return <AddForm {...given} onAdded={keep} onClose={onClose} />;
}

interface AddFormProps extends Omit<AddDeviceProps, 'onAdded'> {
  onAdded: (device: Device) => void;
}

function AddForm({ projectId, classId, fileClass, onAdded, onClose }: AddFormProps) {
  const create = useCall(createDevice);
  const { data: stats } = useRead(readStats, { params: { projectId } });
  const classes = stats?.devices.map(one => one.deviceClass) ?? [];
  const [chosen, choose] = useState(fileClass);
  const deviceClass = chosen ?? classes[0] ?? '';
  const submit = async ({ tag, name, channel }: FieldValues<DeviceField>) => {
    const own = { tag: tag.trim(), name: name.trim(), channel: channelValue(channel.trim()) };
    onAdded(await create.mutateAsync({ body: { projectId, deviceClass, ...own } }));
  };
  const channels = useChannelChoices(projectId, deviceClass);
  const form = useCreateForm(deviceFields, submit, { channel: stableChannel });
  const chooseClass = (id: string) => {
    choose(id);
    // A channel belongs to one class.
    form.set('channel', stableChannel);
  };
  return (
    <FieldsDialog
      title="Add device"
      form={form}
      fields={deviceFields}
      choices={{ channel: channels }}
      onClose={onClose}
    >
      {classId === undefined && (
        <SelectField
          label="Class"
          value={deviceClass}
          onChange={chooseClass}
          options={classes.map(value => ({ value, label: value }))}
        />
      )}
    </FieldsDialog>
  );
}
