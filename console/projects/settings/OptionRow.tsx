import type { ReactNode } from 'react';
import { Toggle } from '#console/ui/form/Toggle.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import css from './settings.module.css';

interface OptionRowProps {
  name: string;
  /** Its effect at run time, in one sentence. */
  effect: ReactNode;
  on: boolean;
  /** Absent: read-only. */
  onChange?: ((on: boolean) => void) | undefined;
}

/** A project option, shown as ENABLED or DISABLED. */
export function OptionRow({ name, effect, on, onChange }: OptionRowProps) {
  return (
    <div className={css.option}>
      <div>
        <b>{name}</b>
        <p>{effect}</p>
      </div>
      {onChange ? <Toggle label={name} on={on} onChange={onChange} /> : <OnOff on={on} />}
    </div>
  );
}

export function OnOff({ on }: { on: boolean }) {
  return <StatePill shape="plain" tone={on ? 'ok' : 'off'} word={on ? 'ENABLED' : 'DISABLED'} />;
}
