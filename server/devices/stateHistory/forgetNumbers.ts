import { type Db, sql } from '#server/infra/db/sql.ts';
import { batch } from '#server/infra/jobs/housekeeping.ts';
import type { Platform } from '#server/infra/platform.ts';
import { reportPartition } from './historyTables.ts';

const devicesAtOnce = 50;
const rowsAtOnce = 10 * batch;

/**
 * Deletes the numbers of old reports for projects with a shorter retention than the partitions, a whole day at a time.
 * The changes in the reports stay for modules. Works device by device, so that rows that are done are scanned only
 * once.
 */
export async function forgetNumbers({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const projects = await db.many<{ id: string; until: Date }>(sql`
    select id, date_trunc('day', (${clock()}::timestamptz - make_interval(days => raw_history_days)) at time zone 'UTC')
      at time zone 'UTC' as until
    from projects where raw_history_days < ${reportPartition.keptDays}`);
  for (const { id, until } of projects) {
    for (let after = ''; ; ) {
      const devices = await db.many<{ id: string }>(sql`
        select id from devices where project_id = ${id} and id > ${after} order by id limit ${devicesAtOnce}`);
      const ids = devices.map(device => device.id);
      while ((await forgetSome(db, id, ids, until)) === rowsAtOnce);
      if (ids.length < devicesAtOnce) break;
      after = ids.at(-1) ?? '';
    }
  }
}

function forgetSome(db: Db, projectId: string, deviceIds: readonly string[], until: Date): Promise<number> {
  return db.run(sql`
    update state_reports set numbers = null where (tableoid, ctid) in (
      select tableoid, ctid from state_reports
      where project_id = ${projectId} and device_id = any(${deviceIds}) and ts < ${until} and numbers is not null
      limit ${rowsAtOnce})`);
}
