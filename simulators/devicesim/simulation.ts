import { createStore, type Store } from '#console/core/store.ts';
import { type HandedClass, takeClass } from '#console/guide/simulators/handedClass.ts';
import type { EntityFrame } from '#contract/deviceProtocol.ts';
import { connectDevice, type Device, type JsonObject, type Rejected, type Status } from '#sdk/device.ts';
import type { Credentials } from './credentials.ts';
import { DeviceLog } from './deviceLog.ts';
import { FirmwareUpdate } from './firmwareUpdate.ts';
import { persistedStore } from './persistedStore.ts';
import { ReceivedCommands } from './receivedCommands.ts';
import { SentEvents } from './sentEvents.ts';
import { SimulatedState } from './simulatedState.ts';
import { WireLog } from './wireLog.ts';

/** The simulated device: a client of the SDK like any other. */
export class Simulation {
  readonly device: Device;
  readonly credentials: Credentials;
  readonly status: Store<Status>;
  readonly state: SimulatedState;
  readonly events: SentEvents;
  readonly commands: ReceivedCommands;
  readonly firmware: FirmwareUpdate;
  readonly log: DeviceLog;
  readonly wire: WireLog;
  readonly config = createStore<JsonObject | undefined>(undefined);
  /** The latest rejected message. */
  readonly rejected = createStore<Rejected | undefined>(undefined);
  readonly entities;
  /** Undefined if the window was not opened by the console. */
  readonly described: HandedClass | undefined;

  constructor(credentials: Credentials) {
    const { deviceId, apiKey } = credentials;
    this.credentials = credentials;
    this.described = takeClass(deviceId);
    const device = connectDevice({
      url: window.location.origin,
      deviceId,
      apiKey,
      fetch: fetchHere,
      // A separate client id, because the simulator may run beside the real device.
      clientId: `${deviceId}-${crypto.getRandomValues(new Uint32Array(1)).join()}`,
    });
    this.device = device;
    this.wire = new WireLog(device);
    this.status = createStore(device.status);
    this.log = new DeviceLog(device);
    this.state = new SimulatedState(device);
    this.events = new SentEvents(device);
    this.commands = new ReceivedCommands(device);
    this.firmware = new FirmwareUpdate(device, fetchHere);
    this.entities = persistedStore<EntityFrame[]>(
      `entities.${deviceId}`,
      [],
      (value): value is EntityFrame[] => Array.isArray(value),
    );
    device.onConfig(config => this.config.set(config));
    device.onRejected(rejected => this.rejected.set(rejected));
    device.onStatus(status => this.#turned(status));
    if (this.entities.get().length > 0) void device.reportEntities(this.entities.get());
    this.#followWindow();
  }

  end(): void {
    this.log.chatters.set(false);
    this.device.close();
  }

  reportEntities(entities: EntityFrame[]): void {
    this.entities.set(entities);
    void this.device.reportEntities(entities);
  }

  /** The device goes offline with the browser, and is switched off when the window is closed. */
  #followWindow(): void {
    const { device } = this;
    window.addEventListener('online', () => {
      if (device.status.state === 'waiting') device.connect();
    });
    window.addEventListener('pagehide', () => device.disconnect());
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) device.connect();
    });
  }

  #turned(status: Status): void {
    this.status.set(status);
    if (status.state === 'connected') this.log.write('info', 'mqtt: connected');
    if (status.state === 'waiting') this.log.write('warn', `mqtt: ${status.text}`);
    if (status.state === 'offline') this.log.write('info', 'mqtt: offline');
  }
}

/**
 * Files have the platform's public URL, which may differ from the origin of this page. The content security policy only
 * allows this origin, and the same process serves both.
 */
function fetchHere(url: string, init?: RequestInit): Promise<Response> {
  const { pathname, search } = new URL(url, window.location.origin);
  return fetch(pathname.startsWith('/files/') ? pathname + search : url, init);
}
