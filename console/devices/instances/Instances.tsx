import type { ReactNode } from 'react';
import { ClassTabs } from '#console/devices/ClassTabs.tsx';
import { useDeviceClass } from '#console/devices/useDeviceClass.ts';
import { Button } from '#console/ui/Button.tsx';
import { Bollard } from '#console/ui/drawings.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { DeviceList } from './DeviceList.tsx';

/** The devices of a class. */
export function Instances() {
  const { params, read } = useDeviceClass();
  const { projectId, classId } = params;
  if (read.error?.reason === 'DEVICE_CLASS_NOT_FOUND')
    return <NotFound what={`Device class ${classId} does not exist.`} />;
  return (
    <DeviceList
      // A selection made in one class does not carry over to another.
      key={`${projectId} ${classId}`}
      {...params}
      title={classId}
      tabs={<ClassTabs params={params} />}
      empty={ways => <NoInstances classId={classId} {...ways} />}
    />
  );
}

/** What a class without devices shows, and how to add some. */
function NoInstances({
  classId,
  add,
  onImport,
}: {
  classId: string;
  add: ReactNode;
  onImport: (() => void) | undefined;
}) {
  const ways = onImport && (
    <>
      {add}
      <Button onClick={onImport}>Import</Button>
    </>
  );
  return (
    <EmptyState icon={<Bollard />} title={`No ${classId} yet`} action={ways}>
      Each device has its own id and key to connect with. Add one to try it out now, or import the devices
      your factory has made.
    </EmptyState>
  );
}
