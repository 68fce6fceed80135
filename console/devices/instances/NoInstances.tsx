import type { ReactNode } from 'react';
import { DeviceIcon } from '#console/ui/icons.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';

/** What a class without devices says, and how to get some. */
export function NoInstances({ classId, action }: { classId: string; action: ReactNode }) {
  return (
    <EmptyState icon={<DeviceIcon size={24} />} title={`No ${classId} yet`} action={action}>
      Each device has an id and a key of its own to connect with. Add one to try it from this desk, or import
      those that your factory made.
    </EmptyState>
  );
}
