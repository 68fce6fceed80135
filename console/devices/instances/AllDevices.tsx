import { Link, useParams } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { DevicesTabs } from '#console/devices/DevicesTabs.tsx';
import { buttonClass } from '#console/ui/Button.tsx';
import { Bollard } from '#console/ui/drawings.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { readStats } from '#contract/stats.ts';
import { DeviceList } from './DeviceList.tsx';

/** Every device of the project, of all classes. */
export function AllDevices() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId' });
  const { data: stats } = useRead(readStats, { params: { projectId } });
  const hasNoClass = stats?.devices.length === 0;
  return (
    <DeviceList
      key={projectId}
      projectId={projectId}
      title="Devices"
      tabs={<DevicesTabs projectId={projectId} />}
      empty={({ add }) =>
        hasNoClass ? (
          <EmptyState
            icon={<Bollard />}
            title="Start with a device class"
            action={
              <Link
                to="/projects/$projectId/device_classes"
                params={{ projectId }}
                hash="new"
                className={buttonClass('primary')}
              >
                Create device class
              </Link>
            }
          >
            A class is one kind of device you make: its devices share schemas, config and firmware. Next, add
            devices to it.
          </EmptyState>
        ) : (
          <EmptyState icon={<Bollard />} title="No devices yet" action={add}>
            Each device has its own id and key to connect with. Add one to try it out now, or import the
            devices your factory has made into their class.
          </EmptyState>
        )
      }
    />
  );
}
