import { useState } from 'react';
import { useRead } from '#console/api.ts';
import css from '#console/devices/devices.module.css';
import { useMay } from '#console/membership/useMay.ts';
import { Button } from '#console/ui/Button.tsx';
import { CodeSample } from '#console/ui/code/CodeSample.tsx';
import { textOfJson } from '#console/ui/code/jsonText.ts';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { Dot } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/state/TimeAgo.tsx';
import type { Device } from '#contract/device.ts';
import { type DeviceState, readDeviceState, writeDesired } from '#contract/deviceState.ts';
import { DesiredForm } from './DesiredForm.tsx';
import { type StateRow, stateRows } from './stateRows.ts';

/** So many values are read as a table; more are better read as JSON. */
const rowsMax = 200;

/** What the device says it is like, beside what it shall be like; what it has yet to do stands out. */
export function StatePanel({ device }: { device: Device }) {
  const params = { deviceId: device.id };
  const read = useRead(readDeviceState, { params });
  const { data } = read;
  const mayEdit = useMay(writeDesired);
  return (
    <Panel
      title="State"
      note={data && <Version state={data} />}
      flush
      locked={!mayEdit}
      editLabel="Edit desired"
      edit={data && (done => <DesiredForm deviceId={device.id} state={data} done={done} />)}
    >
      <ReadState read={read} what="The state" skeleton={<Skeleton shape="rows" lines={3} />} />
      {data && <Content state={data} />}
    </Panel>
  );
}

function Version({ state: { desiredVersion, reportedAt } }: { state: DeviceState }) {
  return (
    <>
      {desiredVersion > 0 && `version ${desiredVersion}`}
      {desiredVersion > 0 && reportedAt && ', '}
      {reportedAt && (
        <>
          reported <TimeAgo time={reportedAt} />
        </>
      )}
    </>
  );
}

function sayDue({ desired }: DeviceState, due: number): string {
  if (Object.keys(desired).length === 0) return 'No desired values set.';
  if (due === 0) return 'The device matches the desired state.';
  return `${due} ${due === 1 ? 'value differs' : 'values differ'} from the desired state.`;
}

function Content({ state }: { state: DeviceState }) {
  const [asJson, setAsJson] = useState(false);
  const rows = stateRows(state);
  if (rows.length === 0)
    return (
      <EmptyState title="No reported or desired state">
        A device reports its state on <code>state</code>. It receives its desired state on{' '}
        <code>desired</code>.
      </EmptyState>
    );
  const due = rows.filter(({ isDue }) => isDue).length;
  return (
    <>
      {asJson || rows.length > rowsMax ? (
        <div className={css.sides}>
          <Side title="Reported" value={state.reported} />
          <Side title="Desired" value={state.desired} />
        </div>
      ) : (
        <Table label="State" columns={columns} rows={rows} rowKey={({ path }) => path} />
      )}
      <footer className={css.tableFoot}>
        <span role="status">{sayDue(state, due)}</span>
        {rows.length <= rowsMax && (
          <Button variant="quiet" onClick={() => setAsJson(!asJson)}>
            {asJson ? 'As table' : 'As JSON'}
          </Button>
        )}
      </footer>
    </>
  );
}

function Side({ title, value }: { title: string; value: unknown }) {
  return (
    <div>
      <h3>{title}</h3>
      <CodeSample label={`${title} state`} text={textOfJson(value)} />
    </div>
  );
}

const columns: readonly Column<StateRow>[] = [
  {
    id: 'path',
    head: 'Property',
    width: '34%',
    cell: ({ path }) => <code className={css.value}>{path}</code>,
  },
  { id: 'reported', head: 'Reported', width: '33%', cell: ({ reported }) => <Value text={reported} /> },
  {
    id: 'desired',
    head: 'Desired',
    always: true,
    cell: ({ desired, isDue }) =>
      isDue ? (
        <span className={css.due}>
          <Dot tone="warn" />
          <Value text={desired} />
          <span className="visuallyHidden">, not yet reported</span>
        </span>
      ) : (
        <span className={css.quiet}>
          <Value text={desired} />
        </span>
      ),
  },
];

function Value({ text }: { text: string | undefined }) {
  return text === undefined ? (
    <span className={css.quiet}>–</span>
  ) : (
    <code className={css.value}>{text}</code>
  );
}
