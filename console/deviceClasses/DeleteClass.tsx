import { useNavigate } from '@tanstack/react-router';
import { call, invalidate } from '#console/api.ts';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { type DeviceClass, deleteDeviceClass } from '#contract/deviceClass.ts';

interface DeleteClassProps {
  params: { projectId: string; classId: string };
  deviceClass: DeviceClass;
  onClose: () => void;
}

export function DeleteClass({ params: { projectId, classId }, deviceClass, onClose }: DeleteClassProps) {
  const navigate = useNavigate();
  const { deviceCount } = deviceClass;

  /** The screen is left first: what it shows is no longer there to be read again. */
  async function remove() {
    await call(deleteDeviceClass, classInput(projectId, classId));
    await navigate({ to: '/projects/$projectId/device_classes', params: { projectId }, replace: true });
    void invalidate(deleteDeviceClass, { classId });
    toast('Device class deleted');
  }

  return (
    <Confirm title="Delete device class" verb="Delete device class" onConfirm={remove} onClose={onClose}>
      <p>
        Do you really want to delete device class <b>{classId}</b>?
      </p>
      <p>
        {deviceCount > 0
          ? `It has ${deviceCount === 1 ? 'a device' : `${deviceCount.toLocaleString('en')} devices`}. Delete ${deviceCount === 1 ? 'it' : 'them'} first.`
          : 'Its schemas and key-value pairs are deleted with it.'}
      </p>
    </Confirm>
  );
}
