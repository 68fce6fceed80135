import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import css from '#console/devices/devices.module.css';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { Button } from '#console/ui/Button.tsx';
import { CodeSample } from '#console/ui/code/CodeSample.tsx';
import { textOfJson } from '#console/ui/code/jsonText.ts';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { Device } from '#contract/device.ts';
import { readDeviceClass } from '#contract/deviceClass.ts';
import { type DeviceState, readDeviceState, writeDesired } from '#contract/deviceState.ts';
import { DesiredForm } from './DesiredForm.tsx';
import { StateTable } from './StateTable.tsx';
import table from './state.module.css';
import { type StateRow, stateRows } from './stateRows.ts';

/** Up to this many values are shown as a table; more are easier to read as JSON. */
const rowsMax = 200;

/** The reported state beside the desired state; values not yet reported as desired stand out. */
export function StatePanel({ device }: { device: Device }) {
  const read = useRead(readDeviceState, { params: { deviceId: device.id } });
  const { data } = read;
  const mayEdit = useMay(writeDesired);
  const [asJson, setAsJson] = useState(false);
  const [isStarted, setStarted] = useState(false);
  const rows = data && stateRows(data);
  if (data && isStarted)
    return (
      <Panel title="State">
        <DesiredForm deviceId={device.id} state={data} done={() => setStarted(false)} />
      </Panel>
    );
  if (rows?.length === 0)
    return (
      <LinePanel
        title="State"
        action={
          mayEdit && (
            <Button variant="quiet" onClick={() => setStarted(true)}>
              Set desired state
            </Button>
          )
        }
      >
        Nothing reported yet. A device publishes to the topic <code>state</code>.
      </LinePanel>
    );
  const isTable = rows && rows.length <= rowsMax;
  return (
    <Panel
      title="State"
      note={data && <Version state={data} due={rows?.filter(({ isDue }) => isDue).length ?? 0} />}
      flush
      locked={!mayEdit}
      editLabel="Edit all desired"
      action={
        isTable && (
          <Button variant="quiet" onClick={() => setAsJson(!asJson)}>
            {asJson ? 'As table' : 'As JSON'}
          </Button>
        )
      }
      edit={data && (done => <DesiredForm deviceId={device.id} state={data} done={done} />)}
    >
      <ReadState read={read} what="The state" skeleton={<Skeleton shape="rows" lines={4} />} />
      {data && rows && <Content device={device} state={data} rows={rows} asJson={asJson || !isTable} />}
    </Panel>
  );
}

/** "reported now, desired version 218, 1 value differs" */
function Version({ state, due }: { state: DeviceState; due: number }) {
  const { desired, desiredVersion, reportedAt } = state;
  const isDesired = Object.keys(desired).length > 0;
  return (
    <span className={table.version}>
      {reportedAt && (
        <>
          reported <TimeAgo time={reportedAt} />
        </>
      )}
      {desiredVersion > 0 && `${reportedAt ? ', ' : ''}desired version ${desiredVersion}`}
      <span className="visuallyHidden" role="status">
        {isDesired && dueText(due)}
      </span>
    </span>
  );
}

function dueText(due: number): string {
  if (due === 0) return 'The device matches the desired state.';
  return `${due} ${due === 1 ? 'value differs' : 'values differ'} from the desired state.`;
}

interface ContentProps {
  device: Device;
  state: DeviceState;
  rows: readonly StateRow[];
  asJson: boolean;
}

function Content({ device, state, rows, asJson }: ContentProps) {
  const { data: ofClass, isLoading } = useRead(
    readDeviceClass,
    classInput(device.projectId, device.deviceClass),
  );
  // In schema order from the start, so that rows do not jump.
  if (!asJson && isLoading) return <Skeleton shape="rows" lines={rows.length} />;
  if (!asJson)
    return <StateTable deviceId={device.id} state={state} rows={rows} schema={ofClass?.stateSchema} />;
  return (
    <div className={css.sides}>
      <Side title="Reported" value={state.reported} />
      <Side title="Desired" value={state.desired} />
    </div>
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
