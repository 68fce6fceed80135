import type { HomeEvent } from '#server/homeEvents/readHomeEvents.ts';

const states: ReadonlySet<HomeEvent['type']> = new Set(['state', 'desired', 'update']);

/** Each state is told as it is now: of several changes of one device that are told together, the last one does. */
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
