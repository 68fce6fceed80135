import { sql } from '#server/infra/db/sql.ts';
import type { ExampleRows } from './exampleRows.ts';

/** The device is being updated, and the update is in this state. */
export async function aTarget(rows: ExampleRows, { state }: { state: 'ready' | 'failed' }): Promise<void> {
  const [deviceId, bundleId, now] = [await rows.id('device'), await rows.id('bundle'), rows.at.world.now()];
  await rows.db.run(sql`
    insert into device_targets (project_id, device_id, device_class, sequence, bundle_id, origin, assigned_at, state,
      state_at, failure, waits_for)
    values (${rows.projectId}, ${deviceId}, 'thermostat', 0, ${bundleId}, 'channel', ${now}, ${state}, ${now},
      ${state === 'failed' ? 'final' : null}, ${state === 'ready' ? 'consent' : null})
    on conflict (project_id, device_id) do update set sequence = 0, bundle_id = excluded.bundle_id,
      state = excluded.state, failure = excluded.failure, waits_for = excluded.waits_for`);
}
