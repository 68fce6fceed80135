import { waitingFor } from '#server/commands/pendingCommands.ts';
import type { RetainedName } from '#server/deviceFrames/topics.ts';
import { admissionsOf, refusalOf } from '#server/deviceKeys/admission.ts';
import type { Platform } from '#server/platform.ts';
import type { ConnectedDevice, ConnectedDevices } from '#server/presence/connectedDevices.ts';
import type { ConnectionRecord } from '#server/presence/connectionRecord.ts';
import type { Session } from '#server/presence/deviceSession.ts';
import type { OpenRow } from '#server/presence/presenceBook.ts';
import { openOf } from '#server/presence/presenceStore.ts';
import { type Standing, standingsOf } from './sweepStore.ts';

const someMax = 500;

/**
 * Looks after the devices that are here, a notice about which may have been lost: who may no longer be connected is let
 * go, what waits is sent, what changed is told, a new rate holds, and whose connection another gateway took over or
 * declared dead learns of it.
 */
export class Sweep {
  readonly #platform: Pick<Platform, 'db' | 'clock'>;
  readonly #devices: ConnectedDevices;
  readonly #connectionRecord: ConnectionRecord;
  #running: Promise<void> = Promise.resolve();

  constructor(
    platform: Pick<Platform, 'db' | 'clock'>,
    { devices, connectionRecord }: { devices: ConnectedDevices; connectionRecord: ConnectionRecord },
  ) {
    this.#platform = platform;
    this.#devices = devices;
    this.#connectionRecord = connectionRecord;
  }

  /** Never two at once: one that is asked for meanwhile comes after it. */
  run(): Promise<void> {
    const run = this.#running.then(() => this.#lookAll());
    this.#running = run.catch(() => undefined);
    return run;
  }

  async #lookAll(): Promise<void> {
    const all = [...this.#devices];
    for (let i = 0; i < all.length; i += someMax) await this.#look(all.slice(i, i + someMax));
  }

  async #look(devices: ConnectedDevice[]): Promise<void> {
    const { db, clock } = this.#platform;
    // Only what was on record before is looked for there.
    const attending = devices.flatMap(({ sessions }) => [...sessions].filter(({ number }) => number > 0));
    const ids = devices.map(({ id }) => id);
    const now = clock();
    const askedMs = performance.now();
    const [admissions, open, waiting, standings] = await Promise.all([
      admissionsOf(db, ids),
      openOf(db, devices),
      waitingFor(db, ids, now),
      standingsOf(db, devices),
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
      if (standing) tellStanding(device, standing);
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
    // Together: after this gateway was taken for dead it is all of them.
    await Promise.all(lost.filter(isHere).map(session => this.#connectionRecord.arriveAnew(session)));
  }
}

/** What is told is looked at once more there: nothing is said twice. */
function tellStanding(device: ConnectedDevice, { state, config, hasLogRequest }: Standing): void {
  const { standing } = device;
  const names: RetainedName[] = [
    ...(standing?.state === state ? [] : (['desired', 'delta'] as const)),
    ...(standing?.config === config ? [] : (['config'] as const)),
  ];
  for (const session of device.sessions) {
    // Without names as well: what could not be told before may be told now.
    session.refresh(names);
    if (hasLogRequest) session.askForLog();
  }
  device.standing = { state, config };
}
