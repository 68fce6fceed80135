import { Link } from '@tanstack/react-router';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { Button } from '#console/ui/Button.tsx';
import { ConfirmDelete } from '#console/ui/dialog/ConfirmDelete.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { type DeviceClass, deleteDeviceClass } from '#contract/deviceClass.ts';
import css from './deviceClasses.module.css';

interface DeleteClassProps {
  deviceClass: DeviceClass;
  onClose: () => void;
}

export function DeleteClass({ deviceClass, onClose }: DeleteClassProps) {
  const { projectId, id, deviceCount } = deviceClass;
  if (deviceCount > 0) return <DeleteDevicesFirst deviceClass={deviceClass} onClose={onClose} />;
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
      <p>Its schemas and key-value pairs are deleted with it.</p>
    </ConfirmDelete>
  );
}

/** No button is offered that could not work. */
function DeleteDevicesFirst({ deviceClass, onClose }: DeleteClassProps) {
  const { projectId, id: classId, deviceCount } = deviceClass;
  const devices = deviceCount === 1 ? 'its device' : `its ${deviceCount.toLocaleString('en')} devices`;
  return (
    <Dialog title="Delete device class" onClose={onClose}>
      <DialogBody>
        <p>
          <b>{classId}</b> cannot be deleted while it has devices. Delete{' '}
          <Link
            className={css.inText}
            to="/projects/$projectId/device_classes/$classId/instances"
            params={{ projectId, classId }}
          >
            {devices}
          </Link>{' '}
          first.
        </p>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
      </DialogFooter>
    </Dialog>
  );
}
