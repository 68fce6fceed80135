import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { OpenRow } from './pendingConnectionWrites.ts';
import { writePresence } from './presenceWriter.ts';
import { openAt } from './store.ts';

/** Uses the clock of the database, because the clocks of two machines can differ by more than a lease. */
export const leaseS = 10;
export const renewMs = 3_000;
const someMax = 500;

/** Returns false if the gateway has no lease: it is new, or was presumed dead. */
export async function renewLease(db: Db, gatewayId: string): Promise<boolean> {
  const renewed = await db.one<{ isNew: boolean }>(sql`
    insert into gateways as g (id, started_at, lease_until)
    values (${gatewayId}, now(), now() + make_interval(secs => ${leaseS}))
    on conflict (id) do update set lease_until = excluded.lease_until
    returning xmax = 0 as "isNew"`);
  return renewed?.isNew === false;
}

/**
 * Ends the lease, unless the end of a connection could not be recorded: then the lease expires, and the reaper ends
 * that connection.
 */
export async function endLease(db: Db, gatewayId: string): Promise<void> {
  await db.run(sql`
    delete from gateways g where g.id = ${gatewayId}
      and not exists (select from device_connections c where c.gateway_id = g.id)`);
}

/**
 * Closes the connections of gateways with expired leases, and removes these gateways. Safe to run concurrently.
 */
export async function endDeadGateways(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  tell: (row: OpenRow) => void,
): Promise<void> {
  const dead = await db.many<{ id: string }>(sql`select id from gateways where lease_until < now()`);
  for (const { id } of dead) {
    while (await endSome({ db, clock }, id, tell));
    await db.run(sql`
      delete from gateways g where g.id = ${id} and g.lease_until < now()
        and not exists (select from device_connections c where c.gateway_id = g.id)`);
  }
}

/** Returns whether more gateways may follow. */
async function endSome(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  gatewayId: string,
  tell: (row: OpenRow) => void,
): Promise<boolean> {
  const at = clock();
  const open = await openAt(db, gatewayId, someMax);
  if (open.length === 0) return false;
  const ends = open.map(row => ({ kind: 'end' as const, ...row, reason: 'GATEWAY_LOST' as const, at }));
  await db.tx(async tx => writePresence(tx, ends, gatewayId));
  for (const row of open) tell(row);
  return true;
}
