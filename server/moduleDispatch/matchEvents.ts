import { causedHopsMax, type ModuleEvent } from '#contract/moduleRun.ts';
import type { DeviceThen } from '#server/moduleEvents/eventDevices.ts';
import type { StoredEvent } from '#server/moduleEvents/eventSources.ts';
import type { Chosen } from '#server/smartModules/moduleType.ts';
import type { KnownModule } from './moduleBook.ts';

/** An event for one of the modules that are subscribed to it. */
export interface Match {
  event: StoredEvent;
  known: KnownModule;
}

/** What a module that listens to this event does not hear of: the first of the reasons. Undefined: it does. */
export function deafness(
  { sinceTx, names, classes }: Pick<KnownModule, 'sinceTx' | 'names' | 'classes'>,
  event: Pick<StoredEvent, 'name' | 'tx'>,
  deviceClass: string | undefined,
): 'older' | 'name' | 'class' | undefined {
  if (BigInt(event.tx) <= sinceTx) return 'older';
  if (names && !names.has(event.name.toLowerCase())) return 'name';
  if (classes && deviceClass !== undefined && !classes.has(deviceClass)) return 'class';
  return undefined;
}

/** An event so far down a chain that modules caused causes no more. */
export const isTooFar = ({ causedBy }: Pick<StoredEvent, 'causedBy'>) => causedBy.length >= causedHopsMax;

export const tooFarSummary = `Not done: the event was caused by a chain of ${causedHopsMax} modules`;

export function toModuleEvent({ id, ts, name, deviceId, payload }: StoredEvent): ModuleEvent {
  return { id, ts: ts.toISOString(), name, deviceId, payload };
}

export function toChosen({ event, known }: Match, then: DeviceThen): Chosen {
  return { module: known.module, ...aboutEvent(event, then) };
}

/** Of an event the same objects for all its modules: what they see of it is then worked out and copied once. */
export function sharedChosen(devices: ReadonlyMap<string, DeviceThen>): (match: Match) => Chosen[] {
  const known = new Map<StoredEvent, ReturnType<typeof aboutEvent>>();
  return match => {
    const then = devices.get(match.event.deviceId);
    if (!then) return [];
    const about = known.get(match.event) ?? aboutEvent(match.event, then);
    known.set(match.event, about);
    return [{ module: match.known.module, ...about }];
  };
}

function aboutEvent(event: StoredEvent, { device, stateAfter }: DeviceThen): Omit<Chosen, 'module'> {
  return { event: toModuleEvent(event), device, state: stateAfter(event), causedBy: event.causedBy };
}
