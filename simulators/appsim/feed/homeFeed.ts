import { createStore } from '#console/store.ts';
import type { Json, LiveHome } from '#sdk/app.ts';

/** An event of a home, as the app lists it. */
export interface FeedEvent {
  key: string;
  ts: string;
  name: string;
  payload: Json;
  deviceId?: string | undefined;
  alert?: { severity: string; text: string } | undefined;
}

const eventsMax = 200;
const pastMs = { events: 86_400_000, alerts: 7 * 86_400_000 };

/** What happened in a home: read once, and kept up by the stream. */
export class HomeFeed {
  readonly events = createStore<readonly FeedEvent[]>([]);
  /** Alerts that were looked at on this phone. */
  readonly seen = createStore<ReadonlySet<string>>(new Set());
  readonly #known = new Set<string>();

  constructor(home: LiveHome) {
    home.onEvent(event => this.#add([{ ...event, key: keyOf(event) }]));
    home.onChange(() => void this.#readNew(home));
    void this.#readNew(home);
  }

  see(key: string): void {
    this.seen.set(new Set([...this.seen.get(), key]));
  }

  /** The past of devices that came to the home. */
  async #readNew(home: LiveHome): Promise<void> {
    const fresh = home.devices.filter(({ id }) => !this.#known.has(id));
    for (const { id } of fresh) this.#known.add(id);
    const now = Date.now();
    const range = (ms: number) => ({
      begin: new Date(now - ms).toISOString(),
      end: new Date(now + 60_000).toISOString(),
      maxEntries: 50,
    });
    for (const device of fresh) {
      const reads = [device.events(range(pastMs.events)), device.alerts(range(pastMs.alerts))];
      // What cannot be read now is told when it happens again; the traffic shows why.
      const found = await Promise.allSettled(reads);
      const events = found.flatMap(one => (one.status === 'fulfilled' ? one.value : []));
      this.#add(
        events.map(event => {
          const of = { ...event, deviceId: device.id } as Omit<FeedEvent, 'key'>;
          return { ...of, key: keyOf(of) };
        }),
      );
    }
  }

  #add(fresh: readonly FeedEvent[]): void {
    const all = new Map([...this.events.get(), ...fresh].map(event => [event.key, event]));
    const newest = [...all.values()].sort((a, b) => b.ts.localeCompare(a.ts));
    this.events.set(newest.slice(0, eventsMax));
  }
}

/** The stream tells an event without its id; no device sends two of one name at one time. */
function keyOf({ deviceId = '', ts, name }: Omit<FeedEvent, 'key'>): string {
  return `${deviceId} ${ts} ${name}`;
}
