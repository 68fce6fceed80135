import type { RetainedName } from '#server/classes/frames/topics.ts';
import { waitingFor } from '#server/devices/commands/pendingCommands.ts';
import { admissionsOf, refusalOf } from '#server/devices/keys/admission.ts';
import type { ConnectedDevice, ConnectedDevices } from '#server/devices/presence/connectedDevices.ts';
import type { ConnectionRecord } from '#server/devices/presence/connectionRecord.ts';
import type { Session } from '#server/devices/presence/deviceSession.ts';
import { OrphanedConnections } from '#server/devices/presence/orphanedConnections.ts';
import type { OpenRow } from '#server/devices/presence/pendingConnectionWrites.ts';
import { openOf } from '#server/devices/presence/store.ts';
import type { Platform } from '#server/infra/platform.ts';
import { type Standing, standingsOf } from './sweepStore.ts';

const someMax = 500;

/**
 * Periodically reconciles connected devices with the database, because notices can be lost: closes connections
 * that are no longer authorized or were taken over or presumed dead, ends connections that are registered for this
 * gateway but not held by it, sends pending commands and changed values, and applies new rates.
 */
export class Sweep {
  readonly #platform: Pick<Platform, 'db' | 'clock'>;
  readonly #devices: ConnectedDevices;
  readonly #connectionRecord: ConnectionRecord;
  readonly #orphans: OrphanedConnections;
  #running: Promise<void> = Promise.resolve();

  constructor(
    platform: Pick<Platform, 'db' | 'clock'>,
    given: { gatewayId: string; devices: ConnectedDevices; connectionRecord: ConnectionRecord },
  ) {
    this.#platform = platform;
    this.#devices = given.devices;
    this.#connectionRecord = given.connectionRecord;
    this.#orphans = new OrphanedConnections(platform, given);
  }

  /** Never runs concurrently; a request during a run starts another after it. */
  run(): Promise<void> {
    const run = this.#running.then(() => this.#lookAll());
    this.#running = run.catch(() => undefined);
    return run;
  }

  async #lookAll(): Promise<void> {
    const all = [...this.#devices];
    for (let i = 0; i < all.length; i += someMax) await this.#look(all.slice(i, i + someMax));
    await this.#orphans.look();
  }

  async #look(devices: ConnectedDevice[]): Promise<void> {
    const { db, clock } = this.#platform;
    // Looks only for connections that were already registered when the run started.
    const attending = devices.flatMap(({ sessions }) => [...sessions].filter(({ number }) => number > 0));
    const ids = devices.map(({ id }) => id);
    const now = clock();
    const askedMs = performance.now();
    const [admissions, open, waiting, standings] = await Promise.all([
      admissionsOf(db, ids),
      openOf(db, devices),
      waitingFor(db, ids, now),
      standingsOf(db, devices, now),
    ]);
    for (const device of devices) {
      const admission = admissions.get(device.id);
      if (admission) device.learn(admission);
    }
    for (const session of attending) {
      const refusal = refusalOf(admissions.get(session.device.id), session.credential, now);
      if (refusal) session.end(refusal);
    }
    await this.#reconcile(attending, open);
    for (const device of devices) {
      for (const session of device.sessions) session.commandsWaiting(waiting.get(device.id) ?? [], askedMs);
      const standing = standings.get(device.id);
      if (standing) sendStanding(device, standing);
    }
  }

  async #reconcile(attending: Session[], open: OpenRow[]): Promise<void> {
    const numbers = new Map(open.map(row => [`${row.deviceId} ${row.clientId}`, row.number]));
    const isHere = (session: Session) => session.device.sessions.has(session);
    const lost: Session[] = [];
    for (const session of attending.filter(isHere)) {
      const number = numbers.get(`${session.device.id} ${session.clientId}`);
      if (number === undefined) lost.push(session);
      else if (number > session.number) session.end('TAKEN_OVER');
    }
    // In one batch, because after this gateway was presumed dead, these are all its connections.
    await Promise.all(lost.filter(isHere).map(session => this.#connectionRecord.arriveAnew(session)));
  }
}

/** The session compares versions again, so nothing is sent twice. */
function sendStanding(device: ConnectedDevice, { state, config, hasLogRequest, ...found }: Standing): void {
  const { standing } = device;
  const target = found.isTargetHeld ? (standing?.target ?? '') : found.target;
  const names: RetainedName[] = [
    ...(standing?.state === state ? [] : (['desired', 'delta'] as const)),
    ...(standing?.config === config ? [] : (['config'] as const)),
    ...(found.isTargetHeld || standing?.target === target ? [] : (['target'] as const)),
  ];
  for (const session of device.sessions) {
    // Also without a changed version: an earlier attempt to send may have failed.
    session.refresh(names);
    if (hasLogRequest) session.askForLog();
  }
  device.standing = { state, config, target };
}
