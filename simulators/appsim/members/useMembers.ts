import { useStore } from '#console/store.ts';
import type { LiveHome } from '#sdk/app.ts';
import type { AppSimulation } from '../simulation.ts';
import { useLoaded } from '../useLoaded.ts';

/** The members of a home, read again whenever the stream tells that something about them changed. */
export function useMembers(simulation: AppSimulation, home: LiveHome) {
  const changes = useStore(simulation.homeChanges);
  return useLoaded(() => home.members(), `${home.id} ${changes}`);
}
