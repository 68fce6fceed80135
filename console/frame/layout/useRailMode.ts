import { useSyncExternalStore } from 'react';
import { shared } from '#console/core/clientStorage.ts';
import { createStore, useStore } from '#console/core/store.ts';

/** `drawer`: hidden until the menu button is pressed. */
export type RailMode = 'full' | 'icons' | 'drawer';

const key = 'mooring.rail';
const narrow = window.matchMedia('(width < 760px)');
const medium = window.matchMedia('(width < 1080px)');
const folded = createStore(shared.read(key) === 'icons');

export function foldRail(next: boolean): void {
  if (next) shared.write(key, 'icons');
  else shared.remove(key);
  folded.set(next);
}

export function useRailMode(): RailMode {
  const isFolded = useStore(folded);
  const room = useSyncExternalStore(watch, roomNow);
  if (room !== 'wide') return room === 'narrow' ? 'drawer' : 'icons';
  return isFolded ? 'icons' : 'full';
}

function roomNow(): 'narrow' | 'medium' | 'wide' {
  if (narrow.matches) return 'narrow';
  return medium.matches ? 'medium' : 'wide';
}

function watch(listener: () => void): () => void {
  for (const query of [narrow, medium]) query.addEventListener('change', listener);
  return () => {
    for (const query of [narrow, medium]) query.removeEventListener('change', listener);
  };
}
