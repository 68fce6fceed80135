import { createStore } from '#console/core/store.ts';
import type { MyAlert } from '#contract/appApi/alert.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';
import type { Json, LiveDevice, LiveHome } from '#sdk/app.ts';

/** An event of a home, as the app lists it. */
export interface FeedEvent {
  key: string;
  ts: string;
  name: string;
  payload: Json;
  deviceId?: string | undefined;
}

const eventsMax = 200;
const alertsMax = 50;
const pastMs = dayMs;
/** Each device takes a call; in a large home, all of them would exceed the user's rate limit. */
const pastDevicesMax = 20;

/** The events and alerts of a home: read once, then kept up to date by the stream. */
export class HomeFeed {
  readonly events = createStore<readonly FeedEvent[]>([]);
  /** Newest first. */
  readonly alerts = createStore<readonly MyAlert[]>([]);
  readonly #home: LiveHome;
  readonly #known = new Set<string>();
  #reading = 0;

  constructor(home: LiveHome) {
    this.#home = home;
    home.onEvent(event => this.#add([{ ...event, key: keyOf(event) }]));
    home.onAlert(() => void this.#readAlerts());
    home.onChange(() => void this.#readNew());
    void this.#readNew();
  }

  /** Changes the state of an alert for all members of the home. */
  async changeAlert(alert: MyAlert, state: MyAlert['state']): Promise<void> {
    await this.#home.changeAlert(alert, { state });
    await this.#readAlerts();
  }

  /** Reads the past events of devices that joined the home. */
  async #readNew(): Promise<void> {
    const fresh = this.#home.devices.filter(({ id }) => !this.#known.has(id));
    if (fresh.length === 0) return;
    for (const { id } of fresh) this.#known.add(id);
    const read = fresh.slice(0, pastDevicesMax).map(device => this.#readEvents(device));
    await Promise.all([this.#readAlerts(), ...read]);
  }

  async #readEvents(device: LiveDevice): Promise<void> {
    const now = Date.now();
    const begin = new Date(now - pastMs).toISOString();
    const end = new Date(now + minuteMs).toISOString();
    // Errors are ignored: new events still arrive, and the traffic shows the failed call.
    const events = await device.events({ begin, end, maxEntries: 50 }).catch(() => []);
    this.#add(
      events.map(event => ({ ...event, deviceId: device.id, key: keyOf({ ...event, deviceId: device.id }) })),
    );
  }

  async #readAlerts(): Promise<void> {
    const mine = ++this.#reading;
    const page = await this.#home.alerts({ limit: alertsMax }).catch(() => undefined);
    if (page && mine === this.#reading) this.alerts.set(page.items);
  }

  #add(fresh: readonly FeedEvent[]): void {
    const all = new Map([...this.events.get(), ...fresh].map(event => [event.key, event]));
    const newest = [...all.values()].sort((a, b) => b.ts.localeCompare(a.ts));
    this.events.set(newest.slice(0, eventsMax));
  }
}

/** Events on the stream have no id; a device never sends two of the same name at the same time. */
function keyOf({
  deviceId = '',
  ts,
  name,
}: {
  deviceId?: string | undefined;
  ts: string;
  name: string;
}): string {
  return `${deviceId} ${ts} ${name}`;
}
