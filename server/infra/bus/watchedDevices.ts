import type { Platform } from '#server/infra/platform.ts';

const subject = 'watched devices';

interface Watching {
  deviceId: string;
  untilMs: number;
}

/** Marks a device as watched until the given time (milliseconds since 1970). Repeat before it expires. */
export function publishWatched({ bus }: Pick<Platform, 'bus'>, watching: Watching): void {
  bus.publish(subject, watching);
}

/** The devices that someone has open in a console, in any process. */
export class WatchedDevices {
  readonly #clock: () => Date;
  readonly #until = new Map<string, number>();
  readonly #changed: (deviceId: string) => void;
  readonly stop: () => void;

  /** `changed`: a device started or stopped being watched. */
  constructor({ bus, clock }: Pick<Platform, 'bus' | 'clock'>, changed: (deviceId: string) => void) {
    this.#clock = clock;
    this.#changed = changed;
    this.stop = bus.subscribe(subject, message => this.#heard(message as Watching));
  }

  has(deviceId: string): boolean {
    const untilMs = this.#until.get(deviceId);
    return untilMs !== undefined && untilMs > this.#clock().getTime();
  }

  /** Every second: removes expired watches. */
  tick(): void {
    for (const deviceId of this.#until.keys()) {
      if (this.has(deviceId)) continue;
      this.#until.delete(deviceId);
      this.#changed(deviceId);
    }
  }

  #heard({ deviceId, untilMs }: Watching): void {
    const isNew = !this.#until.has(deviceId);
    this.#until.set(deviceId, Math.max(untilMs, this.#until.get(deviceId) ?? 0));
    if (isNew) this.#changed(deviceId);
  }
}
