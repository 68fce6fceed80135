import { useStore } from '#console/core/store.ts';
import type { LiveHome } from '#sdk/app.ts';
import type { AppSimulation } from '../simulation.ts';
import { useLoaded } from '../useLoaded.ts';

/** The members of a home, read again whenever the stream reports a change. */
export function useMembers(simulation: AppSimulation, home: LiveHome) {
  const changes = useStore(simulation.homeChanges);
  return useLoaded(() => home.members(), `${home.id} ${changes}`);
}
