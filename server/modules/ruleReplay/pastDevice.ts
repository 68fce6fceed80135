import { mergePatch } from '#rules/json/mergePatch.ts';
import { minuteMs } from '#rules/time/durations.ts';
import type { StoredEvent } from '#server/modules/events/eventSources.ts';
import type { Given } from '#server/modules/expressions/given.ts';
import { type FigureAsked, figureKey } from '#server/modules/expressions/language.ts';
import type { EventDevice } from '#server/modules/smartModules/moduleType.ts';

type State = Record<string, unknown>;

/** A device while its past is replayed, with its state at each event. */
export class PastDevice {
  readonly device: EventDevice;
  state: State;
  #connected: boolean | undefined;
  #since: Date | undefined;
  /** The times at which a number changed, with the new values, by property. */
  readonly #points = new Map<string, { atMs: number; value: number }[]>();

  constructor(
    device: EventDevice,
    state: State,
    { begin, properties }: { begin: Date; properties: readonly string[] },
  ) {
    this.device = device;
    this.state = state;
    for (const property of properties) this.#points.set(property, []);
    this.#recordPoints(begin);
  }

  /** Applies the changes of an event, before a rule sees it. */
  take({ name, payload, ts }: StoredEvent): void {
    if (name === '_state_') {
      this.state = mergePatch(this.state, payload) as State;
      this.#recordPoints(ts);
    }
    if (name !== '_connected_' && name !== '_disconnected_') return;
    this.#connected = name === '_connected_';
    this.#since = ts;
  }

  /** Sets the presence before the first change: the opposite of that change, or the current status if there is none. */
  presence(first: StoredEvent | undefined): void {
    this.#connected = first ? first.name === '_disconnected_' : this.device.connected;
    this.#since = first ? undefined : this.device.since;
  }

  givenAt(at: Date): Given['device'] {
    const { id, tag, name, deviceClass, homeId } = this.device;
    const connected = this.#connected ?? this.device.connected;
    const connectedFor = connected && this.#since ? Math.max(0, at.getTime() - this.#since.getTime()) : 0;
    return { id, tag, name, class: deviceClass, connected, connectedFor, home: homeId ?? '' };
  }

  /** Historical values, each weighted by how long it held, as `figuresOf` computes them from the history. */
  figuresAt(asked: readonly FigureAsked[], at: Date): Given['figures'] {
    return Object.fromEntries(
      asked.flatMap(one => {
        const value = figureOf(this.#points.get(one.property) ?? [], one, at.getTime());
        return value === undefined ? [] : [[figureKey(one), value]];
      }),
    );
  }

  #recordPoints(at: Date): void {
    for (const [property, points] of this.#points) {
      const value = property.split('.').reduce<unknown>(valueIn, this.state);
      if (typeof value === 'number') points.push({ atMs: at.getTime(), value });
    }
  }
}

const valueIn = (holder: unknown, name: string) =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
    ? (holder as State)[name]
    : undefined;

function figureOf(
  points: readonly { atMs: number; value: number }[],
  { figure, minutes }: FigureAsked,
  atMs: number,
): number | undefined {
  const fromMs = atMs - minutes * minuteMs;
  const values: { value: number; ms: number }[] = [];
  let untilMs = atMs;
  for (let n = points.length - 1; n >= 0; n--) {
    const point = points[n];
    if (!point) break;
    values.push({ value: point.value, ms: untilMs - Math.max(point.atMs, fromMs) });
    untilMs = point.atMs;
    if (point.atMs <= fromMs) break;
  }
  if (values.length === 0) return undefined;
  if (figure === 'min') return Math.min(...values.map(({ value }) => value));
  if (figure === 'max') return Math.max(...values.map(({ value }) => value));
  const ms = values.reduce((sum, one) => sum + one.ms, 0);
  if (ms === 0) return values.reduce((sum, { value }) => sum + value, 0) / values.length;
  return values.reduce((sum, one) => sum + one.value * one.ms, 0) / ms;
}
