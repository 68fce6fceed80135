import type { ReactNode } from 'react';
import { useRead } from '#console/core/api.ts';
import { serverNow } from '#console/core/serverClock.ts';
import { protocolWords, shortReason } from '#console/devices/deviceWords.ts';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { Changing } from '#console/ui/state/Changing.tsx';
import { absoluteTime, dayText, hourText } from '#console/ui/time/dateTexts.ts';
import { LastsSince, TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { listCommands } from '#contract/command.ts';
import type { Device } from '#contract/device.ts';
import { readDeviceClass } from '#contract/deviceClass.ts';
import { readDeviceState } from '#contract/deviceState.ts';
import { listQuarantine } from '#contract/quarantine.ts';
import { numberText } from '#rules/text/numberText.ts';
import { dayMs } from '#rules/time/durations.ts';
import css from './presence.module.css';
import { awayText, type Stretch, sumMs } from './presenceStretches.ts';
import { roundTripOf, signalOf, type Vital } from './vitalFigures.ts';

interface VitalsProps {
  device: Device;
  /** Undefined while they are loading, null if the read failed. */
  drops: readonly Stretch[] | null | undefined;
  /** "24 h" */
  span: string;
}

/** The six figures that are looked up most. */
export function Vitals({ device, drops, span }: VitalsProps) {
  const { address, protocol } = device.connection;
  const signal = useSignal(device);
  const roundTrip = useRoundTrip(device);
  return (
    <dl className={css.vitals}>
      <One label={aliveLabel(device)} {...aliveVital(device)} />
      <One label="Last message" {...messageVital(device)} />
      <One label={`Drops, ${span}`} {...dropsVital(drops)} />
      {signal ? <One label="Signal" {...signal} /> : <QuarantineVital device={device} />}
      <One label="Round trip" {...roundTrip} />
      <One label="Address" value={address ?? '–'} note={protocol && protocolWords[protocol]} />
    </dl>
  );
}

function One({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{typeof value === 'string' ? <Changing>{value}</Changing> : value}</dd>
      <dd className={css.vitalNote}>{note}</dd>
    </div>
  );
}

function aliveLabel({ connectionStatus }: Device): string {
  if (connectionStatus === 'never') return 'Connection';
  return connectionStatus === 'connected' ? 'Connected for' : 'Disconnected for';
}

function aliveVital({ connectionStatus, connection: { since, reason } }: Device) {
  if (connectionStatus === 'never' || !since) return { value: 'None', note: 'uses HTTP' };
  const isConnected = connectionStatus === 'connected';
  return {
    value: <LastsSince time={since} />,
    note: isConnected || !reason ? `since ${sinceText(since)}` : shortReason(reason),
  };
}

function sinceText(time: string): string {
  const at = Date.parse(time);
  return serverNow() - at < dayMs ? hourText(at) : `${dayText(at)}, ${hourText(at)}`;
}

function messageVital({ connection: { lastMessageAt } }: Device) {
  if (!lastMessageAt) return { value: 'None', note: 'nothing received yet' };
  return {
    value: <TimeAgo time={lastMessageAt} />,
    note: <span title={absoluteTime(lastMessageAt)}>at {sinceText(lastMessageAt)}</span>,
  };
}

/** What a figure says when its read failed; the panels say why. */
const notLoaded: Vital = { value: '–', note: 'could not be loaded' };
const waiting: Vital = { value: '' };

function dropsVital(drops: VitalsProps['drops']): Vital {
  if (!drops) return drops === null ? notLoaded : waiting;
  const note = drops.length > 0 ? `${awayText(sumMs(drops, () => true))} in all` : 'no interruptions';
  return { value: String(drops.length), note };
}

/**
 * The property that the class's schema marks as a signal by its unit. Shown empty while loading, and left out if there
 * is none.
 */
function useSignal({ id: deviceId, projectId, deviceClass }: Device): Vital | undefined {
  const ofClass = useRead(readDeviceClass, classInput(projectId, deviceClass));
  const state = useRead(readDeviceState, { params: { deviceId } });
  if (ofClass.isLoading || state.isLoading) return waiting;
  return state.data && signalOf(ofClass.data?.stateSchema, state.data.reported);
}

function useRoundTrip({ id: deviceId }: Device): Vital {
  // The same page that Activity reads, so it is requested only once.
  const { data, error } = useRead(listCommands, { params: { deviceId }, query: { limit: 50 } });
  return data ? roundTripOf(data.items) : error ? notLoaded : waiting;
}

function QuarantineVital({ device: { id: deviceId, projectId, deviceClass: classId } }: { device: Device }) {
  const query = { projectId, deviceId, limit: 1 };
  const { data, error } = useRead(listQuarantine, { params: { classId }, query });
  if (!data) return <One label="Quarantine" {...(error ? notLoaded : waiting)} />;
  const note = data.total > 0 ? 'violate the schema' : 'all match';
  return <One label="Quarantine" value={numberText(data.total)} note={note} />;
}
