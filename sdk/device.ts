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
  /** Where the platform is, as `https://mooring.example.com`, or its WebSocket. */
  url: string;
  deviceId: string;
  apiKey: string;
  /** The device id unless given: a device that returns takes over from its older connection. */
  clientId?: string;
  keepAliveS?: number;
  /** What may wait to be sent: 1,000 messages and 4 MiB unless given. */
  outbox?: Partial<OutboxBounds>;
  /** How fast it sends; a little slower than what a project allows by default. */
  rate?: Rate;
  /** Where answers to commands are kept; in memory unless given. */
  commandMemory?: CommandMemory;
  /** Unless the one that is there everywhere is to be used. */
  WebSocket?: SocketClass;
  fetch?: Fetch;
}

/**
 * Connects a device and keeps it connected. What it sends resolves when the platform has kept it, also when the
 * connection breaks in between; a promise that nobody waits for troubles nobody.
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

  /** How many messages are not yet acknowledged. */
  get waiting(): number {
    return this.#outgoing.waiting;
  }

  /** What changed of the state; null takes a member away. Reports that wait are made one. */
  reportState(patch: JsonObject): Promise<void> {
    return this.#outgoing.reportState(patch).kept;
  }

  sendEvent(name: string, payload: Json = {}): Promise<void> {
    if (isEventName(name)) return this.#outgoing.publish('event', [name], payload).kept;
    return Sending.refused('NAME_INVALID').kept;
  }

  /** An event that also raises an alert. Until it is resolved, each further one with its key, or else its name, counts. */
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

  /** An event that resolves the alert with this key, or else with the event's name. */
  resolveAlert(
    name: string,
    { key, text }: { key?: string | undefined; text?: string | undefined } = {},
    payload: JsonObject = {},
  ): Promise<void> {
    const given = { ...(key !== undefined && { key }), ...(text !== undefined && { text }) };
    return this.sendEvent(name, { ...payload, _alert: { resolved: true, ...given } });
  }

  /** All addressable parts, in place of those reported before. */
  reportEntities(entities: EntityFrame[]): Promise<void> {
    return this.#outgoing.publish('entities', [], entities).kept;
  }

  reportInstalled(installed: InstalledFrame): Promise<void> {
    return this.#outgoing.publish('installed', [], installed).kept;
  }

  reportProgress(progress: ProgressFrame): Promise<void> {
    return this.#outgoing.publish('progress', [], progress).kept;
  }

  /** A line of the live log: sent while somebody watches, and else dropped, as are more than there is room for. */
  log(level: LogLevel, text: string): void {
    if (this.#incoming.logWanted.latest) this.#outgoing.log(level, text);
  }

  /** `*` stands for every name without a handler of its own. */
  onCommand(name: string, handler: CommandHandler): Stop {
    return this.#commands.on(name, handler);
  }

  /** Answers requests for the log with the lines that are there. */
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

  /** The firmware that shall run; null while none is assigned. */
  onTarget(hear: Hear<Target | null>): Stop {
    return this.#incoming.target.add(hear);
  }

  /** Asks for the firmware that shall run, over HTTP. The answer has fresh links. */
  readTarget(): Promise<Target | null> {
    return this.#readTarget();
  }

  onLogWanted(hear: Hear<boolean>): Stop {
    return this.#incoming.logWanted.add(hear);
  }

  /** A message was not taken, and why. */
  onRejected(hear: Hear<Rejected>): Stop {
    return this.#incoming.rejected.add(hear);
  }

  /** Every packet that goes by. */
  onWire(hear: Hear<WireEntry>): Stop {
    return this.#wire.add(hear);
  }

  /** After `disconnect`, or when it waits for the next attempt and somebody knows better. */
  connect(): void {
    this.#session.connect();
  }

  /** Goes offline until `connect`; what is sent meanwhile waits. `abruptly`: as if the line were cut. */
  disconnect({ abruptly = false } = {}): void {
    this.#session.disconnect(abruptly);
  }

  /** For good. What was not yet acknowledged fails. */
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

/** Says at once what would otherwise fail somewhere inside, with a word that nobody understands. */
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
