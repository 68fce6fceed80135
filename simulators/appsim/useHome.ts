import { useEffect, useReducer } from 'react';
import { useStore } from '#console/core/store.ts';
import type { LiveDevice, LiveHome } from '#sdk/app.ts';
import type { AppSimulation } from './simulation.ts';

/** The home on screen; rerenders when the home or one of its devices changes. */
export function useHome(simulation: AppSimulation): LiveHome | undefined {
  const home = useStore(simulation.home);
  useChanges(home);
  return home;
}

function useChanges(live: LiveHome | LiveDevice | undefined): void {
  const [, changed] = useReducer((count: number) => count + 1, 0);
  useEffect(() => live?.onChange(changed), [live]);
}
