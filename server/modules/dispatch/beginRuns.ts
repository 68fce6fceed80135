import type { Platform } from '#server/infra/platform.ts';
import { devicesOf } from '#server/modules/events/eventDevices.ts';
import { findEvents } from '#server/modules/events/findEvents.ts';
import { type DueRun, dueRuns } from '#server/modules/runs/waitingRuns.ts';
import type { Running } from '#server/modules/smartModules/moduleType.ts';
import { toModuleEvent } from './matchEvents.ts';

/** The key of a run. */
export interface RunKey {
  projectId: string;
  moduleId: string;
  id: string;
}

/**
 * The input of a run, read when its turn comes. `gone`: its event or device has been deleted. Undefined: nothing is
 * left to do.
 */
export type Begun =
  | { due: DueRun; about: Pick<Running, 'event' | 'device' | 'state'>; stateBytes: number }
  | { gone: DueRun };

/** Reads the inputs of many runs at once. */
export async function beginRuns(
  { db }: Pick<Platform, 'db'>,
  keys: readonly RunKey[],
): Promise<(Begun | undefined)[]> {
  const runs = await dueRuns(db, keys);
  const events = await findEvents(
    db,
    runs.flatMap(({ projectId, deviceId, eventId }) =>
      deviceId && eventId ? [{ projectId, deviceId, id: eventId }] : [],
    ),
  );
  const devices = await devicesOf(
    db,
    runs.flatMap(({ projectId, deviceId, eventId }) =>
      deviceId ? [(eventId && events.get(eventId)) || { projectId, deviceId }] : [],
    ),
  );
  const byId = new Map(runs.map(run => [`${run.projectId} ${run.moduleId} ${run.id}`, run]));
  return keys.map(({ projectId, moduleId, id }) => {
    const due = byId.get(`${projectId} ${moduleId} ${id}`);
    if (!due) return undefined;
    if (due.deviceId === null) return { due, about: {}, stateBytes: 0 };
    const found = devices.get(due.deviceId);
    const event = due.eventId === null ? undefined : events.get(due.eventId);
    if (!found || (due.eventId !== null && !event)) return { gone: due };
    const state = found.stateAfter(due.dueAt ? undefined : event);
    const about = { device: found.device, state, ...(event && { event: toModuleEvent(event) }) };
    return { due, about, stateBytes: found.stateBytes };
  });
}
