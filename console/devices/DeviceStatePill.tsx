import type { ReactNode } from 'react';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { LastsSince, TimeAgo } from '#console/ui/state/TimeAgo.tsx';
import type { DeviceRow } from '#contract/device.ts';
import { shortReason, stateOf } from './deviceWords.ts';

interface DeviceStatePillProps {
  device: Pick<DeviceRow, 'suspended' | 'connectionStatus' | 'connection' | 'creationTime'>;
  shape?: 'pill' | 'lines';
  /** Who suspended it, where that is known. */
  suspendedBy?: ReactNode;
}

/** Whether a device is alive, since when, and if not why. */
export function DeviceStatePill({ device, shape = 'pill', suspendedBy }: DeviceStatePillProps) {
  const { tone, word } = stateOf(device);
  return (
    <StatePill
      shape={shape}
      tone={tone}
      word={word}
      detail={(device.suspended && suspendedBy) || detailOf(device, shape)}
    />
  );
}

function detailOf(
  { suspended, connectionStatus, connection, creationTime }: DeviceStatePillProps['device'],
  shape: 'pill' | 'lines',
) {
  const { since, reason, lastMessageAt } = connection;
  if (suspended) return shape === 'lines' && 'refused until resumed';
  if (connectionStatus === 'never')
    return (
      shape === 'lines' && (
        <>
          {lastMessageAt ? 'last message' : 'created'} <TimeAgo time={lastMessageAt ?? creationTime} />
        </>
      )
    );
  if (!since) return undefined;
  const why = connectionStatus === 'disconnected' && shape === 'lines' && shortReason(reason);
  return (
    <>
      {shape === 'lines' && 'for '}
      <LastsSince time={since} />
      {why && ` · ${why}`}
    </>
  );
}
