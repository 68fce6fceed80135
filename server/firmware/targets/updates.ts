import type { DeviceUpdate, HomeAnswer, TargetOrigin } from '#contract/deviceFirmware.ts';
import type { FailureClass, UpdateState, UpdateWait } from '#contract/deviceWire.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { pageOf } from '#server/infra/db/rows.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

interface Row {
  sequence: number;
  bundleId: string | null;
  bundleName: string | null;
  origin: TargetOrigin | null;
  rolloutId: string | null;
  assignedAt: Date;
  offeredAt: Date | null;
  state: UpdateState;
  stateAt: Date;
  waitsFor: UpdateWait | null;
  consent: HomeAnswer | null;
  component: string | null;
  percent: number | null;
  bytes: number;
  deltaBytes: number | null;
  failure: FailureClass | null;
  code: string | null;
  error: string | null;
  attempts: number;
  retryAt: Date | null;
}

interface Who {
  projectId: string;
  id: string;
}

const shared = sql`sequence, bundle_id as "bundleId", origin, rollout_id as "rolloutId", assigned_at as "assignedAt",
  offered_at as "offeredAt", state, failure, code, error, attempts, bytes::float8 as bytes,
  delta_bytes::float8 as "deltaBytes", consent`;

const ofTarget = ({ projectId, id }: Who) => sql`
  select ${shared}, (select b.name from bundles b where b.project_id = t.project_id and b.id = t.bundle_id) as "bundleName",
    state_at as "stateAt", waits_for as "waitsFor", component, percent::float8 as percent, retry_at as "retryAt"
  from device_targets t where t.project_id = ${projectId} and t.device_id = ${id}`;

/** What a device should run; undefined if nothing was ever assigned to it. */
export async function currentUpdate(db: Db, device: Who): Promise<DeviceUpdate | undefined> {
  const row = await db.one<Row>(ofTarget(device));
  return row && toUpdate(row);
}

/** Includes the current one. */
export async function updatesOf(
  db: Db,
  device: Who,
  page: PageAsked,
): Promise<{ items: DeviceUpdate[]; total: number }> {
  return pageOf(db, {
    columns: sql`u.*`,
    from: sql`(${ofTarget(device)} union all
      select ${shared}, bundle_name, ended_at, null, null, null, null from device_updates
      where project_id = ${device.projectId} and device_id = ${device.id}) as u`,
    where: sql`true`,
    orders: { sequence: 'u.sequence' },
    key: sql`u.sequence`,
    page,
    as: toUpdate,
  });
}

/** How many updates a timeline shows; a device has a few dozen in its life. */
const stepsMax = 500;

/** Each update of a device when it was assigned, and when it came to its state. */
export async function updateSteps(
  db: Db,
  device: Who,
): Promise<{ step: 'assigned' | 'state'; update: DeviceUpdate }[]> {
  const page = { limit: stepsMax, skip: 0, sortBy: 'sequence', descending: true, search: undefined };
  const { items } = await updatesOf(db, device, page);
  return items.flatMap(update => [
    { step: 'state' as const, update },
    { step: 'assigned' as const, update },
  ]);
}

function toUpdate(row: Row): DeviceUpdate {
  const { bundleId, bundleName, origin, rolloutId, offeredAt, component, percent, retryAt } = row;
  const { failure, code, error } = row;
  return {
    sequence: row.sequence,
    ...(bundleId !== null && { bundle: { id: bundleId, name: bundleName ?? bundleId } }),
    ...(origin !== null && { origin }),
    ...(rolloutId !== null && { rolloutId }),
    assignedAt: row.assignedAt.toISOString(),
    ...(offeredAt && { offeredAt: offeredAt.toISOString() }),
    state: row.state,
    stateAt: row.stateAt.toISOString(),
    ...(row.waitsFor !== null && { waitsFor: row.waitsFor }),
    ...(row.consent !== null && { consent: row.consent }),
    ...(component !== null && { component }),
    ...(percent !== null && { percent }),
    bytes: row.bytes,
    ...(row.deltaBytes !== null && { deltaBytes: row.deltaBytes }),
    ...(failure !== null && { failure }),
    ...(code !== null && { code }),
    ...(error !== null && { error }),
    attempts: row.attempts,
    ...(retryAt && { retryAt: retryAt.toISOString() }),
  };
}
