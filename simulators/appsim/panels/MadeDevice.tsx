import { Button, buttonClass } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import css from './panels.module.css';

/** A device that was created on demand, with its key. */
export interface Made {
  id: string;
  apiKey: string;
  homeName: string;
}

/** The id and key of a new device, to be passed to the hardware, or to the device simulator. */
export function MadeDevice({ made, onDone }: { made: Made; onDone: () => void }) {
  return (
    <div className={css.form}>
      <p className={css.quiet}>
        The device is in {made.homeName}. Pass its id and key to the hardware; the key is not shown again.
      </p>
      <CopyText text={made.id} label="Copy device id" />
      <CopyText text={made.apiKey} shown="•••• key" label="Copy key" />
      <div className={css.line}>
        <a
          className={buttonClass('primary')}
          href={`/devicesim/?${new URLSearchParams({ deviceId: made.id, apiKey: made.apiKey })}`}
          target="_blank"
          rel="noopener"
        >
          Simulate it
        </a>
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}
