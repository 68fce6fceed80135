import { useEffect } from 'react';
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
  place: number;
  of: number;
  previous: string | undefined;
  next: string | undefined;
}

/** Where an alert stands in the list; undefined if the list does not show it. */
export function useNeighbors(alertId: string): Neighbors | undefined {
  const ids = useStore(listed);
  const at = ids.indexOf(alertId);
  if (at < 0) return undefined;
  return { place: at + 1, of: ids.length, previous: ids[at - 1], next: ids[at + 1] };
}
