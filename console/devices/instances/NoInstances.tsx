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
      Each device has an id and a key of its own to connect with. Add one to try it from this desk, or import
      those that your factory made.
    </EmptyState>
  );
}
