import { useEffect, useRef } from 'react';
import { invalidateAll, invalidatePaths } from '#console/api.ts';
import { type Change, madeOldBy } from '#console/invalidation.ts';
import { createStore, useStore } from '#console/store.ts';
import { alertsMakeOld } from '#contract/alert.ts';
import { editDevice } from '#contract/device.ts';
import type { LiveMessage } from '#contract/live.ts';
import type { LogEntry } from '#contract/log.ts';
import { keepOpen } from './liveLine.ts';
import { invalidateOlderThan, refetchReads } from './liveReads.ts';
import { pageVisible } from './pageVisibility.ts';

/** Whether what is on screen keeps itself fresh. `off`: no project is open. */
export const liveState = createStore<'off' | 'waiting' | 'live'>('off');

/** A program may change a thousand things a minute; the screen need not follow each one by itself. */
const gatherMs = 1_000;

type Kind = LiveMessage['kind'];
type Message<K extends Kind> = Omit<Extract<LiveMessage, { kind: K }>, 'kind'>;

const listeners = new Set<{ kind: Kind; onMessage: (message: never) => void }>();

/**
 * Keeps the reads of a project fresh for as long as it is looked at: each change that anyone makes invalidates what it made old.
 * After a gap (the server restarted, the laptop slept, another tab was in front) everything is asked for anew, since
 * nobody knows what was missed. There is one stream a tab: while a device is on screen it tells of that one as well.
 */
export function useProjectLive(projectId: string | undefined, deviceId: string | undefined): void {
  const isVisible = useStore(pageVisible);
  useEffect(
    () => (projectId === undefined || !isVisible ? undefined : watch(projectId, deviceId)),
    [projectId, deviceId, isVisible],
  );
}

/** Hears of each new audit entry of the open project. */
export function useLiveEntries(onEntry: (entry: LogEntry) => void, enabled = true): void {
  useLive('entry', ({ entry }) => onEntry(entry), enabled);
}

/** Hears one kind of message of the open project. */
export function useLive<K extends Kind>(
  kind: K,
  onMessage: (message: Message<K>) => void,
  enabled = true,
): void {
  const latest = useRef(onMessage);
  latest.current = onMessage;
  useEffect(() => {
    if (!enabled) return undefined;
    const listener = { kind, onMessage: (message: Message<K>) => latest.current(message) };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [kind, enabled]);
}

/** The stream before this one, and when it was closed. */
let last: { projectId: string; at: number } | undefined;
/** The newest audit entry that this tab heard of, and whose. */
let newest: { projectId: string; entryId: string | null } | undefined;

/** What was answered so shortly before a stream was asked for, or missed in so short a gap, is as good as now. */
const momentMs = 2_000;

/** Connections and alerts are told of so long after they happened, and are no audit entries. */
const toldAfterMs = 500;
const showsDevices = madeOldBy([
  { path: '/devices', makesOld: [...alertsMakeOld, ...(editDevice.makesOld ?? [])] },
]);

/** Opens the stream of a project; answers what closes it. */
export function watch(projectId: string, deviceId: string | undefined): () => void {
  let missed = false;
  // The same project's stream, opened anew for the sake of a device: only what was read before can have become old.
  let gapFrom = last?.projectId === projectId ? last.at : undefined;
  let askedAt = Date.now();
  const query = deviceId === undefined ? '' : `?deviceId=${encodeURIComponent(deviceId)}`;
  liveState.set('waiting');

  function opened(message: Message<'opened'>): void {
    const isSeen = isNewest(projectId, message.lastEntryId) && askedAt - (gapFrom ?? 0) < momentMs;
    const oldUntil = gapFrom === undefined ? lastChange(message) : isSeen ? undefined : gapFrom;
    const devicesUntil = gapFrom === undefined ? Date.now() - toldAfterMs : undefined;
    catchUp({ missed, oldUntil, devicesUntil, deviceId });
    missed = false;
    gapFrom = undefined;
  }

  const close = keepOpen(`/api/projects/${encodeURIComponent(projectId)}/live${query}`, {
    onAsked: () => {
      askedAt = Date.now();
    },
    onOpen: () => liveState.set('live'),
    onHeard: ({ event, data }) => {
      if (event === 'opened') opened(data as Message<'opened'>);
      else if (event === 'changed') changed(data as Change);
      else tell(projectId, event, data);
    },
    onEnded: wasOpen => {
      missed = true;
      liveState.set('waiting');
      // Whoever is no longer in the team, or looks at a device that is gone, is to hear so: a read says why.
      const reads = [`/projects/${projectId}`, `/devices/${deviceId}`];
      if (!wasOpen) void invalidatePaths(path => reads.includes(path));
    },
  });
  return () => {
    close();
    invalidateChanged();
    last = { projectId, at: Date.now() };
    liveState.set('off');
  };
}

/**
 * By when the newest change was stored, if it came after the page was opened. A slow device asks for the stream long after
 * it asked for what is on screen.
 */
function lastChange({ lastEntryAgeMs }: Message<'opened'>): number | undefined {
  const at = Date.now() - (lastEntryAgeMs ?? Number.POSITIVE_INFINITY);
  return at >= performance.timeOrigin ? at + momentMs : undefined;
}

/** Whether this tab has heard of an entry as the newest of its project; it has from now on. */
function isNewest(projectId: string, entryId: string | null): boolean {
  const isSame = newest?.projectId === projectId && newest.entryId === entryId;
  newest = { projectId, entryId };
  return isSame;
}

function tell(projectId: string, event: string, data: unknown): void {
  if (event === 'entry') isNewest(projectId, (data as Message<'entry'>).entry.id);
  for (const { kind, onMessage } of listeners) if (kind === event) onMessage(data as never);
}

interface Gap {
  /** True: the stream broke, and nobody knows what it would have said. */
  missed: boolean;
  /** What was asked for before may be old; milliseconds since 1970. */
  oldUntil: number | undefined;
  /** The same of what devices did by themselves. */
  devicesUntil: number | undefined;
  deviceId: string | undefined;
}

/** What was read while no stream was open may be old. */
function catchUp({ missed, oldUntil, devicesUntil, deviceId }: Gap): void {
  if (missed) return void invalidateAll();
  if (oldUntil !== undefined) invalidateOlderThan(oldUntil);
  // Logs and devices go on all the time: what was read while the stream was on its way lacks what happened then. It comes
  // after the screen, which is drawn by what was read first.
  setTimeout(() => {
    void refetchReads('log');
    if (deviceId !== undefined) void refetchReads(deviceId);
    if (devicesUntil !== undefined) invalidateOlderThan(devicesUntil, showsDevices);
  }, momentMs);
}

let changes: Change[] = [];
let changeTimer: ReturnType<typeof setTimeout> | undefined;
let invalidatedAt = 0;

/** The first change at once; of many that follow, all together once a second. */
function changed(change: Change): void {
  changes.push(change);
  changeTimer ??= setTimeout(invalidateChanged, Math.max(0, invalidatedAt + gatherMs - Date.now()));
}

function invalidateChanged(): void {
  clearTimeout(changeTimer);
  changeTimer = undefined;
  if (changes.length === 0) return;
  invalidatedAt = Date.now();
  void invalidatePaths(madeOldBy(changes));
  changes = [];
}
