import type { DeviceNews } from '#contract/live.ts';
import { publishLive } from '#server/api/http/live.ts';
import { type Quarantined, toMessage } from '#server/classes/deviceClasses/quarantine/storeQuarantine.ts';
import type { WatchedDevices } from '#server/infra/bus/watchedDevices.ts';
import type { Platform } from '#server/infra/platform.ts';
import { findDevice } from './store.ts';

/**
 * Live events for consoles: devices that connected or disconnected, batched and by id, and everything about a
 * watched device.
 */
const gatherMs = 500;
const idsMax = 200;

interface Who {
  projectId: string;
  id: string;
}

export class LiveEvents {
  readonly #platform: Platform;
  readonly #watched: WatchedDevices;
  /** By project; null if there are too many to list. */
  readonly #changed = new Map<string, Set<string> | null>();
  #timer: NodeJS.Timeout | undefined;

  constructor(platform: Platform, watched: WatchedDevices) {
    this.#platform = platform;
    this.#watched = watched;
  }

  /** A connection was opened or closed; `changed`: the device's status changed with it. */
  presence(device: Who, changed: boolean): void {
    if (changed) this.changed(device);
    if (!this.#watched.has(device.id)) return;
    const { db, clock, log } = this.#platform;
    findDevice(db, device.projectId, device.id, clock()).then(
      found => found && this.publish(device, 'presence', found),
      error => log('warn', 'A change of device presence could not be announced', { error: String(error) }),
    );
  }

  /** Lists that show the device must be refetched. */
  changed({ projectId, id }: Who): void {
    const ids = this.#changed.get(projectId);
    if (ids === undefined) this.#changed.set(projectId, new Set([id]));
    else if (ids && ids.add(id).size > idsMax) this.#changed.set(projectId, null);
    this.#timer ??= setTimeout(() => this.#flush(), gatherMs);
  }

  isWatched({ id }: Who): boolean {
    return this.#watched.has(id);
  }

  quarantined(message: Quarantined): void {
    const device = { projectId: message.projectId, id: message.deviceId };
    if (this.isWatched(device)) this.publish(device, 'quarantine', toMessage(message));
  }

  /** Only for watched devices; `data` has the shape the API returns. */
  publish({ projectId, id }: Who, what: DeviceNews, data: unknown): void {
    if (this.#watched.has(id))
      publishLive(this.#platform, projectId, { kind: 'device', deviceId: id, what, data });
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#flush();
  }

  #flush(): void {
    this.#timer = undefined;
    for (const [projectId, ids] of this.#changed) {
      publishLive(this.#platform, projectId, { kind: 'devices', deviceIds: ids && [...ids] });
    }
    this.#changed.clear();
  }
}
