import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useDeviceCountsLive } from '#console/core/live/useDevicesLive.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { NumbersPanel } from '#console/devices/stateHistory/NumbersPanel.tsx';
import { buttonClass } from '#console/ui/Button.tsx';
import { PlusIcon } from '#console/ui/icons/icons.tsx';
import { createDevice } from '#contract/device.ts';
import { type DeviceClass, deleteDeviceClass, editDeviceClass } from '#contract/deviceClass.ts';
import { ClassScreen } from './ClassScreen.tsx';
import { DeleteClass } from './DeleteClass.tsx';
import css from './deviceClasses.module.css';
import { FiguresPanel } from './FiguresPanel.tsx';
import { InfoPanel } from './InfoPanel.tsx';
import { QuarantineCauses } from './QuarantineCauses.tsx';
import { QuarantinePanel } from './QuarantinePanel.tsx';
import { CompareRevisions } from './revisions/CompareRevisions.tsx';
import { SchemaSection } from './schema/SchemaSection.tsx';
import { TryMessage } from './TryMessage.tsx';
import { UpdatesPanel } from './UpdatesPanel.tsx';

/** What the devices of a class send, how they are doing, and which messages violated a schema. */
export function ClassOverview() {
  const [deleting, setDeleting] = useState(false);
  const mayEdit = useMay(editDeviceClass);
  const mayDelete = useMay(deleteDeviceClass);
  const mayAdd = useMay(createDevice);
  useDeviceCountsLive();
  const remove = { label: 'Delete device class', run: () => setDeleting(true) };
  useActions(mayDelete ? [remove] : []);
  return (
    <ClassScreen
      actions={mayAdd && <AddDeviceLink />}
      {...(mayDelete && { menu: [{ ...remove, danger: true }] })}
    >
      {deviceClass => (
        <div className={css.overview}>
          <SchemaSection deviceClass={deviceClass} locked={!mayEdit} />
          <div className={css.three}>
            <FiguresPanel deviceClass={deviceClass} />
            <QuarantineCauses deviceClass={deviceClass} />
            <TryMessage deviceClass={deviceClass} />
          </div>
          <NumbersPanel
            source={{ projectId: deviceClass.projectId, classId: deviceClass.id }}
            schema={deviceClass.stateSchema}
          />
          <Messages deviceClass={deviceClass} />
          <div className={css.two}>
            <InfoPanel deviceClass={deviceClass} locked={!mayEdit} />
            <UpdatesPanel deviceClass={deviceClass} locked={!mayEdit} />
          </div>
          <CompareRevisions deviceClass={deviceClass} />
          {deleting && <DeleteClass deviceClass={deviceClass} onClose={() => setDeleting(false)} />}
        </div>
      )}
    </ClassScreen>
  );
}

function AddDeviceLink() {
  const params = useParams({ from: '/shell/projects/$projectId/device_classes/$classId' });
  return (
    <Link
      to="/projects/$projectId/device_classes/$classId/instances"
      params={params}
      hash="new"
      className={buttonClass('plain')}
    >
      <PlusIcon />
      Add device
    </Link>
  );
}

/** The messages in quarantine, on request: all, or those of one device. */
function Messages({ deviceClass }: { deviceClass: DeviceClass }) {
  const [{ quarantine, device }] = useUrlState();
  const isWanted = device !== undefined || (quarantine === 'all' && deviceClass.quarantineCount > 0);
  return isWanted && <QuarantinePanel deviceClass={deviceClass} />;
}
