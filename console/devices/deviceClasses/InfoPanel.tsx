import { useCall } from '#console/core/api.ts';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { CopyText } from '#console/ui/CopyText.tsx';
import { FieldsPanel } from '#console/ui/fields/FieldsPanel.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type DeviceClass, editDeviceClass } from '#contract/deviceClass.ts';
import { deviceClassFields } from './deviceClassFields.ts';

export function InfoPanel({ deviceClass, locked }: { deviceClass: DeviceClass; locked: boolean }) {
  const { projectId, id, createdAt } = deviceClass;
  const save = useCall(editDeviceClass);
  return (
    <FieldsPanel
      title="Info"
      locked={locked}
      row={deviceClass}
      fields={deviceClassFields}
      facts={[
        ['Id', <CopyText key="id" text={id} label="Copy id" />],
        'description',
        ['Created', <TimeAgo key="created" time={createdAt} />],
      ]}
      toForm={({ description }) => ({ description })}
      send={(body, ifMatch) => save.mutateAsync({ ...classInput(projectId, id), body, ifMatch })}
      saved="Device class saved"
    />
  );
}
