import { type MessageHours, messageHoursMax } from '#contract/stats.ts';
import { dayMs, hourMs } from '#rules/time/durations.ts';
import { retentionDays } from '#rules/time/retention.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { batch, type Chore } from '#server/infra/jobs/housekeeping.ts';

const dayHours = 24;

/** The last week by hour, and the last day by class. */
export async function messageHoursOf(db: Db, projectId: string, now: Date): Promise<MessageHours> {
  const since = (hours: number) => new Date(now.getTime() - hours * hourMs);
  const hours = await db.many<{ hour: Date; incoming: number; outgoing: number }>(sql`
    select hour, sum(incoming)::float8 as incoming, sum(outgoing)::float8 as outgoing from message_hours
    where project_id = ${projectId} and hour > ${since(messageHoursMax)}
    group by hour order by hour limit ${messageHoursMax + 1}`);
  const ofClasses = await db.many<{ deviceClass: string; hour: Date; messages: number }>(sql`
    select device_class as "deviceClass", hour, (incoming + outgoing)::float8 as messages from message_hours
    where project_id = ${projectId} and hour > ${since(dayHours)}
    order by device_class, hour limit ${rowsMax}`);
  const byClass = Map.groupBy(ofClasses, ({ deviceClass }) => deviceClass);
  return {
    hours: hours.map(row => ({ ...row, hour: row.hour.toISOString() })),
    classes: [...byClass].map(([deviceClass, rows]) => ({
      deviceClass,
      hours: rows.map(({ hour, messages }) => ({ hour: hour.toISOString(), messages })),
    })),
  };
}

/** Enough for a day of two hundred classes. */
const rowsMax = 200 * (dayHours + 1);

export const messageHoursChores: readonly Chore[] = [
  {
    name: 'message hours',
    deletes: now => sql`
      delete from message_hours where (project_id, device_class, hour) in (
        select project_id, device_class, hour from message_hours
        where hour < ${new Date(now.getTime() - retentionDays.messageHours * dayMs)} limit ${batch}) returning 1`,
  },
];
