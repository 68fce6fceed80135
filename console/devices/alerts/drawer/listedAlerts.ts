import { useEffect, useRef } from 'react';
import { createStore, useStore } from '#console/core/store.ts';

/** The alerts of the list behind the drawer, in its order. */
const listed = createStore<readonly string[]>([]);

/** Tells the drawer which alerts the list shows. */
export function useListAlerts(ids: readonly string[]): void {
  const text = ids.join(' ');
  useEffect(() => {
    listed.set(text === '' ? [] : text.split(' '));
    return () => listed.set([]);
  }, [text]);
}

export interface Neighbors {
  /** Undefined once it has left the list. */
  place: number | undefined;
  of: number;
  previous: string | undefined;
  next: string | undefined;
}

/**
 * Where an alert stands in the list; undefined if the list has not shown it. An alert that leaves the list, because it
 * was acted on, still leads to those around it.
 */
export function useNeighbors(alertId: string): Neighbors | undefined {
  const ids = useStore(listed);
  const last = useRef({ alertId, at: -1 });
  const at = ids.indexOf(alertId);
  if (at >= 0 || last.current.alertId !== alertId) last.current = { alertId, at };
  const was = last.current.at;
  if (was < 0) return undefined;
  const around = { of: ids.length, previous: ids[was - 1] };
  return at >= 0
    ? { place: at + 1, next: ids[at + 1], ...around }
    : { place: undefined, next: ids[was], ...around };
}
