import { Link, type LinkProps } from '@tanstack/react-router';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { DeleteUnused } from '#console/firmware/DeleteUnused.tsx';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { type ClassUse, type DeviceClass, deleteDeviceClass } from '#contract/deviceClass.ts';
import css from './deviceClasses.module.css';

interface DeleteClassProps {
  deviceClass: DeviceClass;
  onClose: () => void;
}

export function DeleteClass({ deviceClass, onClose }: DeleteClassProps) {
  const { projectId, id, deviceCount } = deviceClass;
  return (
    <DeleteUnused<typeof deleteDeviceClass, Partial<ClassUse>>
      noun="device class"
      name={id}
      endpoint={deleteDeviceClass}
      input={classInput(projectId, id)}
      leaveTo={{ to: '/projects/$projectId/device_classes', params: { projectId } }}
      use={deviceCount > 0 ? { deviceCount } : undefined}
      usedBy={use => <UsedBy projectId={projectId} classId={id} use={use} />}
      onClose={onClose}
    >
      <p>
        Do you really want to delete device class <b>{id}</b>?
      </p>
      <p>Its schemas and key-value pairs are deleted with it.</p>
    </DeleteUnused>
  );
}

interface UsedByProps {
  projectId: string;
  classId: string;
  use: Partial<ClassUse>;
}

/** What has to be deleted first, as links. */
function UsedBy({ projectId, classId, use }: UsedByProps) {
  const { deviceCount = 0, devices = [], channels = [], bundles = [], channelCount, bundleCount } = use;
  const params = { projectId };
  const lists = [
    { count: deviceCount || devices.length, noun: 'device', names: [] },
    { count: channelCount ?? 0, noun: 'channel', names: channels },
    { count: bundleCount ?? 0, noun: 'bundle', names: bundles },
  ] as const;
  const linkOf = {
    device: { to: '/projects/$projectId/device_classes/$classId/instances', params: { projectId, classId } },
    channel: { to: '/projects/$projectId/channels', params },
    bundle: { to: '/projects/$projectId/bundles', params },
  };
  return (
    <>
      <p>Delete these first:</p>
      <ul>
        {lists
          .filter(({ count }) => count > 0)
          .map(({ count, noun, names }) => (
            <li key={noun}>
              <Link className={css.inText} {...(linkOf[noun] as LinkProps)}>
                {countOf(count, noun)}
              </Link>
              {names.length > 0 && `: ${namesText(names, count)}`}
            </li>
          ))}
      </ul>
    </>
  );
}

function namesText(names: readonly { name: string }[], count: number): string {
  const listed = names.map(({ name }) => name).join(', ');
  return count > names.length ? `${listed} and ${count - names.length} more` : listed;
}
