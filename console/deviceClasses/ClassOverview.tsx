import { useState } from 'react';
import { useActions } from '#console/actions.ts';
import { useDeviceCountsLive } from '#console/devices/useDevicesLive.ts';
import { useMay } from '#console/membership/useMay.ts';
import { useUrlState } from '#console/urlState.ts';
import { deleteDeviceClass, editDeviceClass } from '#contract/deviceClass.ts';
import { ClassScreen } from './ClassScreen.tsx';
import { DeleteClass } from './DeleteClass.tsx';
import { FiguresPanel } from './FiguresPanel.tsx';
import { InfoPanel } from './InfoPanel.tsx';
import { QuarantinePanel } from './QuarantinePanel.tsx';
import { SchemaPanel } from './SchemaPanel.tsx';
import { schemaKinds } from './schemaForm.ts';

/** What a class is, how its devices fare, and what they may say. */
export function ClassOverview() {
  const [deleting, setDeleting] = useState(false);
  const mayEdit = useMay(editDeviceClass);
  const mayDelete = useMay(deleteDeviceClass);
  const [url] = useUrlState();
  useDeviceCountsLive();
  const remove = { label: 'Delete device class', run: () => setDeleting(true) };
  useActions(mayDelete ? [remove] : []);
  return (
    <ClassScreen
      {...(mayDelete && { menu: [{ ...remove, danger: true }] })}
      side={deviceClass => (
        <>
          <InfoPanel deviceClass={deviceClass} locked={!mayEdit} />
          <FiguresPanel deviceClass={deviceClass} />
        </>
      )}
    >
      {deviceClass => (
        <>
          {(deviceClass.quarantineCount > 0 || url.device !== undefined) && (
            <QuarantinePanel deviceClass={deviceClass} />
          )}
          {schemaKinds.map(kind => (
            <SchemaPanel key={kind.field} kind={kind} deviceClass={deviceClass} locked={!mayEdit} />
          ))}
          {deleting && <DeleteClass deviceClass={deviceClass} onClose={() => setDeleting(false)} />}
        </>
      )}
    </ClassScreen>
  );
}
