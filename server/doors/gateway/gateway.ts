import type { FastifyInstance } from 'fastify';
import { endLease, renewLease, renewMs } from '#server/devices/presence/lease.ts';
import { repeat } from '#server/infra/pace/repeat.ts';
import type { Platform } from '#server/infra/platform.ts';
import { createParts } from './createParts.ts';
import { httpDoor } from './http/httpDoor.ts';
import { Polls } from './http/polls.ts';
import { type Listening, listenForDevices } from './listen.ts';
import { Connection } from './mqtt/connection.ts';
import { addressOf, tcpTransport } from './mqtt/tcp.ts';
import { webSocketDoor } from './mqtt/webSocket.ts';
import type { GatewayParts } from './parts.ts';
import { Sweep } from './sweep.ts';

const tickMs = 1_000;
const sweepMs = 8_000;

export class Gateway {
  readonly parts: GatewayParts;
  readonly #platform: Platform;
  readonly #sweep: Sweep;
  readonly #polls: Polls;
  #listening: Listening | undefined;
  #ends: (() => Promise<void>)[] = [];

  constructor(platform: Platform) {
    this.parts = createParts(platform, platform.newId('gtw'));
    this.#platform = this.parts.platform;
    this.#sweep = new Sweep(this.#platform, this.parts);
    this.#polls = new Polls(this.parts);
  }

  /** The MQTT address; undefined if MQTT is off. */
  get url(): string | undefined {
    return this.#listening?.url;
  }

  /** The HTTP entry points for devices: MQTT over WebSocket, and single calls. */
  mount(app: FastifyInstance): void {
    webSocketDoor(app, this.parts);
    app.register(async door => httpDoor(door, this.parts, this.#polls), { prefix: '/device/v1' });
  }

  async open(): Promise<void> {
    const { parts } = this;
    const { db, config, log, clock } = this.#platform;
    await renewLease(db, parts.gatewayId);
    const failed = (what: string) => (error: unknown) => log('warn', what, { error: String(error) });
    this.#ends = [
      repeat(renewMs, () => this.#renew(), failed('The lease of this gateway could not be renewed')),
      repeat(
        sweepMs,
        () => this.#sweep.run(),
        failed('The device connections of this gateway could not be checked'),
      ),
      repeat(
        tickMs,
        async () => this.#tick(performance.now(), clock()),
        failed('A periodic task of the gateway failed'),
      ),
    ];
    this.#listening = await listenForDevices(config, socket => {
      if (parts.preAuthConnections.hasRoom(addressOf(socket)))
        tcpTransport(socket, transport => new Connection(parts, transport));
      else socket.destroy();
    });
  }

  /** Stops accepting connections and closes the open ones. */
  async close(): Promise<void> {
    this.#listening?.stop();
    for (const end of this.#ends) await end();
    for (const connection of this.parts.connections) connection.end('STOPPING');
    this.#polls.close();
  }

  /** Flushes accepted messages, and records the ends of connections. */
  async finish(): Promise<void> {
    const {
      ingest,
      connectionRecord,
      commands,
      pending,
      presenceMarks,
      handedTargets,
      handedChanges,
      liveEvents,
      traffic,
      watched,
      gatewayId,
    } = this.parts;
    await ingest.stop();
    await Promise.all([connectionRecord.stop(), commands.stop(), pending.stop(), presenceMarks.write()]);
    await Promise.all([handedTargets.stop(), handedChanges.stop()]);
    watched.stop();
    liveEvents.stop();
    traffic.handOn();
    await endLease(this.#platform.db, gatewayId);
  }

  isHeard(deviceId: string, topic: string): boolean {
    const sessions = this.parts.devices.get(deviceId)?.sessions ?? [];
    return [...sessions].some(session => session.number > 0 && session.hears(topic) !== undefined);
  }

  figures(): string[] {
    const { connections, devices, traffic } = this.parts;
    traffic.handOn();
    const { idleCount, totalCount, waitingCount } = this.#platform.db.pool;
    return [
      '# TYPE mooring_gateway_connections gauge',
      `mooring_gateway_connections ${connections.size}`,
      '# TYPE mooring_gateway_devices gauge',
      `mooring_gateway_devices ${devices.size}`,
      '# TYPE mooring_gateway_database_connections gauge',
      `mooring_gateway_database_connections{state="idle"} ${idleCount}`,
      `mooring_gateway_database_connections{state="used"} ${totalCount - idleCount}`,
      `mooring_gateway_database_connections{state="waited_for"} ${waitingCount}`,
    ];
  }

  #tick(nowMs: number, now: Date): void {
    for (const connection of this.parts.connections) connection.tick(nowMs, now);
    this.parts.watched.tick();
    this.parts.traffic.handOn();
    this.parts.commands.expire();
  }

  /** A gateway presumed dead has lost its rows and must register its connections again. */
  async #renew(): Promise<void> {
    if (!(await renewLease(this.#platform.db, this.parts.gatewayId))) await this.#sweep.run();
  }
}
