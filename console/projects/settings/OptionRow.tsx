import type { ReactNode } from 'react';
import { Toggle } from '#console/ui/form/Toggle.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import css from './settings.module.css';

interface OptionRowProps {
  name: string;
  /** Its effect at run time, in one sentence. */
  effect: ReactNode;
  on: boolean;
  /** Its states, if it is not simply on or off. */
  words?: readonly [on: string, off: string] | undefined;
  /** The option takes away what its name says. */
  isReversed?: boolean | undefined;
  /** Absent: read-only. */
  onChange?: ((on: boolean) => void) | undefined;
}

/** A project option, shown as ENABLED or DISABLED, or in words of its own. */
export function OptionRow({ name, effect, on, words, isReversed = false, onChange }: OptionRowProps) {
  const isOn = on !== isReversed;
  return (
    <div className={css.option}>
      <div>
        <b>{name}</b>
        <p>{effect}</p>
      </div>
      {onChange ? (
        <Toggle
          label={name}
          on={isOn}
          onChange={isOnNow => onChange(isOnNow !== isReversed)}
          {...(words && { words })}
        />
      ) : (
        <OnOff on={isOn} words={words} />
      )}
    </div>
  );
}

interface OnOffProps {
  on: boolean;
  words?: readonly [on: string, off: string] | undefined;
}

export function OnOff({ on, words = ['ENABLED', 'DISABLED'] }: OnOffProps) {
  return <StatePill shape="plain" tone={on ? 'ok' : 'off'} word={words[on ? 0 : 1]} />;
}
