import { Button } from '#console/ui/Button.tsx';
import { DeviceIcon, PlusIcon } from '#console/ui/icons.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';

interface NoInstancesProps {
  classId: string;
  onAdd: (() => void) | undefined;
  onImport: (() => void) | undefined;
}

export function NoInstances({ classId, onAdd, onImport }: NoInstancesProps) {
  return (
    <EmptyState
      icon={<DeviceIcon size={24} />}
      title={`No ${classId} yet`}
      action={
        onAdd && (
          <>
            <Button variant="primary" icon={<PlusIcon />} onClick={onAdd}>
              Add device
            </Button>
            <Button onClick={onImport}>Import</Button>
          </>
        )
      }
    >
      Each device has its own id and key to connect with. Add one to try it out now, or import the devices
      your factory has made.
    </EmptyState>
  );
}
