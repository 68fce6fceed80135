import type { ModuleEvent } from '#contract/moduleRun.ts';
import { causedHopsMax } from '#rules/modules/moduleLimits.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { DeviceThen } from '#server/modules/events/eventDevices.ts';
import type { StoredEvent } from '#server/modules/events/eventSources.ts';
import type { Chosen, ModuleType } from '#server/modules/smartModules/moduleType.ts';
import { type KnownModule, keyOf } from './moduleRegistry.ts';

/** An event and one of the modules that are subscribed to it. */
export interface Match {
  event: StoredEvent;
  known: KnownModule;
}

/** The properties of an event that decide which modules receive it; computed once for all modules. */
interface Heard {
  tx: bigint;
  /** In lower case. */
  name: string;
}

export const heardOf = ({ tx, name }: Pick<StoredEvent, 'name' | 'tx'>): Heard => ({
  tx: BigInt(tx),
  name: name.toLowerCase(),
});

/** Keys of the modules that have a state for a device, by device. */
type Remembered = Map<string, Set<string>>;

/**
 * Returns the modules of a project that may run for an event. Adds devices that may have a state from now on to
 * `remembered`.
 */
export function matchesOf(
  event: StoredEvent,
  receiving: readonly KnownModule[],
  remembered: Remembered,
): Match[] {
  const heard = heardOf(event);
  const asked = toModuleEvent(event);
  return receiving.flatMap(known => {
    if (deafness(known, heard, undefined)) return [];
    const { module, type } = known;
    if (isIgnored(known, asked) && !remembered.get(event.deviceId)?.has(keyOf(module))) return [];
    // The module may have a state for the device from here on, which later events of the device can end.
    if (type.ignores) remember(remembered, event.deviceId, keyOf(module));
    return [{ event, known }];
  });
}

/** What cannot be told is decided by `choose`, where the failure of one module is not that of the others. */
function isIgnored({ module, type }: KnownModule, asked: ModuleEvent): boolean {
  try {
    return type.ignores?.(module.config, asked) === true;
  } catch {
    return false;
  }
}

function remember(remembered: Remembered, deviceId: string, key: string): void {
  const keys = remembered.get(deviceId);
  if (keys) keys.add(key);
  else remembered.set(deviceId, new Set([key]));
}

/** The states that modules have for the devices of these events. */
export async function rememberedOf(
  db: Db,
  events: readonly StoredEvent[],
  types: ReadonlySet<ModuleType>,
): Promise<Remembered> {
  const [projectIds, deviceIds] = [
    [...new Set(events.map(({ projectId }) => projectId))],
    [...new Set(events.map(({ deviceId }) => deviceId))],
  ];
  const remembered: Remembered = new Map();
  for (const { remembering } of types)
    for (const { projectId, moduleId, deviceId } of (await remembering?.(db, projectIds, deviceIds)) ?? [])
      remember(remembered, deviceId, keyOf({ projectId, id: moduleId }));
  return remembered;
}

/** The first reason why a module does not receive an event; undefined if the module receives it. */
export function deafness(
  { sinceTx, names, classes }: Pick<KnownModule, 'sinceTx' | 'names' | 'classes'>,
  { tx, name }: Heard,
  deviceClass: string | undefined,
): 'older' | 'name' | 'class' | undefined {
  if (tx <= sinceTx) return 'older';
  if (names && !names.has(name)) return 'name';
  if (classes && deviceClass !== undefined && !classes.has(deviceClass)) return 'class';
  return undefined;
}

/** The end of a chain: actions that could cause another event are not carried out. */
export const isTooFar = ({ causedBy }: { causedBy: readonly string[] }) => causedBy.length >= causedHopsMax;

export const tooFarSummary = `Not done: the event was caused by a chain of ${causedHopsMax} modules`;

export function toModuleEvent({ id, ts, name, deviceId, payload }: StoredEvent): ModuleEvent {
  return { id, ts: ts.toISOString(), name, deviceId, payload };
}

export function toChosen({ event, known }: Match, then: DeviceThen): Chosen {
  return { module: known.module, ...aboutEvent(event, then) };
}

/** Returns the same objects of an event to all modules, so that their values are prepared and copied only once. */
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
