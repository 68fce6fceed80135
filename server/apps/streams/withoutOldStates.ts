import type { HomeEvent } from '#server/people/homeEvents/readHomeEvents.ts';

const states: ReadonlySet<HomeEvent['type']> = new Set(['state', 'desired', 'update']);

/** States are sent as they are now: of several changes of a device in one batch, only the last is kept. */
export function withoutOldStates<Row extends HomeEvent>(rows: readonly Row[]): Row[] {
  const told = new Set<string>();
  return rows
    .toReversed()
    .filter(({ type, deviceId }) => {
      if (!states.has(type)) return true;
      const key = `${type} ${deviceId}`;
      if (told.has(key)) return false;
      told.add(key);
      return true;
    })
    .reverse();
}
