import type { ReactNode } from 'react';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { LastsSince, TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { DeviceRow } from '#contract/device.ts';
import css from './devices.module.css';
import { shortReason, stateOf } from './deviceWords.ts';

interface DeviceStatePillProps {
  device: Pick<DeviceRow, 'suspended' | 'connectionStatus' | 'connection' | 'creationTime'>;
  shape?: 'pill' | 'lines';
  /** Who suspended the device, if known. */
  suspendedBy?: ReactNode;
  /** Replaces the time and reason. */
  detail?: ReactNode;
  /** Shown before the time while the device is connected. */
  also?: string | undefined;
}

/** Whether a device is connected, since when, and if not, why. */
export function DeviceStatePill({ device, shape = 'pill', suspendedBy, detail, also }: DeviceStatePillProps) {
  const { tone, word } = stateOf(device);
  return (
    <StatePill
      shape={shape}
      tone={tone}
      word={word}
      detail={detail ?? ((device.suspended && suspendedBy) || detailOf(device, shape, also))}
    />
  );
}

function detailOf(
  { suspended, connectionStatus, connection, creationTime }: DeviceStatePillProps['device'],
  shape: 'pill' | 'lines',
  also?: string,
) {
  const { since, reason, lastMessageAt } = connection;
  if (suspended) return shape === 'lines' && <OneLine>until resumed</OneLine>;
  if (connectionStatus === 'never')
    return (
      shape === 'lines' && (
        <OneLine>
          {lastMessageAt ? 'seen' : 'created'} <TimeAgo time={lastMessageAt ?? creationTime} />
        </OneLine>
      )
    );
  if (!since) return undefined;
  if (shape === 'pill') return <LastsSince time={since} />;
  const why = connectionStatus === 'disconnected' ? shortReason(reason) : undefined;
  return (
    <OneLine whole={why}>
      {also !== undefined && connectionStatus === 'connected' ? `${also} · ` : 'for '}
      <LastsSince time={since} />
      {why && ` · ${why}`}
    </OneLine>
  );
}

/** All rows of a list have the same height: text that does not fit is in the tooltip. */
function OneLine({ whole, children }: { whole?: string | undefined; children: ReactNode }) {
  return (
    <span className={css.oneLine} title={whole}>
      {children}
    </span>
  );
}
