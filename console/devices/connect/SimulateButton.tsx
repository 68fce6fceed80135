import { Button } from '#console/ui/Button.tsx';
import { FormError } from '#console/ui/form/FormError.tsx';
import { WindowIcon } from '#console/ui/icons.tsx';
import { useSimulator } from './useSimulator.ts';

/** Opens the simulator as a device, from where that device is not on screen. */
export function SimulateButton({ deviceId }: { deviceId: string }) {
  const { open, opening, error } = useSimulator();
  return (
    <>
      {error && <FormError error={error} />}
      <Button icon={<WindowIcon />} busy={opening} onClick={() => void open(deviceId)}>
        Simulate a device
      </Button>
    </>
  );
}
