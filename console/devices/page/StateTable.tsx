import { useMemo, useState } from 'react';
import { useMay } from '#console/core/membership/useMay.ts';
import { propertiesOf, type SchemaProperty } from '#console/devices/schema/schemaProperties.ts';
import { unitOf } from '#console/devices/schema/schemaWords.ts';
import { IconButton } from '#console/ui/Button.tsx';
import { EditIcon } from '#console/ui/icons/icons.tsx';
import { Changing } from '#console/ui/state/Changing.tsx';
import { Dot } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type DeviceState, writeDesired } from '#contract/deviceState.ts';
import { DesiredCell } from './DesiredCell.tsx';
import css from './state.module.css';
import type { StateRow } from './stateRows.ts';

interface StateTableProps {
  deviceId: string;
  state: DeviceState;
  rows: readonly StateRow[];
  /** The schema of the class, which has units and ranges. */
  schema: unknown;
}

/** The state, value by value; a desired value is set in its row. */
export function StateTable({ deviceId, state, rows, schema }: StateTableProps) {
  const [edited, setEdited] = useState<string>();
  const mayEdit = useMay(writeDesired);
  const named = useMemo(() => new Map(propertiesOf(schema).map(one => [one.path, one])), [schema]);
  return (
    <table className={css.table} aria-label="State">
      <thead>
        <tr>
          <th scope="col">Property</th>
          <th scope="col">Reported</th>
          <th scope="col">Desired</th>
          <th scope="col" className={css.changed}>
            Changed
          </th>
          <th scope="col" className={css.act}>
            <span className="visuallyHidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {inSchemaOrder(rows, [...named.keys()]).map(row => (
          <Row
            key={row.path}
            {...{ deviceId, state, row, mayEdit }}
            property={named.get(row.path)}
            isEdited={edited === row.path}
            onEdit={isEdited => setEdited(isEdited ? row.path : undefined)}
          />
        ))}
      </tbody>
    </table>
  );
}

/** In schema order; properties that are not in the schema follow, sorted by name. */
function inSchemaOrder(rows: readonly StateRow[], paths: readonly string[]): StateRow[] {
  const place = (path: string) => (paths.includes(path) ? paths.indexOf(path) : paths.length);
  return rows.toSorted((a, b) => place(a.path) - place(b.path));
}

interface RowProps {
  deviceId: string;
  state: DeviceState;
  row: StateRow;
  property: SchemaProperty | undefined;
  mayEdit: boolean;
  isEdited: boolean;
  onEdit: (isEdited: boolean) => void;
}

function Row({ deviceId, state, row, property, mayEdit, isEdited, onEdit }: RowProps) {
  const { path, reported, desired, isDue } = row;
  const unit = property && unitOf(property.schema);
  // A property declared `readOnly` is measured, not set.
  const canBeSet = mayEdit && property?.schema.readOnly !== true;
  return (
    <tr data-edited={isEdited || undefined}>
      <th scope="row" title={property?.title}>
        <code>{path}</code>
      </th>
      <td>
        <Value label={`${path}, reported`} text={reported} unit={unit} />
      </td>
      <td colSpan={isEdited ? 3 : 1}>
        {isEdited ? (
          <DesiredCell {...{ deviceId, state, row, property }} onClose={() => onEdit(false)} />
        ) : (
          <Desired label={`${path}, desired`} {...{ desired, unit, isDue }} since={state.desiredAt} />
        )}
      </td>
      {!isEdited && (
        <>
          <td className={css.changed}>
            <Changed at={state.reportedChanges?.[row.keys[0] ?? '']} />
          </td>
          <td className={css.act}>
            {canBeSet && (
              <IconButton
                label={`Set desired ${path}`}
                data-quiet={desired === undefined || undefined}
                onClick={() => onEdit(true)}
              >
                <EditIcon size={14} />
              </IconButton>
            )}
          </td>
        </>
      )}
    </tr>
  );
}

function Changed({ at }: { at: string | undefined }) {
  return at ? <TimeAgo time={at} /> : '–';
}

interface DesiredProps {
  label: string;
  desired: string | undefined;
  unit: string | undefined;
  isDue: boolean;
  since: string | undefined;
}

function Desired({ label, desired, unit, isDue, since }: DesiredProps) {
  if (!isDue)
    return (
      <span className={css.quiet}>
        <Value {...{ label, unit }} text={desired} />
      </span>
    );
  return (
    <span className={css.due}>
      <Dot tone="warn" />
      <Value {...{ label, unit }} text={desired} />
      <span className={css.waiting}>
        {since && (
          <>
            set <TimeAgo time={since} />,{' '}
          </>
        )}
        waiting for the device
      </span>
    </span>
  );
}

/** In characters: a longer value may take more than three lines, so it scrolls in its cell and takes the focus. */
const longMin = 40;

interface ValueProps {
  label: string;
  text: string | undefined;
  unit: string | undefined;
}

function Value({ label, text, unit }: ValueProps) {
  if (text === undefined) return <span className={css.quiet}>–</span>;
  const value = (
    <>
      <code>
        <Changing>{text}</Changing>
      </code>
      {unit && <span className={css.unit}> {unit}</span>}
    </>
  );
  if (text.length < longMin) return value;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs keyboard focus
    <section className={css.long} aria-label={label} tabIndex={0}>
      {value}
    </section>
  );
}
