import { useId, useState } from 'react';
import { schemaExample } from '#console/devices/schema/schemaExample.ts';
import arrow from '#console/ui/Arrow.module.css';
import { jsonFault } from '#console/ui/code/jsonText.ts';
import field from '#console/ui/form/Field.module.css';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Dot } from '#console/ui/state/StatePill.tsx';
import type { DeviceClass } from '#contract/deviceClass.ts';
import css from './deviceClasses.module.css';
import { type Tried, useMessageCheck } from './useMessageCheck.ts';

/** A message as a device would send it, checked while it is typed. */
export function TryMessage({ deviceClass }: { deviceClass: DeviceClass }) {
  const kinds = kindsOf(deviceClass);
  const [chosen, setChosen] = useState('state');
  const [typed, setTyped] = useState<string>();
  const kind = kinds.find(({ value }) => value === chosen) ?? kinds[0];
  const text = typed ?? JSON.stringify(schemaExample(kind?.schema));
  const answer = useId();
  const tried = useMessageCheck(deviceClass, kind?.body ?? { kind: 'state' }, text);
  return (
    <Panel
      title="Try a message"
      action={
        kinds.length > 1 && (
          <select
            aria-label="Message"
            className={`${field.control} ${arrow.arrow} ${css.kind}`}
            value={kind?.value}
            onChange={({ target }) => {
              setChosen(target.value);
              setTyped(undefined);
            }}
          >
            {kinds.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )
      }
    >
      <div className={css.try}>
        <textarea
          className={`${field.control} ${field.mono}`}
          aria-label="Payload"
          aria-describedby={answer}
          spellCheck={false}
          rows={3}
          value={text}
          // The example follows the schema, but no longer changes once it has the focus and may be edited.
          onFocus={() => setTyped(text)}
          onChange={({ target }) => setTyped(target.value)}
        />
        <div id={answer} role="status" className={css.answer}>
          {jsonFault(text) ? <Fault text="This is not valid JSON." /> : tried && <Answer tried={tried} />}
        </div>
        <p className={css.small}>Checked as the gateway would, without sending.</p>
      </div>
    </Panel>
  );
}

interface Kind {
  value: string;
  label: string;
  body: { kind: 'state' | 'event' | 'command'; name?: string };
  schema: unknown;
}

function kindsOf({ stateSchema, eventSchemas = {}, commandSchemas = {} }: DeviceClass): Kind[] {
  const named = (kind: 'event' | 'command', schemas: Readonly<Record<string, unknown>>) =>
    Object.entries(schemas).map(([name, schema]) => ({
      value: `${kind} ${name}`,
      label: `${kind} ${name}`,
      body: { kind, name },
      schema,
    }));
  const state: Kind = { value: 'state', label: 'state', body: { kind: 'state' }, schema: stateSchema };
  return [state, ...named('event', eventSchemas), ...named('command', commandSchemas)];
}

function Answer({ tried: { hasSchema, faults } }: { tried: Tried }) {
  if (faults.length > 0) return faults.map(one => <Fault key={one.at + one.text} text={one.text} />);
  return (
    <p>
      <Dot tone="ok" /> {hasSchema ? 'Fits the schema' : 'No schema: anything is accepted'}
    </p>
  );
}

function Fault({ text }: { text: string }) {
  return (
    <p>
      <Dot tone="danger" /> {text}
    </p>
  );
}
