import { useMemo } from 'react';
import { useRead } from '#console/api.ts';
import css from '#console/devices/devices.module.css';
import { protocolWords, reasonSentence, shortReason } from '#console/devices/deviceWords.ts';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { LastsSince, TimeAgo } from '#console/ui/state/TimeAgo.tsx';
import { useUrlState } from '#console/urlState.ts';
import { type Device, listConnections, type Presence, readPresence } from '#contract/device.ts';
import { OpenConnections } from './OpenConnections.tsx';
import { PresenceStrip } from './PresenceStrip.tsx';

const spans = [
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
] as const;
type Span = (typeof spans)[number]['value'];

const spanMs: Record<Span, number> = { '24h': 86_400_000, '7d': 7 * 86_400_000 };

/** When it was there, how it is connected, and why it last went. */
export function PresencePanel({ device }: { device: Device }) {
  const [{ presence: shown }, change] = useUrlState();
  const span: Span = shown === '7d' ? '7d' : '24h';
  const isConnected = device.connectionStatus === 'connected';
  const params = { deviceId: device.id };
  // The question stands still while one looks; what happens meanwhile is before its end.
  const range = useMemo(() => rangeOf(span), [span]);
  const presence = useRead(readPresence, { params, query: range });
  const connections = useRead(listConnections, { params }, { enabled: isConnected });
  return (
    <Panel
      title="Presence"
      action={
        <Segments
          label="Time range"
          options={spans}
          chosen={span}
          onChange={value => change({ presence: value === '24h' ? undefined : value }, { replace: true })}
        />
      }
    >
      <div className={css.stack}>
        <Strip read={presence} device={device} span={span} />
        <Facts facts={factsOf(device, presence.data)} />
        {isConnected && connections.data && connections.data.length > 0 && (
          <OpenConnections connections={connections.data} />
        )}
      </div>
    </Panel>
  );
}

function rangeOf(span: Span) {
  const now = Date.now();
  return {
    begin: new Date(now - spanMs[span]).toISOString(),
    end: new Date(now + 86_400_000).toISOString(),
  };
}

interface StripProps {
  read: ReturnType<typeof useRead<typeof readPresence>>;
  device: Device;
  span: Span;
}

function Strip({ read, device, span }: StripProps) {
  const { data } = read;
  if (!data) return <ReadState read={read} what="The presence" skeleton={<Skeleton lines={2} />} />;
  return <PresenceStrip presence={data} spanMs={spanMs[span]} madeAt={device.creationTime} />;
}

function factsOf(
  { connectionStatus, connection }: Device,
  presence: Presence | undefined,
): (readonly [string, React.ReactNode])[] {
  const { since, lastSeen, lastMessageAt, reason, address, protocol } = connection;
  if (connectionStatus === 'never')
    return lastMessageAt
      ? [
          ['Connected', 'never (uses HTTP)'],
          ['Last message', <TimeAgo key="message" time={lastMessageAt} />],
        ]
      : [['Connected', 'never']];
  const isConnected = connectionStatus === 'connected';
  // While it is connected only the strip knows, as far back as it reaches.
  const droppedAt = isConnected ? presence?.changes.findLast(({ connected }) => !connected)?.at : since;
  return [
    isConnected
      ? ['Connected for', since ? <LastsSince key="since" time={since} /> : '–']
      : ['Last seen', <TimeAgo key="seen" time={lastSeen} />],
    ['Last message', <TimeAgo key="message" time={lastMessageAt} />],
    ...(reason
      ? ([
          [
            'Last disconnect',
            <span key="drop" title={reasonSentence(reason)}>
              {droppedAt && (
                <>
                  <TimeAgo time={droppedAt} />,{' '}
                </>
              )}
              {shortReason(reason)}
            </span>,
          ],
        ] as const)
      : []),
    ...(address ? ([['Address', <code key="address">{address}</code>]] as const) : []),
    ...(protocol ? ([['Protocol', protocolWords[protocol]]] as const) : []),
  ];
}
