import type { CommandFrame } from '#contract/deviceProtocol.ts';
import type { Waiting } from '#server/devices/presence/deviceSession.ts';
import { GroupCommit } from '#server/infra/db/groupCommit.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';

const pageSize = 32;
const itemsMax = 200;

export interface PendingCommand {
  id: string;
  name: string;
  frame: CommandFrame;
}

interface Asked {
  deviceId: string;
  after: string;
}

interface Row {
  deviceId: string;
  id: string;
  name: string;
  args: CommandFrame['args'];
  expiresAt: Date;
}

/** Finds the pending commands of devices: queued, or sent without a known acknowledgement. */
export class PendingCommands {
  readonly #batch: GroupCommit<Asked, PendingCommand[]>;

  constructor({ db, clock }: Pick<Platform, 'db' | 'clock'>) {
    this.#batch = new GroupCommit({
      name: 'commands pending',
      run: asked => findPages(db, asked, clock()),
      itemsMax,
    });
  }

  /** The next page, in sending order. */
  after({ id }: { id: string }, after: string): Promise<PendingCommand[]> {
    return this.#batch.add({ deviceId: id, after });
  }

  stop(): Promise<void> {
    return this.#batch.stop();
  }
}

async function findPages(db: Db, asked: Asked[], now: Date): Promise<PendingCommand[][]> {
  const rows = await db.many<Row & { at: number }>(sql`
    select asked.at::int, c.device_id as "deviceId", c.id, c.name, c.args, c.expires_at as "expiresAt"
    from unnest(${asked.map(one => one.deviceId)}::text[], ${asked.map(one => one.after)}::text[])
      with ordinality as asked (device_id, after, at)
    cross join lateral (
      select * from device_commands c
      where c.device_id = asked.device_id and c.id > asked.after and c.stage in ('queued', 'sent')
        and c.expires_at > ${now}
      order by c.id limit ${pageSize}) as c
    order by asked.at, c.id`);
  const pages: PendingCommand[][] = asked.map(() => []);
  for (const { at, id, name, args, expiresAt } of rows) {
    pages[at - 1]?.push({ id, name, frame: { id, args, expiresAt: expiresAt.toISOString() } });
  }
  return pages;
}

/** The same for many devices, without arguments. */
export async function waitingFor(db: Db, deviceIds: string[], now: Date): Promise<Map<string, Waiting[]>> {
  const rows = await db.many<Waiting & { deviceId: string }>(sql`
    select device_id as "deviceId", id, name from device_commands
    where device_id = any(${deviceIds}) and stage in ('queued', 'sent') and expires_at > ${now} order by id`);
  return Map.groupBy(rows, ({ deviceId }) => deviceId);
}

/**
 * Removes commands that are no longer pending. Commands that arrived after the query started cannot be in its
 * result and are kept.
 */
export function forgetOver(came: Map<string, number>, waiting: readonly Waiting[], askedMs: number): void {
  const ids = new Set(waiting.map(({ id }) => id));
  for (const [id, atMs] of came) if (atMs < askedMs && !ids.has(id)) came.delete(id);
}
