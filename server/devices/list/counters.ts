import { empty, raw, type Sql, sql } from '#server/db/sql.ts';
import { type DeviceFilter, deviceConditions, presenceConditions } from './filters.ts';

type Counter =
  | 'claimed'
  | 'unclaimed'
  | 'connected'
  | 'disconnected'
  | 'suspended'
  | typeof all
  | typeof never;
const all = 'claimed + unclaimed';
/** All that are in no other state. */
const never = 'claimed + unclaimed - connected - disconnected - suspended';

/** How many devices match, as a column, where the counters know: by class, claimed and state. */
export function countOf(filter: DeviceFilter): Sql | undefined {
  const counter = counterOf(filter);
  return counter && sum(filter, counter);
}

function counterOf(filter: DeviceFilter): Counter | undefined {
  const { claimed, state } = filter;
  const conditions = deviceConditions(filter).length + presenceConditions(filter).length;
  if (conditions === 0) return all;
  if (conditions > 1) return undefined;
  if (state !== undefined) return state === 'never' ? never : state;
  return claimed === undefined ? undefined : claimed ? 'claimed' : 'unclaimed';
}

/** What the counters say, as a column; triggers keep them exact at any size. */
export function sum({ projectId, deviceClass }: DeviceFilter, counter: Counter): Sql {
  return sql`(
    select coalesce(sum(${raw(counter)}), 0)::float8 from device_counts
    where project_id = ${projectId} ${deviceClass ? sql`and device_class = ${deviceClass}` : empty})`;
}

/** How many devices are in each state, as columns. */
export const stateColumns = (filter: DeviceFilter): Sql => sql`
  ${sum(filter, 'connected')} as connected, ${sum(filter, 'disconnected')} as disconnected,
  ${sum(filter, never)} as never, ${sum(filter, 'suspended')} as suspended`;
