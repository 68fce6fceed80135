import { type KeyboardEvent, useId, useState } from 'react';
import { useCall } from '#console/core/api.ts';
import { showNotSaved } from '#console/core/submit/notSaved.ts';
import { useIsHere } from '#console/core/useIsHere.ts';
import type { SchemaProperty } from '#console/devices/schema/schemaProperties.ts';
import { rangeText } from '#console/devices/schema/schemaWords.ts';
import { ValueControl } from '#console/devices/schema/ValueControl.tsx';
import { readValue, typedFault, valueText } from '#console/devices/schema/valueText.ts';
import { Button } from '#console/ui/Button.tsx';
import { UnsavedChangesGuard } from '#console/ui/dialog/UnsavedChangesGuard.tsx';
import { CallFailed } from '#contract/client.ts';
import { type DeviceState, writeDesired } from '#contract/deviceState.ts';
import css from './state.module.css';
import { type StateRow, withDesired } from './stateRows.ts';

interface DesiredCellProps {
  deviceId: string;
  state: DeviceState;
  row: StateRow;
  property: SchemaProperty | undefined;
  onClose: () => void;
}

/**
 * Edits one desired value in its cell: Enter sets it, Esc cancels, and an empty field removes it from the desired
 * state.
 */
export function DesiredCell({ deviceId, state, row, property, onClose }: DesiredCellProps) {
  const schema = property?.schema ?? {};
  const write = useCall(writeDesired);
  const isHere = useIsHere();
  const hint = useId();
  // The state when editing began: someone else may set the same value meanwhile.
  const [begun] = useState(state);
  const [atFirst] = useState(() => valueText(schema, parsed(row.desired ?? row.reported)));
  const [text, setText] = useState(atFirst);
  const [fault, setFault] = useState<string>();

  async function set() {
    const value = text.trim() === '' ? undefined : readValue(schema, text);
    const found = value !== undefined && typedFault(schema, text);
    if (found) return setFault(`${row.path} ${found}`);
    const desired = withDesired(begun.desired, row.keys, value) as never;
    try {
      await write.mutateAsync({ params: { deviceId }, body: { desired }, ifMatch: begun.revision });
      onClose();
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      if (isHere()) setFault(sentenceOf(error));
      else showNotSaved(error);
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the control inside handles the keys
    <div className={css.cell} onKeyDown={onKeys(() => void set(), onClose)}>
      <ValueControl
        label={`Desired ${row.path}`}
        schema={schema}
        text={text}
        isFaulty={fault !== undefined}
        describedBy={hint}
        autoFocus
        onChange={next => {
          setText(next);
          setFault(undefined);
        }}
      />
      <UnsavedChangesGuard dirty={text !== atFirst} saving={write.isPending} />
      <Button variant="primary" busy={write.isPending} onClick={() => void set()}>
        Set
      </Button>
      <Button variant="quiet" onClick={onClose}>
        Cancel
      </Button>
      <span id={hint} className={css.hint} role={fault ? 'alert' : undefined} data-fault={fault && true}>
        {fault ?? rangeText(schema)}
      </span>
    </div>
  );
}

/** Enter sets the value unless a button has the focus; Esc cancels, and does nothing else on the page. */
function onKeys(set: () => void, close: () => void) {
  return (event: KeyboardEvent) => {
    const isOnButton = event.target instanceof HTMLButtonElement;
    if (event.key !== 'Escape' && (event.key !== 'Enter' || isOnButton)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') set();
    else close();
  };
}

function parsed(json: string | undefined): unknown {
  return json === undefined ? undefined : JSON.parse(json);
}

function sentenceOf({ reason, message, context }: CallFailed): string {
  const [fault] = (context as { faults?: { at: string; text: string }[] } | undefined)?.faults ?? [];
  if (reason === 'SCHEMA_BROKEN' && fault) return fault.text;
  return message;
}
