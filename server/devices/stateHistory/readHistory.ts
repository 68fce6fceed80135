import { historyRangeDays, pointsMax, pointsOfAllMax, type StateHistory } from '#contract/stateHistory.ts';
import { dividedNumbers } from '#rules/state/stateNumbers.ts';
import { timeRange } from '#server/api/http/timeRange.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { subjectOfClass } from './historyTables.ts';
import { type Chosen, chooseResolution, type KeptDays } from './resolution.ts';
import { hasTooMany, seriesOf } from './series.ts';

export interface Asking {
  db: Db;
  now: Date;
  query: { begin: string; end: string; property?: string | undefined; points?: number | undefined };
}

interface OfDevice {
  projectId: string;
  id: string;
}

/** The history of a device; only from `since` on, when it joined the home that asks. */
export async function deviceHistoryOf(asking: Asking, device: OfDevice, since?: Date): Promise<StateHistory> {
  const { db, query } = asking;
  const { projectId, id: deviceId } = device;
  const of = { projectId, subject: deviceId, deviceId, property: query.property, since };
  let chosen = await chosenFor(asking, projectId);
  if (chosen.resolution === 'raw' && (await hasTooMany(db, of, chosen)))
    chosen = await chosenFor(asking, projectId, { withoutRaw: true });
  return { ...toAnswer(chosen), series: await seriesOf(db, of, chosen) };
}

export const classHistoryOf = (asking: Asking, of: OfDevice): Promise<StateHistory> =>
  figuresOfClass(asking, of, { withoutRaw: true });

async function figuresOfClass(
  asking: Asking,
  { projectId, id }: OfDevice,
  given: Given,
): Promise<StateHistory> {
  const chosen = await chosenFor(asking, projectId, given);
  const of = { projectId, subject: subjectOfClass(id), property: asking.query.property };
  return { ...toAnswer(chosen), series: await seriesOf(asking.db, of, chosen) };
}

type Given = { withoutRaw?: boolean; rangeFactor?: number; points?: number };

export async function chosenFor(
  { db, now, query }: Asking,
  projectId: string,
  given: Given = {},
): Promise<Chosen> {
  const max = query.property === undefined ? pointsOfAllMax : pointsMax;
  const points = Math.min(max, query.points ?? max);
  const kept = await keptDaysOf(db, projectId);
  return chooseResolution({ ...timeRange(query, historyRangeDays), now, points, kept, ...given });
}

async function keptDaysOf(db: Db, projectId: string): Promise<KeptDays> {
  const row = await db.one<KeptDays>(sql`
    select raw_history_days as raw, five_minute_history_days as "fiveMinute", hourly_history_days as hourly
    from projects where id = ${projectId}`);
  return row ?? { raw: 0, fiveMinute: 0, hourly: 0 };
}

function toAnswer({ begin, end, resolution, stepS }: Chosen) {
  return { begin: begin.toISOString(), end: end.toISOString(), resolution, stepS };
}

/** The properties that a device currently reports but that have no history. */
export async function withoutHistory(db: Db, { projectId, id }: OfDevice): Promise<string[]> {
  const row = await db.one<{ reported: Record<string, unknown>; left: string[] }>(sql`
    select s.reported, array(
      select k.property from state_properties k where k.project_id = ${projectId} and not k.is_kept) as left
    from device_states s where s.project_id = ${projectId} and s.device_id = ${id}`);
  if (!row) return [];
  const { kept, left } = dividedNumbers(row.reported);
  return [...left.slice(0, namedMax), ...row.left.filter(name => kept.has(name))];
}

const namedMax = 100;
