import { useEffect, useRef } from 'react';
import type { LogEntry } from '#contract/log.ts';
import { dropReads, queryClient } from './api.ts';
import { seen } from './seen.ts';
import { createStore, useStore } from './store.ts';

/** Whether what is on screen keeps itself fresh. `off`: no project is open. */
export const liveState = createStore<'off' | 'waiting' | 'live'>('off');

const silenceMaxMs = 50_000;
const retryMs = 5_000;

const listeners = new Set<(entry: LogEntry) => void>();

/**
 * Keeps the reads of a project fresh for as long as it is looked at: each change that anyone makes drops what it made old.
 * After a gap (the server restarted, the laptop slept, another tab was in front) everything is asked for anew, since
 * nobody knows what was missed.
 */
export function useProjectLive(projectId: string | undefined): void {
  const isSeen = useStore(seen);
  useEffect(() => (projectId === undefined || !isSeen ? undefined : watch(projectId)), [projectId, isSeen]);
}

/** Hears of each new audit entry of the open project. */
export function useLiveEntries(hear: (entry: LogEntry) => void, enabled = true): void {
  const latest = useRef(hear);
  latest.current = hear;
  useEffect(() => {
    if (!enabled) return undefined;
    const listener = (entry: LogEntry) => latest.current(entry);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [enabled]);
}

/** Whose stream was let go while nobody looked. */
let unseen: string | undefined;

function watch(projectId: string): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let missed = unseen === projectId;
  liveState.set('waiting');

  const again = (delayMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(open, delayMs);
  };
  // A connection that broke without a word looks open for hours; the server says something every 20 seconds.
  const heard = () => again(silenceMaxMs);

  function open(): void {
    source?.close();
    source = new EventSource(`/api/projects/${encodeURIComponent(projectId)}/live`);
    heard();
    source.addEventListener('open', () => {
      liveState.set('live');
      if (missed) void queryClient.invalidateQueries();
      missed = false;
    });
    source.addEventListener('error', () => {
      missed = true;
      liveState.set('waiting');
      // The browser tries again by itself, unless it was refused.
      if (source.readyState !== EventSource.CLOSED) return;
      again(retryMs);
      // Whoever is no longer in the team is to hear so, and a read says why.
      dropReads(['projects']);
    });
    source.addEventListener('beat', heard);
    source.addEventListener('changed', event => {
      heard();
      const { path } = JSON.parse(event.data) as { path: string };
      const noun = nounOf(path);
      // What one may do in a project is part of every read of it.
      dropReads(noun === 'members' ? ['members', 'projects'] : [noun]);
    });
    source.addEventListener('entry', event => {
      heard();
      const { entry } = JSON.parse(event.data) as { entry: LogEntry };
      for (const listener of listeners) listener(entry);
    });
  }

  open();
  return () => {
    clearTimeout(timer);
    source.close();
    unseen = seen.get() ? undefined : projectId;
    liveState.set('off');
  };
}

/** `/projects/prj_1/members/dvl_2` is about members: every second part is an id. */
function nounOf(path: string): string {
  const parts = path.split('/').filter(Boolean);
  return parts[parts.length - (parts.length % 2 === 0 ? 2 : 1)] ?? '';
}
