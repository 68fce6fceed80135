import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { call } from '#console/core/client.ts';
import { useLive } from '#console/core/live/live.ts';
import { addToRead } from '#console/core/live/liveReads.ts';
import { serverDate, serverNow } from '#console/core/serverClock.ts';
import { type CallFailed, pathOf } from '#contract/client.ts';
import { type Command, listCommands } from '#contract/command.ts';
import { type DesiredChange, listDesiredChanges } from '#contract/desiredChange.ts';
import type { LogLineFrame } from '#contract/deviceProtocol.ts';
import { type DeviceEvent, listDeviceEvents } from '#contract/deviceState.ts';
import { logLevels } from '#contract/log.ts';
import { dayMs, hourMs } from '#rules/time/durations.ts';
import { retentionDays } from '#rules/time/retention.ts';
import { type EventPages, pageSize, withFirst } from './eventPages.ts';
import { latestChange, latestStage } from './latestStage.ts';

export type ActivityKind = 'event' | 'command' | 'desired' | 'log';

/** Something that a device sent or was sent. */
export type Activity = { id: string; ts: string } & (
  | { kind: 'event'; event: DeviceEvent }
  | { kind: 'command'; command: Command }
  | { kind: 'desired'; change: DesiredChange }
  | { kind: 'log'; line: LogLineFrame }
);

const toldMax = 999;
/** Lines of the live log are not stored; this many stay on screen. */
const linesMax = 300;
/** Multiples of the page size. */
const liveEventsMax = 300;
const loadedByItselfMax = 1_000;
/** As long as activity is kept. The end is ahead, to include what is stored while the request is on its way. */
const keptMs = (retentionDays.deviceMessages - 1) * dayMs;
const aheadMs = hourMs;

/**
 * Events, commands, changes of the desired state and live log lines of a device, newest first; new ones appear by
 * themselves.
 */
export function useActivity(deviceId: string, shown: ActivityKind | undefined) {
  const events = useEvents(deviceId);
  const told = useTold(deviceId, shown);

  const [lines, setLines] = useState<readonly Activity[]>([]);
  useLive('device', ({ deviceId: about, what, data }) => {
    if (about === deviceId && what === 'log')
      setLines(now => [asLine(data as LogLineFrame), ...now].slice(0, linesMax));
  });

  // While older events are not loaded, commands from before them are hidden: it would look as if no events had happened
  // in between.
  const from = shown === undefined && events.older ? events.items?.at(-1)?.ts : undefined;
  const items = [
    ...(isWanted('event', shown) ? (events.items ?? []) : []),
    ...(told.items ?? []),
    // Beside other activity only serious log lines are shown: a talkative log would drown the rest.
    ...(isWanted('log', shown) ? lines.filter(one => shown === 'log' || isGrave(one)) : []),
  ]
    .filter(({ ts }) => from === undefined || ts >= from)
    .sort((a, b) => b.ts.localeCompare(a.ts));

  return {
    items: events.items && told.items ? items : undefined,
    error: events.error ?? told.error,
    retry: () => void Promise.all([events.refetch(), told.refetch()]),
    older: isTold(shown) ? told.older : shown !== 'log' && events.older,
  };
}

/** The events of the device, the newest of them as they come. */
function useEvents(deviceId: string) {
  const params = { deviceId };
  // Keyed by path like every read, so that a gap in the live stream or a change invalidates it; `pages` distinguishes
  // it from a read of one page, whose data has another shape.
  const queryKey = [pathOf(listDeviceEvents, params), { pages: true }];
  // How many events stay, however many come while the page is open; more once older ones were asked for.
  const [eventsMax, setEventsMax] = useState(liveEventsMax);
  const events = useInfiniteQuery<DeviceEvent[], CallFailed, EventPages, typeof queryKey, string | undefined>(
    {
      queryKey,
      queryFn: ({ pageParam: after, signal }) => {
        const query = { ...rangeNow(), maxEntries: pageSize, ...(after && { after }) };
        return call(listDeviceEvents, { params, query, signal });
      },
      initialPageParam: undefined,
      getNextPageParam: page => (page.length >= pageSize ? page.at(-1)?.id : undefined),
    },
  );
  const items = events.data?.pages.flat().map(asEvent);
  useLive('device', ({ deviceId: about, what, data }) => {
    if (about === deviceId && what === 'event')
      addToRead<EventPages>(queryKey, pages => withFirst(pages, data as DeviceEvent, eventsMax));
  });
  function loadOlder() {
    setEventsMax(Math.max(liveEventsMax, Math.ceil((items?.length ?? 0) / pageSize + 1) * pageSize));
    void events.fetchNextPage();
  }
  return {
    items,
    error: events.error,
    refetch: events.refetch,
    older: events.hasNextPage && {
      load: loadOlder,
      loading: events.isFetchingNextPage,
      // Otherwise a list whose end is in view would grow with each event that pushes another one out.
      byItself: eventsMax < loadedByItselfMax,
    },
  };
}

const isTold = (shown: ActivityKind | undefined) => shown === 'command' || shown === 'desired';

/** What the device was sent, if it is to be shown. */
function useTold(deviceId: string, shown: ActivityKind | undefined) {
  const params = { deviceId };
  const [limit, setLimit] = useState(pageSize);
  const commands = useRead(listCommands, { params, query: { limit } });
  const changes = useRead(listDesiredChanges, { params, query: { limit } });
  const commandItems = commands.data?.items.map(latestStage).map(asCommand);
  const changeItems = changes.data?.items.map(latestChange).map(asChange);
  const read = shown === 'desired' ? changes : commands;
  return {
    items: commandItems &&
      changeItems && [
        ...(isWanted('command', shown) ? commandItems : []),
        ...(isWanted('desired', shown) ? changeItems : []),
      ],
    error: commands.error ?? changes.error,
    refetch: () => Promise.all([commands.refetch(), changes.refetch()]),
    older: (read.data?.total ?? 0) > limit &&
      limit < toldMax && {
        load: () => setLimit(Math.min(toldMax, limit + pageSize)),
        loading: read.isPlaceholderData,
        byItself: true,
      },
  };
}

function isWanted(kind: ActivityKind, shown: ActivityKind | undefined): boolean {
  return shown === undefined || shown === kind;
}

function isGrave(activity: Activity): boolean {
  return activity.kind === 'log' && activity.line.level <= warn;
}

const warn = logLevels.indexOf('WARN');

const asEvent = (event: DeviceEvent): Activity => ({ kind: 'event', id: event.id, ts: event.ts, event });
const asCommand = (command: Command): Activity => ({
  kind: 'command',
  id: command.id,
  ts: command.createdAt,
  command,
});

const asChange = (change: DesiredChange): Activity => ({
  kind: 'desired',
  id: `desired${change.version}`,
  ts: change.createdAt,
  change,
});

let linesHeard = 0;
function asLine(line: LogLineFrame): Activity {
  linesHeard += 1;
  return { kind: 'log', id: `line${linesHeard}`, ts: line.ts ?? serverDate().toISOString(), line };
}

/** Read with each request: a page may be open for days. */
function rangeNow(): { begin: string; end: string } {
  const now = serverNow();
  return { begin: new Date(now - keptMs).toISOString(), end: new Date(now + aheadMs).toISOString() };
}
