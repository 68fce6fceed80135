import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import css from '#console/apps/proxyRoutes/proxyRoutes.module.css';
import { useCall, useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { serverNow } from '#console/core/serverClock.ts';
import { otherTime } from '#console/logs/auditQuestion.ts';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { millisecondText } from '#console/ui/time/dateTexts.ts';
import { durationText, useNow } from '#console/ui/time/TimeAgo.tsx';
import { readProxyRouteHttpLogEntries } from '#contract/log.ts';
import { type ProxyRoute, proxyWatch, unwatchProxyRoute, watchProxyRoute } from '#contract/proxyRoute.ts';
import { numberText } from '#rules/text/numberText.ts';
import { dayMs } from '#rules/time/durations.ts';
import { type ProxyCall, toProxyCall } from './proxyCall.ts';
import { RecordedCall } from './RecordedCall.tsx';

const refetchMs = 5_000;
const shown = 20;

/** The latest calls through the route, and what was sent and received if that was recorded. */
export function LastCallsPanel({ route }: { route: ProxyRoute }) {
  const [opened, setOpened] = useState<string>();
  const [begin] = useState(() => new Date(serverNow() - dayMs).toISOString());
  const [end] = useState(() => new Date(serverNow() + dayMs).toISOString());
  const read = useRead(
    readProxyRouteHttpLogEntries,
    { params: { routeId: route.id }, query: { begin, end, maxEntries: shown } },
    { refetchInterval: refetchMs },
  );
  const calls = read.data?.map(toProxyCall);
  const open = calls?.find(({ id }) => id === opened);
  const recording = useRecording(route);
  const acts = (
    <>
      {recording.button}
      <RouteLog route={route} />
    </>
  );
  if (calls?.length === 0)
    return (
      <>
        <LinePanel title="Last calls" action={acts}>
          No calls in the last 24 hours.
        </LinePanel>
        <FormError error={recording.error} />
      </>
    );
  return (
    <Panel title="Last calls" flush action={acts}>
      {recording.error && (
        <div className={css.waiting}>
          <FormError error={recording.error} />
        </div>
      )}
      {calls ? (
        <div className={css.calls}>
          <Table
            label="Last calls"
            columns={columnsOf({ opened, onOpen: id => setOpened(id === opened ? undefined : id) })}
            rows={calls}
            rowKey={({ id }) => id}
            marked={({ id }) => id === opened}
          />
          {open && <RecordedCall call={open} />}
        </div>
      ) : (
        <div className={css.waiting}>
          <ReadState read={read} what="The calls" skeleton={<Skeleton lines={5} />} />
        </div>
      )}
    </Panel>
  );
}

/** Bodies may contain private data, so they are recorded only while someone watches. */
function useRecording({ id: routeId, watchedUntil }: ProxyRoute) {
  const now = useNow();
  const may = useMay(watchProxyRoute);
  const watch = useCall(watchProxyRoute, { onDone: () => toast('Bodies are recorded') });
  const stop = useCall(unwatchProxyRoute);
  const leftMs = watchedUntil === undefined ? 0 : Date.parse(watchedUntil) - now;
  const button =
    leftMs > 0 ? (
      <Button variant="quiet" busy={stop.isPending} onClick={() => stop.mutate({ params: { routeId } })}>
        Stop recording, {durationText(leftMs)} left
      </Button>
    ) : (
      <Button
        variant="quiet"
        busy={watch.isPending}
        onClick={() => watch.mutate({ params: { routeId }, body: { minutes: proxyWatch.defaultMinutes } })}
      >
        Record bodies for {proxyWatch.defaultMinutes} min
      </Button>
    );
  return { button: may && button, error: leftMs > 0 ? stop.error : watch.error };
}

function RouteLog({ route: { projectId, id } }: { route: ProxyRoute }) {
  return (
    <Link
      to="/projects/$projectId/settings/http_logs"
      params={{ projectId }}
      search={{ view: otherTime.value, text: id } as never}
      className={buttonClass('quiet')}
    >
      HTTP log
    </Link>
  );
}

interface Opening {
  opened: string | undefined;
  onOpen: (id: string) => void;
}

const columnsOf = ({ opened, onOpen }: Opening): readonly Column<ProxyCall>[] => [
  {
    id: 'time',
    head: 'Time',
    width: '128px',
    cell: ({ id, ts, sent }) =>
      sent?.headers ? (
        <button type="button" className={css.open} aria-expanded={id === opened} onClick={() => onOpen(id)}>
          {millisecondText(ts)}
        </button>
      ) : (
        <time dateTime={ts} className={css.time}>
          {millisecondText(ts)}
        </time>
      ),
  },
  {
    id: 'path',
    head: 'Call',
    always: true,
    cell: ({ method, path, reason }) => (
      <span className={css.call}>
        <code className={css.method}>{method}</code>
        <code className={css.path}>{path}</code>
        {reason && <code className={css.reason}>{reason}</code>}
      </span>
    ),
  },
  { id: 'caller', head: 'Caller', width: '20%', cell: ({ caller }) => <span dir="auto">{caller}</span> },
  {
    id: 'status',
    head: 'Status',
    width: '72px',
    always: true,
    cell: ({ status }) => (
      <code className={css.status} data-failed={status >= 400 || undefined}>
        {status}
      </code>
    ),
  },
  {
    id: 'ms',
    head: 'Time taken',
    width: '104px',
    align: 'end',
    cell: ({ ms }) => (ms >= 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms)} ms`),
  },
  {
    id: 'bytes',
    head: 'Bytes',
    width: '80px',
    align: 'end',
    isWide: true,
    cell: ({ received }) => numberText(received?.bytes ?? 0),
  },
];
