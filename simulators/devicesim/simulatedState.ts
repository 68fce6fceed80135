import { createStore } from '#console/core/store.ts';
import { isObject, mergePatch } from '#rules/json/mergePatch.ts';
import { composePatches } from '#sdk/composePatches.ts';
import type { Versioned } from '#sdk/connection/incoming.ts';
import type { Device, JsonObject } from '#sdk/device.ts';
import { isOneOf, persistedStore } from './persistedStore.ts';

/** How often a value is reported while its slider is dragged. */
const reportEveryMs = 250;
/** A real device also takes a moment. */
const appliesAfterMs = 700;

/** The reported and desired state of the simulated device. */
export class SimulatedState {
  readonly reported;
  readonly desired = createStore<Versioned | undefined>(undefined);
  /** The part of the desired state that is not applied yet. */
  readonly left = createStore<JsonObject>({});
  readonly applies = persistedStore('applies', 'self', isOneOf('self', 'hand'));
  readonly #device: Device;
  #waiting: JsonObject = {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(device: Device) {
    this.#device = device;
    this.reported = persistedStore<JsonObject>(`state.${device.id}`, {}, isJsonObject);
    device.onDesired(desired => this.desired.set(desired));
    const applied = persistedStore(`applied.${device.id}`, 0, isNumber);
    device.onDelta(({ version, state }) => {
      this.left.set(state);
      // A change made by hand may differ from the desired state on purpose, so only a new version is applied.
      if (version <= applied.get()) return;
      applied.set(version);
      setTimeout(() => this.#applySelf(), appliesAfterMs);
    });
    this.applies.subscribe(() => this.#applySelf());
    if (Object.keys(this.reported.get()).length > 0) void device.reportState(this.reported.get());
  }

  /** Changes the state, and reports the change. */
  change(patch: JsonObject): void {
    this.reported.set(patched(this.reported.get(), patch));
    const both = composePatches(this.#waiting, patch);
    if (!both) this.#report();
    this.#waiting = both ?? patch;
    if (this.#timer !== undefined) return;
    this.#report();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#report();
    }, reportEveryMs);
  }

  /** Applies the desired state, as a whole or for one member. */
  apply(member?: string): void {
    const left = this.left.get();
    const patch = member === undefined ? left : { [member]: left[member] ?? null };
    this.left.set(member === undefined ? {} : without(left, member));
    if (Object.keys(patch).length > 0) this.change(patch);
  }

  #applySelf(): void {
    if (this.applies.get() === 'self') this.apply();
  }

  #report(): void {
    if (Object.keys(this.#waiting).length === 0) return;
    void this.#device.reportState(this.#waiting);
    this.#waiting = {};
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

function patched(state: JsonObject, patch: JsonObject): JsonObject {
  const merged = mergePatch(state, patch);
  return isJsonObject(merged) ? merged : {};
}

function without(state: JsonObject, member: string): JsonObject {
  return Object.fromEntries(Object.entries(state).filter(([name]) => name !== member));
}
