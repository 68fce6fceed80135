import { type Db, sql } from '#server/infra/db/sql.ts';
import { batch, type Chore, daysBefore } from '#server/infra/jobs/housekeeping.ts';
import { Gathering } from '#server/infra/pace/gathering.ts';
import { hourText } from '#server/infra/pace/hourText.ts';
import type { Platform } from '#server/infra/platform.ts';

/** The number of event names counted per class and hour; a device can send any name. */
export const namesMax = 200;
const shownMax = 100;

interface Counted {
  projectId: string;
  deviceClass: string;
  name: string;
  hour: string;
  count: number;
}

/** Counts the events of devices by class, name and hour. */
export class EventHours {
  readonly #platform: Pick<Platform, 'clock'>;
  readonly #counts: Gathering<{ count: number }>;

  constructor({ db, log, clock }: Pick<Platform, 'db' | 'log' | 'clock'>) {
    this.#platform = { clock };
    this.#counts = new Gathering({
      name: 'events',
      log,
      make: () => ({ count: 0 }),
      add: (earlier, later) => ({ count: earlier.count + later.count }),
      store: all => storeHours(db, [...all].map(toCounted)),
    });
  }

  count({ projectId, deviceClass }: { projectId: string; deviceClass: string }, name: string): void {
    const hour = hourText(this.#platform.clock());
    this.#counts.of(`${projectId} ${deviceClass} ${name} ${hour}`).count += 1;
  }

  flush(): Promise<void> {
    return this.#counts.flush();
  }
}

/** None of the parts contains a space. */
function toCounted([key, { count }]: [string, { count: number }]): Counted {
  const [projectId = '', deviceClass = '', name = '', hour = ''] = key.split(' ');
  return { projectId, deviceClass, name, hour, count };
}

/**
 * Counts only for projects that still exist: what is written after the deletion of a project would stay for ever. Of the
 * names that are new in an hour, the most frequent get the places that are left.
 */
async function storeHours(db: Db, rows: Counted[]): Promise<void> {
  await db.run(sql`
    with living as materialized (
      select c.*, exists (
        select from event_hours e where e.project_id = c.project_id and e.hour = c.hour
          and e.device_class = c.device_class and e.name = c.name) as is_known
      from unnest(
        ${rows.map(({ projectId }) => projectId)}::text[], ${rows.map(({ deviceClass }) => deviceClass)}::text[],
        ${rows.map(({ name }) => name)}::text[], ${rows.map(({ hour }) => hour)}::timestamptz[],
        ${rows.map(({ count }) => count)}::bigint[]) as c (project_id, device_class, name, hour, count)
      join projects p on p.id = c.project_id and p.deleted_at is null
      for key share of p),
    placed as (
      select *, row_number() over (
        partition by project_id, device_class, hour, is_known order by count desc, name) as place
      from living)
    insert into event_hours as e (project_id, device_class, name, hour, count)
    select project_id, device_class, name, hour, count from placed n
    where is_known or place + (
      select count(*) from event_hours
      where project_id = n.project_id and hour = n.hour and device_class = n.device_class) <= ${namesMax}
    on conflict (project_id, hour, device_class, name) do update set count = e.count + excluded.count`);
}

/** The event names of the last 24 hours, the most frequent first. */
export function eventsByName(
  db: Db,
  projectId: string,
  now: Date,
): Promise<{ name: string; deviceClass: string; count: number }[]> {
  return db.many(sql`
    select name, device_class as "deviceClass", sum(count)::float8 as count from event_hours
    where project_id = ${projectId} and hour > ${daysBefore(now, 1)}
    group by name, device_class order by 3 desc, 1, 2 limit ${shownMax}`);
}

export const eventHoursChore: Chore = {
  name: 'events by hour',
  deletes: now => sql`
    delete from event_hours where (project_id, hour, device_class, name) in (
      select project_id, hour, device_class, name from event_hours where hour < ${daysBefore(now, 2)} limit ${batch})
    returning 1`,
};
