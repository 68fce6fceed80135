import type { Platform } from '#server/infra/platform.ts';
import type { ConnectedDevices } from './connectedDevices.ts';
import type { ConnectionRecord } from './connectionRecord.ts';
import { numbersAt, openByNumber } from './store.ts';

/**
 * Ends connections that are registered for this gateway although it does not hold them: the database stored one, the
 * answer was lost, and the device had left before the retry. The lease does not end them, because the gateway is alive.
 */
export class OrphanedConnections {
  readonly #platform: Pick<Platform, 'db'>;
  readonly #gatewayId: string;
  readonly #devices: ConnectedDevices;
  readonly #connectionRecord: ConnectionRecord;
  /** Suspects from the last check: a connection that comes or goes during a check is not an orphan. */
  #suspected: ReadonlySet<number> = new Set();

  constructor(
    platform: Pick<Platform, 'db'>,
    given: { gatewayId: string; devices: ConnectedDevices; connectionRecord: ConnectionRecord },
  ) {
    this.#platform = platform;
    this.#gatewayId = given.gatewayId;
    this.#devices = given.devices;
    this.#connectionRecord = given.connectionRecord;
  }

  /** Ends the connections that were also orphans at the last check. */
  async look(): Promise<void> {
    const { db } = this.#platform;
    const numbers = (await numbersAt(db, this.#gatewayId, this.#held().size)) ?? [];
    const held = this.#held();
    const orphans = numbers.filter(number => !held.has(number));
    const ended = orphans.filter(number => this.#suspected.has(number));
    this.#suspected = new Set(orphans);
    if (ended.length === 0) return;
    const rows = await openByNumber(db, this.#gatewayId, ended);
    await Promise.all(rows.map(row => this.#connectionRecord.orphaned(row)));
  }

  #held(): ReadonlySet<number> {
    const sessions = [...this.#devices].flatMap(device => [...device.sessions]);
    return new Set(sessions.map(({ number }) => number).filter(number => number > 0));
  }
}
