import { GroupCommit } from '#server/infra/db/groupCommit.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';

/** Small devices fetch a few kilobytes at a time, so their requests are counted in batches. */
const gatherMs = 1_000;
const itemsMax = 1_000;

interface Fetched {
  projectId: string;
  deviceId: string;
  bytes: number;
}

const counters = new WeakMap<Db, GroupCommit<Fetched, undefined>>();

/** Counts the firmware bytes sent to a device. They only show progress, so no caller waits for it. */
export function countFirmwareBytes({ db, log }: Pick<Platform, 'db' | 'log'>, fetched: Fetched): void {
  let counter = counters.get(db);
  if (!counter) {
    counter = new GroupCommit({
      name: 'firmware bytes',
      run: async all => {
        await addBytes(db, all);
        return all.map(() => undefined);
      },
      itemsMax,
      gatherMs,
    });
    counters.set(db, counter);
  }
  counter.add(fetched).catch(error => log('warn', 'Bytes were not counted', { error: String(error) }));
}

async function addBytes(db: Db, all: readonly Fetched[]): Promise<void> {
  await db.run(sql`
    with fetched as (
      select project_id, device_id, sum(bytes) as bytes from unnest(
        ${all.map(one => one.projectId)}::text[], ${all.map(one => one.deviceId)}::text[],
        ${all.map(one => one.bytes)}::bigint[]) as one (project_id, device_id, bytes)
      group by 1, 2),
    there as (
      select t.project_id, t.device_id, f.bytes from fetched f
      join device_targets t on t.project_id = f.project_id and t.device_id = f.device_id
      order by t.device_id for no key update of t)
    update device_targets t set bytes = t.bytes + there.bytes from there
    where t.project_id = there.project_id and t.device_id = there.device_id`);
}
