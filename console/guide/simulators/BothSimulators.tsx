import { useMay } from '#console/core/membership/useMay.ts';
import { Button } from '#console/ui/Button.tsx';
import { WindowIcon } from '#console/ui/icons/icons.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { createTemporaryKey } from '#contract/device.ts';
import type { Project } from '#contract/project.ts';
import { useAnyApp } from './useAnyApp.ts';
import { useAppSimulator } from './useAppSimulator.ts';

interface BothSimulatorsProps {
  project: Project;
  /** Absent: not known yet. */
  deviceId: string | undefined;
}

/** Opens an app of the project and the device side by side, from a screen that shows neither. */
export function BothSimulators({ project, deviceId }: BothSimulatorsProps) {
  const maySimulate = useMay(createTemporaryKey);
  const app = useAnyApp(project.id);
  const { open, opening, error } = useAppSimulator(project);
  if (!maySimulate || app === null) return null;
  return (
    <>
      {error && <FormError error={error} />}
      <Button
        variant="primary"
        icon={<WindowIcon />}
        busy={opening}
        disabled={!app || deviceId === undefined}
        onClick={() => app && deviceId !== undefined && void open(app.id, deviceId)}
      >
        Open app and device
      </Button>
    </>
  );
}
