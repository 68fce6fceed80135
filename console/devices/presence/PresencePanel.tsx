import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { serverNow } from '#console/core/serverClock.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { Button } from '#console/ui/Button.tsx';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { useNow } from '#console/ui/time/TimeAgo.tsx';
import type { Device } from '#contract/device.ts';
import { listConnections, readPresence } from '#contract/presence.ts';
import { dayMs } from '#rules/time/durations.ts';
import { DropLine } from './DropLine.tsx';
import { OpenConnections } from './OpenConnections.tsx';
import { PresenceStrip } from './PresenceStrip.tsx';
import { PresenceTable } from './PresenceTable.tsx';
import css from './presence.module.css';
import { dropsOf, stretchesOf, summaryOf } from './presenceStretches.ts';
import { Vitals } from './Vitals.tsx';

const spans = [
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
] as const;
type Span = (typeof spans)[number]['value'];

const spanMs: Record<Span, number> = { '24h': dayMs, '7d': 7 * dayMs };

/** Whether the device is connected: its past connections, and its current figures. */
export function PresencePanel({ device }: { device: Device }) {
  const [{ presence: shown, drop }, change] = useUrlState();
  const span: Span = shown === '7d' ? '7d' : '24h';
  const [asTable, setAsTable] = useState(false);
  const read = usePresence(device, span);
  if (device.connectionStatus === 'never' && !device.connection.lastMessageAt)
    return <LinePanel title="Presence">No connection on record</LinePanel>;
  const { stretches } = read;
  const drops = stretches ? dropsOf(stretches) : [];
  const chosen = drops.find(({ from }) => String(from) === drop);
  const summary = stretches ? summaryOf(stretches) : '';
  const choose = (next: { from: number } | undefined) =>
    change({ drop: next && String(next.from) }, { replace: true });
  return (
    <Panel
      title="Presence"
      note={<span className={css.beside}>{summary}</span>}
      flush
      action={
        <>
          <Button variant="quiet" onClick={() => setAsTable(!asTable)}>
            {asTable ? 'As strip' : 'As table'}
          </Button>
          <Segments
            label="Time range"
            options={spans}
            chosen={span}
            onChange={value =>
              change({ presence: value === '24h' ? undefined : value, drop: undefined }, { replace: true })
            }
          />
        </>
      }
    >
      <div className={css.presence}>
        <p className={css.summary}>{summary}</p>
        <ReadState read={read} what="The presence" skeleton={<div className={css.waiting} />} />
        {stretches && asTable && <PresenceTable stretches={stretches} />}
        {stretches && !asTable && (
          <PresenceStrip
            {...{ stretches, drops, chosen, summary }}
            from={stretches[0]?.from ?? 0}
            spanMs={spanMs[span]}
            onChoose={choose}
          />
        )}
      </div>
      {chosen && !asTable && <DropLine {...{ device, drops, chosen }} onChoose={choose} />}
      <Vitals
        device={device}
        drops={stretches ? drops : read.error ? null : undefined}
        span={spans.find(({ value }) => value === span)?.label ?? ''}
      />
      <Connections device={device} />
    </Panel>
  );
}

/** The query stays fixed while the page is open; its end lies ahead, to include what happens meanwhile. */
function usePresence(device: Device, span: Span) {
  const [openedMs] = useState(() => serverNow());
  const now = useNow();
  const query = {
    begin: new Date(openedMs - spanMs[span]).toISOString(),
    end: new Date(openedMs + dayMs).toISOString(),
  };
  const read = useRead(readPresence, { params: { deviceId: device.id }, query });
  const recordedFrom = Date.parse(device.creationTime);
  const stretches = read.data && stretchesOf(read.data, { from: now - spanMs[span], to: now, recordedFrom });
  return { ...read, stretches };
}

/** Shown for more than one connection, or for one with a temporary key. */
function Connections({ device }: { device: Device }) {
  const params = { deviceId: device.id };
  const isConnected = device.connectionStatus === 'connected';
  const { data = [] } = useRead(listConnections, { params }, { enabled: isConnected });
  const isUsual = data.length < 2 && !data.some(({ temporary }) => temporary);
  return isConnected && !isUsual && <OpenConnections connections={data} />;
}
