import { Button } from '#console/ui/Button.tsx';
import { Toggle } from '#console/ui/form/Toggle.tsx';
import { Dot } from '#console/ui/state/StatePill.tsx';
import { isObject } from '#rules/json/mergePatch.ts';
import type { Json, JsonObject } from '#sdk/device.ts';
import css from '../devicesim.module.css';
import { NumberControl } from './NumberControl.tsx';
import { TextControl } from './TextControl.tsx';

interface StateControlsProps {
  state: JsonObject;
  /** The part of the state that is desired differently (the delta). */
  left: JsonObject;
  onChange: (patch: JsonObject) => void;
  /** Applies the desired value of one member; only at the top level. */
  onApply?: (member: string) => void;
}

/** A control for each member, chosen by its current value. */
export function StateControls({ state, left, onChange, onApply }: StateControlsProps) {
  const names = [...new Set([...Object.keys(state), ...Object.keys(left)])];
  return (
    <>
      {names.map(name => {
        const value = state[name];
        const change = (next: Json) => onChange(Object.fromEntries([[name, next]]));
        const wanted = Object.hasOwn(left, name) ? left[name] : undefined;
        if (isObject(value))
          return (
            <fieldset key={name} className={css.group}>
              <legend>{name}</legend>
              <StateControls
                state={value as JsonObject}
                left={isObject(wanted) ? (wanted as JsonObject) : {}}
                onChange={change}
              />
              {onApply && wanted !== undefined && <Wanted value={wanted} onApply={() => onApply(name)} />}
            </fieldset>
          );
        return (
          <div key={name} className={css.member}>
            <span className={css.memberName}>{name}</span>
            {value === undefined ? (
              <span className={css.quiet}>not reported</span>
            ) : (
              <Control name={name} value={value} onChange={change} />
            )}
            {onApply && wanted !== undefined && <Wanted value={wanted} onApply={() => onApply(name)} />}
          </div>
        );
      })}
    </>
  );
}

function Control({ name, value, onChange }: { name: string; value: Json; onChange: (value: Json) => void }) {
  if (typeof value === 'boolean')
    return <Toggle label={name} on={value} onChange={onChange} words={['true', 'false']} />;
  if (typeof value === 'number') return <NumberControl name={name} value={value} onChange={onChange} />;
  return <TextControl name={name} value={value} onChange={onChange} />;
}

function Wanted({ value, onApply }: { value: Json | undefined; onApply: () => void }) {
  return (
    <span className={css.wanted}>
      <Dot tone="warn" />
      <span>desired</span>
      <code>{value === null ? 'gone' : JSON.stringify(value)}</code>
      <Button variant="quiet" onClick={onApply}>
        Apply
      </Button>
    </span>
  );
}
