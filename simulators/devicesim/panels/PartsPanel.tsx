import { useState } from 'react';
import { useStore } from '#console/core/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import type { EntityFrame } from '#contract/deviceProtocol.ts';
import { isObject } from '#rules/json/mergePatch.ts';
import { JsonForm } from '../controls/JsonForm.tsx';
import css from '../devicesim.module.css';
import type { Simulation } from '../simulation.ts';

/** The entities of the device, which are always reported as a whole. */
export function PartsPanel({ simulation }: { simulation: Simulation }) {
  const entities = useStore(simulation.entities);
  const [editing, setEditing] = useState(false);

  function add() {
    const number = entities.length + 1;
    simulation.reportEntities([...entities, { name: `lamp-${number}`, class: 'lamp', state: { on: true } }]);
  }
  return (
    <Panel
      title="Entities"
      note="addressable parts of the device"
      action={
        <Button variant="quiet" onClick={() => setEditing(!editing)}>
          {editing ? 'Cancel' : 'Edit as JSON'}
        </Button>
      }
    >
      {editing ? (
        <JsonForm
          label="Entities"
          value={entities as never}
          verb="Report"
          onSave={value => {
            const given: unknown[] = Array.isArray(value) ? value : [];
            simulation.reportEntities(given.filter(isEntity));
            setEditing(false);
          }}
        />
      ) : (
        <div className={css.stack}>
          {entities.length === 0 && (
            <p className={css.quiet}>
              This device has no entities. A lamp with three heads would report three entities.
            </p>
          )}
          <ul className={css.rows}>
            {entities.map(({ name, class: kind, state }) => (
              <li key={name} className={css.row}>
                <b>{name}</b>
                <code className={css.tag}>{kind}</code>
                <code className={css.cut}>{JSON.stringify(state)}</code>
                <Button
                  variant="quiet"
                  aria-label={`Remove ${name}`}
                  onClick={() => simulation.reportEntities(entities.filter(one => one.name !== name))}
                >
                  Remove
                </Button>
              </li>
            ))}
          </ul>
          <div className={css.line}>
            <Button onClick={add}>Add entity</Button>
          </div>
        </div>
      )}
    </Panel>
  );
}

/** A minimal check; the platform reports all other errors. */
function isEntity(value: unknown): value is EntityFrame {
  return isObject(value) && typeof value.name === 'string' && typeof value.class === 'string';
}
