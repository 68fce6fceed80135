import type { AlertFrame, EntityFrame, InstalledFrame, ProgressFrame } from '#contract/deviceProtocol.ts';
import { isEventName } from '#contract/deviceWire.ts';
import type { Packet } from '#mqtt/mqttPacket.ts';
import { type CommandHandler, type CommandMemory, Commands } from './commands.ts';
import { Incoming, type Versioned } from './connection/incoming.ts';
import type { SocketClass, WireEntry } from './connection/link.ts';
import { type Hear, Listeners, type Stop } from './connection/listeners.ts';
import { mqttUrl } from './connection/mqttUrl.ts';
import { type OutboxBounds, Sending } from './connection/outbox.ts';
import { Outgoing } from './connection/outgoing.ts';
import type { Rate } from './connection/pace.ts';
import { Session, type Status } from './connection/session.ts';
import type { Fetch } from './fetch.ts';
import type { Rejected, Target } from './frames.ts';
import type { Json, JsonObject } from './json.ts';
import type { LogLevel } from './logLevels.ts';
import { LogRequests, type LogSource } from './logRequests.ts';
import { readTarget } from './readTarget.ts';

export type { Command, CommandHandler, CommandMemory } from './commands.ts';
export type { WireEntry } from './connection/link.ts';
export { SendFault } from './connection/sendFault.ts';
export type { Status } from './connection/session.ts';
export type {
  FirmwareParts,
  May,
  Pieces,
  UpdateLink,
  UpdaterOptions,
} from './firmware/firmwareParts.ts';
export { FirmwareUpdater } from './firmware/firmwareUpdater.ts';
export { sha256Of } from './firmware/sha256Of.ts';
export type { Trust } from './firmware/trust.ts';
export { UpdateFault } from './firmware/updateFault.ts';
export type { UpdateStore } from './firmware/updateMemory.ts';
export type { Rejected, Target, TargetComponent } from './frames.ts';
export type { Json, JsonObject } from './json.ts';
export type { LogLine, LogRequest, LogRequestEnd } from './logRequests.ts';

export interface DeviceOptions {
  /** The URL of the platform, such as `https://mooring.example.com`, or of its WebSocket. */
  url: string;
  deviceId: string;
  apiKey: string;
  /** Defaults to the device id, so that a device that reconnects takes over its older connection. */
  clientId?: string;
  keepAliveS?: number;
  /** How much may wait to be sent; 1,000 messages and 4 MiB by default. */
  outbox?: Partial<OutboxBounds>;
  /** How fast the device sends; by default slightly slower than the default rate limit of a project. */
  rate?: Rate;
  /** Where answers to commands are kept; in memory by default. */
  commandMemory?: CommandMemory;
  /** Replaces the runtime's own `WebSocket`. */
  WebSocket?: SocketClass;
  fetch?: Fetch;
}

/**
 * Connects a device and keeps it connected. Promises of messages resolve when the platform has acknowledged the message,
 * even if the connection breaks in between: it is stored, or was rejected, which `onRejected` tells. A promise that is not awaited causes no unhandled rejection.
 */
export function connectDevice(options: DeviceOptions): Device {
  return new Device(options);
}

export class Device {
  readonly id: string;
  readonly #session: Session;
  readonly #outgoing: Outgoing;
  readonly #incoming = new Incoming();
  readonly #commands: Commands;
  readonly #logRequests: LogRequests;
  readonly #readTarget: () => Promise<Target | null>;
  readonly #wire = new Listeners<WireEntry>();

  constructor(options: DeviceOptions) {
    const { url, deviceId, apiKey, keepAliveS = 60, clientId = deviceId } = options;
    const socket = options.WebSocket ?? globalThis.WebSocket;
    checkRuntime(socket);
    this.id = deviceId;
    const outgoing = new Outgoing(deviceId, options);
    this.#outgoing = outgoing;
    this.#commands = new Commands(
      (id, answer) => outgoing.publish('result', [id], answer, true).kept,
      options.commandMemory,
    );
    const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.#logRequests = new LogRequests({
      status: (id, status) => outgoing.publish('logRequestStatus', [id], status).kept,
      fetch,
    });
    this.#readTarget = () => readTarget({ url, deviceId, apiKey, fetch });
    this.#incoming.commands.add(({ name, frame }) => void this.#commands.take(name, frame));
    this.#incoming.rejected.add(frame => outgoing.rejected(frame));
    this.#incoming.logRequests.add(frame => void this.#logRequests.take(frame));
    this.#session = new Session(
      { url: mqttUrl(url), deviceId, apiKey, clientId, keepAliveS, WebSocket: socket, wire: this.#wire },
      {
        opened: send => outgoing.open(send),
        received: packet => this.#receive(packet),
        broken: reason => {
          outgoing.pause();
          if (reason === 'RATE_EXCEEDED') outgoing.slowDown();
        },
      },
    );
  }

  get status(): Status {
    return this.#session.status.latest ?? { state: 'connecting' };
  }

  /** The number of messages that are not acknowledged yet. */
  get waiting(): number {
    return this.#outgoing.waiting;
  }

  /** Reports a change of the state as a merge patch; null removes a member. Waiting reports are merged into one. */
  reportState(patch: JsonObject): Promise<void> {
    return this.#outgoing.reportState(patch).kept;
  }

  sendEvent(name: string, payload: Json = {}): Promise<void> {
    if (isEventName(name)) return this.#outgoing.publish('event', [name], payload).kept;
    return Sending.refused('NAME_INVALID').kept;
  }

  /**
   * Sends an event that also raises an alert. Until the alert is resolved, further events with the same key (by
   * default, the event's name) are counted in it.
   */
  raiseAlert(
    name: string,
    { severity, text, key }: Extract<AlertFrame, { severity: string }>,
    payload: JsonObject = {},
  ): Promise<void> {
    return this.sendEvent(name, {
      ...payload,
      _alert: { severity, text, ...(key !== undefined && { key }) },
    });
  }

  /** Sends an event that resolves the alert with this key; by default, with the event's name. */
  resolveAlert(
    name: string,
    { key, text }: { key?: string | undefined; text?: string | undefined } = {},
    payload: JsonObject = {},
  ): Promise<void> {
    const given = { ...(key !== undefined && { key }), ...(text !== undefined && { text }) };
    return this.sendEvent(name, { ...payload, _alert: { resolved: true, ...given } });
  }

  /** Reports all entities; replaces those reported before. */
  reportEntities(entities: EntityFrame[]): Promise<void> {
    return this.#outgoing.publish('entities', [], entities).kept;
  }

  reportInstalled(installed: InstalledFrame): Promise<void> {
    return this.#outgoing.publish('installed', [], installed).kept;
  }

  reportProgress(progress: ProgressFrame): Promise<void> {
    return this.#outgoing.publish('progress', [], progress).kept;
  }

  /** Writes a line to the live log. It is sent only while somebody watches, and dropped if there is no room. */
  log(level: LogLevel, text: string): void {
    if (this.#incoming.logWanted.latest) this.#outgoing.log(level, text);
  }

  /** `*` handles every name without its own handler. */
  onCommand(name: string, handler: CommandHandler): Stop {
    return this.#commands.on(name, handler);
  }

  /** Answers requests for the device log with the lines of `source`. */
  onLogRequest(source: LogSource): Stop {
    return this.#logRequests.on(source);
  }

  onStatus(hear: Hear<Status>): Stop {
    return this.#session.status.add(hear);
  }

  onDesired(hear: Hear<Versioned>): Stop {
    return this.#incoming.desired.add(hear);
  }

  /** The part of the desired state that is not reported yet. */
  onDelta(hear: Hear<Versioned>): Stop {
    return this.#incoming.delta.add(hear);
  }

  onConfig(hear: Hear<JsonObject>): Stop {
    return this.#incoming.config.add(hear);
  }

  /** The firmware that the device should run; null if none is assigned. */
  onTarget(hear: Hear<Target | null>): Stop {
    return this.#incoming.target.add(hear);
  }

  /** Reads the firmware that the device should run, over HTTP. The answer has fresh links. */
  readTarget(): Promise<Target | null> {
    return this.#readTarget();
  }

  onLogWanted(hear: Hear<boolean>): Stop {
    return this.#incoming.logWanted.add(hear);
  }

  /** Called when a message was rejected, with the reason. */
  onRejected(hear: Hear<Rejected>): Stop {
    return this.#incoming.rejected.add(hear);
  }

  /** Called for every packet sent or received. */
  onWire(hear: Hear<WireEntry>): Stop {
    return this.#wire.add(hear);
  }

  /** Connects again after `disconnect`, or at once instead of waiting for the next attempt. */
  connect(): void {
    this.#session.connect();
  }

  /** Goes offline until `connect`; messages wait in the meantime. `abruptly`: as if the connection were cut. */
  disconnect({ abruptly = false } = {}): void {
    this.#session.disconnect(abruptly);
  }

  /** Closes the device permanently. Messages that are not acknowledged yet fail. */
  close(): void {
    this.#session.close();
    this.#outgoing.close();
  }

  #receive(packet: Packet): void {
    if (packet.type === 'puback') this.#outgoing.acknowledged(packet.packetId);
    if (packet.type !== 'publish') return;
    if (packet.packetId !== undefined) this.#outgoing.acknowledge(packet.packetId);
    const prefix = `d/${this.id}/`;
    if (packet.topic.startsWith(prefix))
      this.#incoming.take(packet.topic.slice(prefix.length), packet.payload);
  }
}

/** Fails early with a clear error, instead of later with an obscure one. */
function checkRuntime(socket: SocketClass | undefined): void {
  const missing = [
    ...(socket === undefined ? ['WebSocket'] : []),
    ...(typeof Promise.withResolvers === 'function' ? [] : ['Promise.withResolvers']),
  ];
  if (missing.length === 0) return;
  throw new Error(
    `The device SDK needs Node 22 or later, or a current browser: this runtime has no ${missing.join(' and no ')}.`,
  );
}
