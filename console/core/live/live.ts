import { useEffect, useRef } from 'react';
import { invalidateAll, invalidatePaths } from '#console/core/client.ts';
import { type Change, madeOldBy } from '#console/core/invalidation.ts';
import { waitingForProof } from '#console/core/passwordProof.ts';
import { createStore, useStore } from '#console/core/store.ts';
import { alertsMakeOld } from '#contract/alert.ts';
import { editDevice } from '#contract/device.ts';
import type { LiveMessage } from '#contract/live.ts';
import type { LogEntry } from '#contract/log.ts';
import { keepOpen } from './liveLine.ts';
import { invalidateOlderThan } from './liveReads.ts';
import { pageVisible } from './pageVisibility.ts';

/** Whether the screen is kept up to date. `off`: no project is open. */
export const liveState = createStore<'off' | 'waiting' | 'live'>('off');

/** A program may make a thousand changes a minute; the screen need not follow each one individually. */
const gatherMs = 1_000;

type Kind = LiveMessage['kind'];
type Message<K extends Kind> = Omit<Extract<LiveMessage, { kind: K }>, 'kind'>;

const listeners = new Set<{ kind: Kind; onMessage: (message: never) => void }>();

/**
 * Keeps the reads of a project fresh while it is on screen: every change, by anyone, invalidates the affected reads.
 * After a gap (the server restarted, the laptop slept, another tab was in front) everything is refetched, since changes
 * may have been missed. There is one stream per tab; while a device is on screen, the stream also covers that device.
 */
export function useProjectLive(projectId: string | undefined, deviceId: string | undefined): void {
  const isVisible = useStore(pageVisible);
  // Without a session the server refuses the stream, until the developer has signed in again over the page.
  const isSignedOut = useStore(waitingForProof)?.why === 'ended';
  const isWanted = projectId !== undefined && isVisible && !isSignedOut;
  useEffect(() => (isWanted ? watch(projectId, deviceId) : undefined), [projectId, deviceId, isWanted]);
}

/** Calls `onEntry` for each new audit log entry of the open project. */
export function useLiveEntries(onEntry: (entry: LogEntry) => void, enabled = true): void {
  useLive('entry', ({ entry }) => onEntry(entry), enabled);
}

/** Calls `onMessage` for each message of one kind about the open project. */
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

/** The previous stream, and when it was closed. */
let last: { projectId: string; at: number } | undefined;
/** The newest audit log entry that this tab has been told of, and its project. */
let newest: { projectId: string; entryId: string | null } | undefined;

/** A read answered this shortly before a stream was requested counts as current, and a gap this short as no gap. */
const momentMs = 2_000;

const showsDevices = madeOldBy([
  { path: '/devices', makesOld: [...alertsMakeOld, ...(editDevice.makesOld ?? [])] },
]);

/** Opens the stream of a project; returns a function that closes it. */
export function watch(projectId: string, deviceId: string | undefined): () => void {
  let missed = false;
  // If the same project's stream was reopened for another device, only reads from before the gap can be out of date.
  let gapFrom = last?.projectId === projectId ? last.at : undefined;
  let askedAt = Date.now();
  const query = deviceId === undefined ? '' : `?deviceId=${encodeURIComponent(deviceId)}`;
  liveState.set('waiting');

  function opened(message: Message<'opened'>): void {
    const isSeen = isNewest(projectId, message.lastEntryId) && askedAt - (gapFrom ?? 0) < momentMs;
    const oldUntil = gapFrom === undefined ? lastChange(message) : isSeen ? undefined : gapFrom;
    if (missed) void invalidateAll();
    else if (oldUntil !== undefined) invalidateOlderThan(oldUntil);
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
      else if (event === 'before') catchUp(data as Message<'before'>, deviceId);
      else if (event === 'changed') changed(data as Change);
      else publish(projectId, event, data);
    },
    onEnded: wasOpen => {
      missed = true;
      liveState.set('waiting');
      // The developer may have left the team, or the device may be gone: a new read returns the reason.
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
 * When the newest change was stored, if that was after the page was opened. A slow client requests the stream long
 * after its first reads.
 */
function lastChange({ lastEntryAgeMs }: Message<'opened'>): number | undefined {
  const at = Date.now() - (lastEntryAgeMs ?? Number.POSITIVE_INFINITY);
  return at >= performance.timeOrigin ? at + momentMs : undefined;
}

/** Whether this tab already knew the entry as the newest of its project; from now on it does. */
function isNewest(projectId: string, entryId: string | null): boolean {
  const isSame = newest?.projectId === projectId && newest.entryId === entryId;
  newest = { projectId, entryId };
  return isSame;
}

function publish(projectId: string, event: string, data: unknown): void {
  if (event === 'entry') isNewest(projectId, (data as Message<'entry'>).entry.id);
  for (const { kind, onMessage } of listeners) if (kind === event) onMessage(data as never);
}

/** Invalidates reads that may lack what devices did on their own before the stream was open. */
function catchUp({ devicesAgeMs, deviceAgeMs }: Message<'before'>, deviceId: string | undefined): void {
  const olderThan = (ageMs: number) => Date.now() - ageMs + momentMs;
  invalidateOlderThan(olderThan(devicesAgeMs), showsDevices);
  if (deviceId === undefined || deviceAgeMs === undefined) return;
  const isAbout = (path: string) => path.split('/').some(part => part === deviceId || part === 'log');
  invalidateOlderThan(olderThan(deviceAgeMs), isAbout);
}

let changes: Change[] = [];
let changeTimer: ReturnType<typeof setTimeout> | undefined;
let invalidatedAt = 0;

/** The first change takes effect at once; those that follow are combined once a second. */
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
