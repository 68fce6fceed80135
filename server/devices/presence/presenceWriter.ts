import { retentionDays } from '#rules/time/retention.ts';
import { GroupCommit } from '#server/infra/db/groupCommit.ts';
import { type Partitioned, withPartitions } from '#server/infra/db/maintainPartitions.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { type Begin, type End, type Outcome, PendingConnectionWrites } from './pendingConnectionWrites.ts';
import { lockDevices, nextNumbers, openOf, savePresence } from './store.ts';

export const presencePartitions: Partitioned = {
  table: 'presence_changes',
  by: 'week',
  keptDays: retentionDays.deviceMessages,
};

const itemsMax = 500;

type Result = Outcome | { gone: boolean };

/**
 * Writes connections and disconnections in batches. A device is told that it is connected only after its connection is
 * stored; while the database is unavailable, it waits.
 */
export class PresenceWriter {
  readonly #batch: GroupCommit<Begin | End, Result>;

  constructor(platform: Pick<Platform, 'db' | 'clock'>, gatewayId: string) {
    this.#batch = new GroupCommit({
      name: 'presence',
      run: items =>
        withPartitions(platform, [presencePartitions], () =>
          platform.db.tx(tx => writePresence(tx, items, gatewayId)),
        ),
      itemsMax,
      patient: true,
    });
  }

  begin(begin: Omit<Begin, 'kind'>): Promise<Outcome> {
    return this.#batch.add({ kind: 'begin', ...begin }) as Promise<Outcome>;
  }

  /**
   * Returns whether the device's status changed: it may have other connections, or have reconnected already.
   */
  async end(end: Omit<End, 'kind'>): Promise<boolean> {
    const result = await this.#batch.add({ kind: 'end', ...end });
    return 'gone' in result && result.gone;
  }

  stop(): Promise<void> {
    return this.#batch.stop();
  }
}

/** The items of one transaction, in order. */
export async function writePresence(db: Db, items: (Begin | End)[], gatewayId: string): Promise<Result[]> {
  const devices = await lockDevices(db, [...new Set(items.map(({ deviceId }) => deviceId))]);
  const open = await openOf(db, devices);
  const numbers = await nextNumbers(db, items.length);
  const book = new PendingConnectionWrites(devices, open, gatewayId);
  const results = items.map((item, at): Result => {
    const number = numbers[at] ?? 0;
    return item.kind === 'begin' ? book.begin(item, number) : { gone: book.end(item, number) };
  });
  await savePresence(db, book);
  return results;
}
