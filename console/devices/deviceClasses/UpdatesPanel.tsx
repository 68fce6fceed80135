import { useCall } from '#console/core/api.ts';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { FieldsPanel } from '#console/ui/fields/FieldsPanel.tsx';
import { type DeviceClass, editDeviceClass } from '#contract/deviceClass.ts';
import {
  downloadChoices,
  minutesNames,
  minutesText,
  toUpdateBody,
  toUpdateForm,
  updateFields,
} from './updateFields.ts';

/** The settings for firmware updates of the devices of a class. */
export function UpdatesPanel({ deviceClass, locked }: { deviceClass: DeviceClass; locked: boolean }) {
  const { projectId, id } = deviceClass;
  const save = useCall(editDeviceClass);
  return (
    <FieldsPanel
      title="Firmware updates"
      note="while connected"
      locked={locked}
      editKey={false}
      row={deviceClass}
      fields={updateFields}
      facts={[
        ...minutesNames.map(name => [updateFields[name].label, minutesText(deviceClass[name])] as const),
        'sendsDeltas',
      ]}
      useChoices={() => ({ sendsDeltas: Object.values(downloadChoices) })}
      toForm={toUpdateForm}
      send={(changed, ifMatch) =>
        save.mutateAsync({ ...classInput(projectId, id), body: toUpdateBody(changed), ifMatch })
      }
      saved="Firmware updates saved"
    />
  );
}
