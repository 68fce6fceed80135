import type { Admission } from '#server/devices/keys/admission.ts';
import { classSubject, type DeviceNotice, deviceSubject } from '#server/infra/bus/deviceNotices.ts';
import type { TokenBucket } from '#server/infra/pace/tokenBucket.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { Session } from './deviceSession.ts';
import type { MessageRates } from './messageRates.ts';

/** A device with a connection on this gateway, or one being established. */
export class ConnectedDevice {
  readonly id: string;
  readonly projectId: string;
  readonly deviceClass: string;
  readonly sessions = new Set<Session>();
  /** The rate limit shared by all its connections and calls. */
  readonly bucket: TokenBucket;
  /** Client ids that were taken over, here or on another gateway, with the number of the newer connection. */
  readonly takenOver = new Map<string, number>();
  /** The version markers at the last sweep. */
  standing: { state: string; config: string; target: string } | undefined;

  readonly #rates: MessageRates;
  #displayName: string;

  constructor(admission: Admission, rates: MessageRates) {
    this.id = admission.id;
    this.projectId = admission.projectId;
    this.deviceClass = admission.deviceClass;
    this.#displayName = admission.displayName;
    this.#rates = rates;
    this.bucket = rates.of(admission);
  }

  get displayName(): string {
    return this.#displayName;
  }

  /** Called when its name or the message rate of its project may have changed. */
  learn(admission: Admission): void {
    this.#displayName = admission.displayName;
    this.bucket.allow(this.#rates.rateOf(admission), performance.now());
  }

  /** Called when it has reconnected under this client id: older connections under it were taken over. */
  cameBack(clientId: string, number: number): void {
    this.takenOver.set(clientId, number);
    if (this.takenOver.size > takenOverMax) this.takenOver.delete(this.takenOver.keys().next().value ?? '');
    for (const session of this.sessions) {
      const isOlder = session.number > 0 && session.number < number;
      if (session.clientId === clientId && isOlder) session.end('TAKEN_OVER');
    }
  }

  /** Called when the connection with this number yielded to a newer one. */
  displaced(number: number): void {
    for (const session of this.sessions) if (session.number === number) session.end('DISPLACED');
  }

  /** How long the connection with this number has been silent; undefined if it is on another gateway. */
  silentMsOf(number: number): number | undefined {
    for (const session of this.sessions) if (session.number === number) return session.silentMs;
    return undefined;
  }
}

/** Limited to the number of connections a device can have. */
const takenOverMax = 20;

type OnNotice = (device: ConnectedDevice, notice: DeviceNotice) => void;

/**
 * The devices connected to this gateway. Subscribes to notices about them and their classes from the moment
 * they are added.
 */
export class ConnectedDevices {
  readonly #platform: Pick<Platform, 'bus'>;
  readonly #rates: MessageRates;
  readonly #onNotice: OnNotice;
  readonly #devices = new Map<string, { device: ConnectedDevice; unsubscribe: () => void }>();
  readonly #classes = new Map<string, { devices: Set<ConnectedDevice>; unsubscribe: () => void }>();

  constructor(platform: Pick<Platform, 'bus'>, rates: MessageRates, onNotice: OnNotice) {
    this.#platform = platform;
    this.#rates = rates;
    this.#onNotice = onNotice;
  }

  get size(): number {
    return this.#devices.size;
  }

  get(id: string): ConnectedDevice | undefined {
    return this.#devices.get(id)?.device;
  }

  *[Symbol.iterator](): Generator<ConnectedDevice> {
    for (const { device } of this.#devices.values()) yield device;
  }

  enter(admission: Admission): ConnectedDevice {
    const known = this.get(admission.id);
    if (known) return known;
    const device = new ConnectedDevice(admission, this.#rates);
    const unsubscribe = this.#platform.bus.subscribe(deviceSubject(device.id), notice =>
      this.#onNotice(device, notice as DeviceNotice),
    );
    this.#devices.set(device.id, { device, unsubscribe });
    this.#classOf(device).add(device);
    return device;
  }

  leave(device: ConnectedDevice, session: Session): void {
    device.sessions.delete(session);
    if (device.sessions.size > 0) return;
    this.#devices.get(device.id)?.unsubscribe();
    this.#devices.delete(device.id);
    this.#rates.put(device.id, device.bucket);
    const subject = classSubject(device.projectId, device.deviceClass);
    const ofClass = this.#classes.get(subject);
    ofClass?.devices.delete(device);
    if (ofClass?.devices.size !== 0) return;
    ofClass.unsubscribe();
    this.#classes.delete(subject);
  }

  #classOf({ projectId, deviceClass }: ConnectedDevice): Set<ConnectedDevice> {
    const subject = classSubject(projectId, deviceClass);
    const known = this.#classes.get(subject);
    if (known) return known.devices;
    const devices = new Set<ConnectedDevice>();
    const unsubscribe = this.#platform.bus.subscribe(subject, notice => {
      for (const device of devices) this.#onNotice(device, notice as DeviceNotice);
    });
    this.#classes.set(subject, { devices, unsubscribe });
    return devices;
  }
}
