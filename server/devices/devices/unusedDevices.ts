import { unusedProvisionHours } from '#rules/time/lifetimes.ts';
import { sql } from '#server/infra/db/sql.ts';
import { batch, type Chore } from '#server/infra/jobs/housekeeping.ts';

/** Devices that an app created on demand but that never connected. They have sent nothing, so have no other data. */
export const unusedDevices: Chore = {
  name: 'devices created on demand',
  deletes: now => sql`
    delete from devices where (project_id, id) in (
      select d.project_id, d.id from devices d
      join device_presence s on s.project_id = d.project_id and s.device_id = d.id
      where d.claimed_how = 'onDemand'
        and d.created_at < ${now}::timestamptz - make_interval(hours => ${unusedProvisionHours})
        and s.seen_at is null and s.last_message_at is null
      limit ${batch}) returning 1`,
};
