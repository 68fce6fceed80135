import { serverNow } from '#console/core/serverClock.ts';
import { createStore } from '#console/core/store.ts';
import type { MyAlert } from '#contract/appApi/alert.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';
import { type App, CallFailed, type Json, type LiveDevice, type LiveHome } from '#sdk/app.ts';

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

/** The events and alerts of a home: read once, then kept up to date by the stream; read again if it missed something. */
export class HomeFeed {
  readonly events = createStore<readonly FeedEvent[]>([]);
  /** Newest first. Undefined until they are read. */
  readonly alerts = createStore<readonly MyAlert[] | undefined>(undefined);
  /** Why something of it could not be read. */
  readonly failure = createStore<CallFailed | undefined>(undefined);
  /** Stops following the home. */
  readonly close: () => void;
  readonly #home: LiveHome;
  readonly #known = new Set<string>();
  #reading = 0;

  constructor(app: Pick<App, 'onReset'>, home: LiveHome) {
    this.#home = home;
    const stops = [
      home.onEvent(event => this.#add([{ ...event, key: keyOf(event) }])),
      home.onAlert(() => void this.#readAlerts()),
      home.onChange(() => this.#follow()),
      app.onReset(() => this.readAgain()),
    ];
    this.close = () => {
      for (const stop of stops) stop();
    };
    this.readAgain();
  }

  /** Changes the state of an alert for all members of the home. */
  async changeAlert(alert: MyAlert, state: MyAlert['state']): Promise<void> {
    await this.#home.changeAlert(alert, { state });
    await this.#readAlerts();
  }

  /** Reads everything again, because something was missed or could not be read. */
  readAgain(): void {
    this.failure.set(undefined);
    this.#known.clear();
    this.#follow();
    if (this.#known.size === 0) void this.#readAlerts();
  }

  /** Reads the past of devices that have joined the home, and drops that of devices that have left it. */
  #follow(): void {
    const { devices } = this.#home;
    const fresh = devices.filter(({ id }) => !this.#known.has(id));
    const gone = new Set([...this.#known].filter(id => !this.#home.device(id)));
    if (fresh.length === 0 && gone.size === 0) return;
    for (const { id } of fresh) this.#known.add(id);
    for (const id of gone) this.#known.delete(id);
    this.events.set(this.events.get().filter(({ deviceId = '' }) => !gone.has(deviceId)));
    void this.#readAlerts();
    for (const device of fresh.slice(0, pastDevicesMax)) void this.#readEvents(device);
  }

  async #readEvents(device: LiveDevice): Promise<void> {
    const now = serverNow();
    const begin = new Date(now - pastMs).toISOString();
    const end = new Date(now + minuteMs).toISOString();
    const events = await this.#orFailure(device.events({ begin, end, maxEntries: 50 }));
    // The device may have left meanwhile.
    if (!events || !this.#known.has(device.id)) return;
    this.#add(
      events.map(event => ({ ...event, deviceId: device.id, key: keyOf({ ...event, deviceId: device.id }) })),
    );
  }

  async #readAlerts(): Promise<void> {
    const mine = ++this.#reading;
    const alerts = await this.#orFailure(this.#allAlerts());
    if (alerts && mine === this.#reading) this.alerts.set(alerts);
  }

  /** The newest alerts; if there are more, also those that somebody must still take care of. */
  async #allAlerts(): Promise<MyAlert[]> {
    const newest = await this.#home.alerts({ limit: alertsMax });
    if (newest.total <= newest.items.length) return newest.items;
    const pending = (['open', 'acknowledged'] as const).map(state =>
      this.#home.alerts({ state, limit: alertsMax }),
    );
    const all = [newest, ...(await Promise.all(pending))].flatMap(({ items }) => items);
    return [...new Map(all.map(alert => [alert.id, alert])).values()];
  }

  async #orFailure<T>(read: Promise<T>): Promise<T | undefined> {
    try {
      return await read;
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      // The device or the home is gone, which the home tells.
      if (error.status !== 404) this.failure.set(error);
      return undefined;
    }
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
