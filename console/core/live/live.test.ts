import { type InfiniteData, InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

vi.stubGlobal('window', { location: { origin: 'https://console.example', pathname: '/' } });
vi.stubGlobal('document', { visibilityState: 'visible' });

/** The part of a browser's `WebSocket` that the console uses; `say` is a message from the server. */
class Socket {
  static made: Socket[] = [];
  static CONNECTING = 0;
  readyState = 1;
  onopen?: () => void;
  onmessage?: (message: { data: string }) => void;
  onclose?: () => void;
  constructor() {
    Socket.made.push(this);
  }
  close = () => {};
  say(event: string, data: unknown): void {
    this.onmessage?.({ data: JSON.stringify({ event, data }) });
  }
}
/** The same for an `EventSource`. */
class Events extends EventTarget {
  static made: Events[] = [];
  onopen?: () => void;
  onerror?: () => void;
  close = vi.fn();
  readonly path: string;
  constructor(path: string) {
    super();
    this.path = path;
    Events.made.push(this);
  }
  say(event: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
  }
}

vi.stubGlobal('WebSocket', Socket);
vi.stubGlobal('EventSource', Events);
const { queryClient } = await import('#console/core/client.ts');
const { liveState, watch } = await import('./live.ts');
const { addToRead } = await import('./liveReads.ts');

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z') });
  // The page was opened a while ago.
  vi.advanceTimersByTime(60_000);
  queryClient.clear();
});
afterEach(() => {
  vi.useRealTimers();
});

const device = ['/devices/dev_1', {}];
const isOld = (key: unknown[]) => queryClient.getQueryState(key)?.isInvalidated;

function opened(deviceId: string | undefined, lastEntryId: string): () => void {
  const close = watch('prj_1', deviceId);
  Socket.made.at(-1)?.say('opened', { lastEntryId, lastEntryAgeMs: 60_000 });
  return close;
}

test('when the live link of a quiet device opens, nothing is read again', async () => {
  const keys = [['/projects/prj_1', {}], device, ['/devices', {}], ['log', 'dev_1']];
  for (const key of keys) queryClient.setQueryData(key, {});
  const close = opened('dev_1', 'log_1');
  Socket.made.at(-1)?.say('before', { devicesAgeMs: 600_000, deviceAgeMs: 600_000 });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(keys.map(isOld)).toEqual(keys.map(() => false));
  close();
});

test('what a device did before its live link opened is read again', () => {
  const [others, list, log] = [
    ['/devices/dev_2', {}],
    ['/devices', {}],
    ['log', 'dev_1'],
  ];
  for (const key of [device, others, list, log]) queryClient.setQueryData(key, {});
  vi.advanceTimersByTime(9_000);
  const state = ['/devices/dev_1/state', {}];
  queryClient.setQueryData(state, {});
  const close = opened('dev_1', 'log_1');
  Socket.made.at(-1)?.say('before', { devicesAgeMs: 600_000, deviceAgeMs: 5_000 });
  expect([device, log, state, others, list].map(isOld)).toEqual([true, true, false, false, false]);
  close();
});

test('what changed between the reads of a page and its live link is read again, however late it opens', async () => {
  queryClient.setQueryData(['/projects/prj_2', {}], {});
  const slow = ['/projects/prj_2/apps', {}];
  const { promise, resolve } = Promise.withResolvers<string>();
  const answers = [promise, Promise.resolve('now')];
  const team = ['/projects/prj_2/members', {}];
  const screen = new QueryObserver(queryClient, { queryKey: team, queryFn: () => answers.shift() ?? 'late' });
  const leave = screen.subscribe(() => undefined);
  const answered = Promise.withResolvers<string>();
  const reading = queryClient.fetchQuery({ queryKey: slow, queryFn: () => answered.promise });
  vi.advanceTimersByTime(9_000);
  answered.resolve('before');
  await reading;
  const close = watch('prj_2', undefined);
  queryClient.setQueryData(['/projects/prj_2/alerts', {}], {});
  Socket.made.at(-1)?.say('opened', { lastEntryId: 'log_1', lastEntryAgeMs: 5_000 });
  resolve('before');
  await vi.advanceTimersByTimeAsync(10);
  for (const path of ['/projects/prj_2', slow[0]]) expect(isOld([path, {}])).toBe(true);
  expect(isOld(['/projects/prj_2/alerts', {}])).toBe(false);
  expect(queryClient.getQueryData(team)).toBe('now');
  leave();
  close();
});

test('what the devices of a project did before a late link opens is read again', () => {
  const [list, alerts, project] = [
    ['/devices', {}],
    ['/projects/prj_6/alerts', {}],
    ['/projects/prj_6', {}],
  ];
  for (const key of [list, project]) queryClient.setQueryData(key, {});
  vi.advanceTimersByTime(6_000);
  queryClient.setQueryData(alerts, {});
  const close = watch('prj_6', undefined);
  Socket.made.at(-1)?.say('opened', { lastEntryId: 'log_1', lastEntryAgeMs: 90_000 });
  Socket.made.at(-1)?.say('before', { devicesAgeMs: 3_000 });
  expect([list, alerts, project].map(isOld)).toEqual([true, false, false]);
  close();
});

test('an entry that arrives while a log or its older entries are being read stays in it', async () => {
  const queryKey = ['log', 'prj_1'];
  let answered = Promise.withResolvers<string[]>();
  const log = new InfiniteQueryObserver<string[], Error, InfiniteData<string[]>, string[], number>(
    queryClient,
    {
      queryKey,
      initialPageParam: 0,
      getNextPageParam: (_, pages) => pages.length,
      queryFn: () => answered.promise,
    },
  );
  const entries = () => queryClient.getQueryData<InfiniteData<string[]>>(queryKey)?.pages.flat();
  const happens = (entry: string) =>
    addToRead<InfiniteData<string[]>>(queryKey, ({ pages: [first = [], ...older], ...data }) => ({
      ...data,
      pages: [first.includes(entry) ? first : [entry, ...first], ...older],
    }));
  const leave = log.subscribe(() => undefined);
  happens('second');
  answered.resolve(['first']);
  await vi.advanceTimersByTimeAsync(10);
  expect(entries()).toEqual(['second', 'first']);
  answered = Promise.withResolvers();
  const older = log.fetchNextPage();
  happens('third');
  expect(entries()).toEqual(['third', 'second', 'first']);
  answered.resolve(['oldest']);
  await older;
  await vi.advanceTimersByTimeAsync(10);
  expect(entries()).toEqual(['third', 'second', 'first', 'oldest']);
  leave();
});

test('if the link for a device is refused, the device is read again, to learn that it is gone', () => {
  queryClient.setQueryData(device, {});
  const close = watch('prj_3', 'dev_1');
  Socket.made.at(-1)?.onclose?.();
  expect(isOld(device)).toBe(true);
  close();
});

test('opening a device invalidates what is on screen only if something changed in between', () => {
  queryClient.setQueryData(['/projects/prj_1', {}], {});
  opened(undefined, 'log_1')();
  opened('dev_1', 'log_1')();
  expect(isOld(['/projects/prj_1', {}])).toBe(false);
  opened('dev_1', 'log_2')();
  expect(isOld(['/projects/prj_1', {}])).toBe(true);
});

test('a silent or lost link is reopened, and a closed one is not', () => {
  const before = Socket.made.length;
  const opens = () => Socket.made.length - before;
  const close = watch('prj_4', undefined);
  Socket.made.at(-1)?.onopen?.();
  vi.advanceTimersByTime(49_000);
  Socket.made.at(-1)?.say('beat', {});
  vi.advanceTimersByTime(49_000);
  expect(opens()).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(opens()).toBe(2);
  Socket.made.at(-1)?.onopen?.();
  Socket.made.at(-1)?.onclose?.();
  vi.advanceTimersByTime(2_000);
  expect(opens()).toBe(3);
  close();
  vi.advanceTimersByTime(60_000);
  expect(opens()).toBe(3);
});

test('if a proxy does not support WebSocket, the link uses server-sent events', () => {
  const sockets = Socket.made.length;
  const close = watch('prj_5', undefined);
  Socket.made.at(-1)?.onclose?.();
  expect(liveState.get()).toBe('waiting');
  vi.advanceTimersByTime(5_000);
  const events = Events.made.at(-1);
  expect(events?.path).toBe('/api/projects/prj_5/live');
  events?.onopen?.();
  expect(liveState.get()).toBe('live');
  queryClient.setQueryData(['/projects/prj_5', {}], {});
  events?.say('opened', { lastEntryId: 'log_1', lastEntryAgeMs: 60_000 });
  events?.say('changed', { path: '/projects/prj_5' });
  vi.advanceTimersByTime(1_000);
  expect(isOld(['/projects/prj_5', {}])).toBe(true);
  // It was lost, not refused, so the same transport is used again.
  events?.onerror?.();
  expect(events?.close).toHaveBeenCalled();
  vi.advanceTimersByTime(2_000);
  expect(Events.made).toHaveLength(2);
  Events.made.at(-1)?.onerror?.();
  vi.advanceTimersByTime(5_000);
  expect(Socket.made.length - sockets).toBe(2);
  close();
});
