import { empty, raw, type Sql, sql } from '#server/infra/db/sql.ts';
import { type DeviceFilter, deviceConditions } from './filters.ts';

type Counter =
  | 'claimed'
  | 'unclaimed'
  | 'connected'
  | 'disconnected'
  | 'suspended'
  | typeof all
  | typeof never;
const all = 'claimed + unclaimed';
/** All devices that are in no other state. */
const never = 'claimed + unclaimed - connected - disconnected - suspended';

/** How many devices match, as a column, if the counters can tell: by class, claimed and state. */
export function countOf(filter: DeviceFilter): Sql | undefined {
  const counter = counterOf(filter);
  return counter && sum(filter, counter);
}

function counterOf(filter: DeviceFilter): Counter | undefined {
  const { claimed, state, connectionStatus } = filter;
  const ofDevice = deviceConditions(filter).length;
  if (connectionStatus !== undefined) return undefined;
  if (state !== undefined) return ofDevice > 0 ? undefined : state === 'never' ? never : state;
  if (ofDevice === 0) return all;
  return ofDevice > 1 || claimed === undefined ? undefined : claimed ? 'claimed' : 'unclaimed';
}

/** A counter as a column; triggers keep the counters exact at any size. */
function sum({ projectId, deviceClass }: DeviceFilter, counter: Counter): Sql {
  return sql`(
    select ${column(counter)} from device_counts
    where project_id = ${projectId} ${deviceClass ? sql`and device_class = ${deviceClass}` : empty})`;
}

/** How many devices of a filter never connected, as a column. */
export const neverCount = (filter: DeviceFilter): Sql => sum(filter, never);

const column = (counter: Counter): Sql => sql`coalesce(sum(${raw(counter)}), 0)::float8`;

/** How many devices are in each state, as columns over rows of `device_counts`. */
export const stateSums: Sql = sql`
  ${column('connected')} as connected, ${column('disconnected')} as disconnected, ${column(never)} as never,
  ${column('suspended')} as suspended`;

/** The same, and how many devices are claimed. */
export const deviceSums: Sql = sql`
  ${column('claimed')} as claimed, ${column('unclaimed')} as unclaimed, ${stateSums}`;
