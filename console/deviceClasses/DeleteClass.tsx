import { classInput } from '#console/devices/useDeviceClass.ts';
import { ConfirmDelete } from '#console/ui/dialog/ConfirmDelete.tsx';
import { type DeviceClass, deleteDeviceClass } from '#contract/deviceClass.ts';

export function DeleteClass({ deviceClass, onClose }: { deviceClass: DeviceClass; onClose: () => void }) {
  const { projectId, id, deviceCount } = deviceClass;
  return (
    <ConfirmDelete
      noun="device class"
      endpoint={deleteDeviceClass}
      input={classInput(projectId, id)}
      leaveTo={{ to: '/projects/$projectId/device_classes', params: { projectId } }}
      onClose={onClose}
    >
      <p>
        Do you really want to delete device class <b>{id}</b>?
      </p>
      <p>
        {deviceCount > 0
          ? `It has ${deviceCount === 1 ? 'a device' : `${deviceCount.toLocaleString('en')} devices`}. Delete ${deviceCount === 1 ? 'it' : 'them'} first.`
          : 'Its schemas and key-value pairs are deleted with it.'}
      </p>
    </ConfirmDelete>
  );
}
