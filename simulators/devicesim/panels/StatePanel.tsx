import { useState } from 'react';
import { useStore } from '#console/core/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { stateDelta } from '#rules/state/stateDelta.ts';
import type { JsonObject } from '#sdk/device.ts';
import { AddProperty } from '../controls/AddProperty.tsx';
import { JsonForm } from '../controls/JsonForm.tsx';
import { StateControls } from '../controls/StateControls.tsx';
import css from '../devicesim.module.css';
import type { Simulation } from '../simulation.ts';
import { FirstReport } from './FirstReport.tsx';

/** The state of the device; changes made here are reported. */
export function StatePanel({ simulation: { state, described } }: { simulation: Simulation }) {
  const reported = useStore(state.reported);
  const desired = useStore(state.desired);
  const left = useStore(state.left);
  const [asText, setAsText] = useState(false);
  const isEmpty = Object.keys(reported).length === 0 && Object.keys(left).length === 0;
  return (
    <Panel
      title="State"
      note={desired && `desired version ${desired.version}`}
      action={
        <Button variant="quiet" aria-pressed={asText} onClick={() => setAsText(!asText)}>
          {asText ? 'As controls' : 'As JSON'}
        </Button>
      }
    >
      <div className={css.stack}>
        {asText ? (
          <JsonForm
            label="Reported state"
            value={reported}
            verb="Report"
            onSave={value => {
              state.change(patchTo(reported, value as JsonObject));
              setAsText(false);
            }}
            objectOnly
          />
        ) : isEmpty ? (
          <FirstReport described={described} onReport={patch => state.change(patch)} />
        ) : (
          <>
            <StateControls
              state={reported}
              left={left}
              onChange={patch => state.change(patch)}
              onApply={member => state.apply(member)}
            />
            <AddProperty taken={Object.keys(reported)} onAdd={patch => state.change(patch)} />
          </>
        )}
        <DesiredApplied state={state} />
      </div>
    </Panel>
  );
}

/** The switch for applying the desired state automatically. */
function DesiredApplied({ state }: { state: Simulation['state'] }) {
  const left = useStore(state.left);
  const applies = useStore(state.applies);
  return (
    <div className={css.line}>
      <span className={css.quiet}>Desired state</span>
      <Segments
        label="How desired state is applied"
        options={[
          { value: 'self', label: 'Automatically' },
          { value: 'hand', label: 'Manually' },
        ]}
        chosen={applies}
        onChange={value => state.applies.set(value)}
      />
      {applies === 'hand' && Object.keys(left).length > 0 && (
        <Button onClick={() => state.apply()}>Apply all</Button>
      )}
    </div>
  );
}

/** The merge patch that turns one object into the other: changed members, and null for removed ones. */
function patchTo(from: JsonObject, to: JsonObject): JsonObject {
  const gone = (before: JsonObject, after: JsonObject): JsonObject =>
    Object.fromEntries([
      ...Object.keys(before).flatMap(name => (Object.hasOwn(after, name) ? [] : [[name, null] as const])),
      ...Object.entries(stateDelta(before, after) as JsonObject),
    ]);
  return gone(from, to);
}
