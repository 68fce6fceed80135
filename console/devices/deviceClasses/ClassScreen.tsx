import type { ReactNode } from 'react';
import { ClassTabs } from '#console/devices/ClassTabs.tsx';
import { useDeviceClass } from '#console/devices/useDeviceClass.ts';
import type { MenuItem } from '#console/ui/dialog/Menu.tsx';
import { firstLine } from '#console/ui/firstLine.ts';
import { DetailScreen } from '#console/ui/screen/DetailScreen.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import type { DeviceClass } from '#contract/deviceClass.ts';
import css from './deviceClasses.module.css';

interface ClassScreenProps {
  actions?: ReactNode;
  menu?: readonly MenuItem[];
  children: (deviceClass: DeviceClass) => ReactNode;
}

/** The frame of a class's screens, except the list of its devices, which has its own frame. */
export function ClassScreen({ actions, menu, children }: ClassScreenProps) {
  const { params, read } = useDeviceClass();
  const { data, error } = read;
  if (error?.reason === 'DEVICE_CLASS_NOT_FOUND')
    return <NotFound what={`Device class ${params.classId} does not exist.`} />;
  return (
    <DetailScreen
      name={params.classId}
      // Keeps its place until the description is known: on a phone it has a line of its own.
      state={
        data?.description !== '' && (
          <span className={css.description} dir="auto">
            {firstLine(data?.description ?? '') || '\u00a0'}
          </span>
        )
      }
      tabs={<ClassTabs params={params} />}
      actions={actions}
      {...(data && menu && { menu })}
    >
      <ReadState read={read} what="The device class" skeleton={<Skeleton lines={8} />} refetchError />
      {data && children(data)}
    </DetailScreen>
  );
}
