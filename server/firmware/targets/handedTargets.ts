import { GroupCommit } from '#server/infra/db/groupCommit.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';

const itemsMax = 500;

export interface Handed {
  projectId: string;
  deviceId: string;
  sequence: number;
  /** The total size of its deltas. */
  deltaBytes: number | undefined;
}

interface Who {
  projectId: string;
  id: string;
}

/** Records that devices received their target: they acknowledged it or fetched it. */
export class HandedTargets {
  readonly #platform: Pick<Platform, 'db' | 'clock' | 'log'>;
  readonly #handed: GroupCommit<Handed, boolean>;
  readonly #changed: (device: Who) => void;

  /** `changed`: called for a device whose target was waiting and is now offered. */
  constructor(platform: Pick<Platform, 'db' | 'clock' | 'log'>, changed: (device: Who) => void) {
    this.#platform = platform;
    this.#changed = changed;
    this.#handed = new GroupCommit({
      name: 'targets handed',
      run: all => offer(platform.db, all, platform.clock()),
      itemsMax,
      patient: true,
    });
  }

  note(handed: Handed): void {
    this.#handed.add(handed).then(
      isNew => isNew && this.#changed({ projectId: handed.projectId, id: handed.deviceId }),
      // The target stays `waiting` until the device reports or receives it again.
      error => this.#platform.log('warn', 'An offer could not be noted', { error: String(error) }),
    );
  }

  stop(): Promise<void> {
    return this.#handed.stop();
  }
}

/** A target handed out again with a delta is not a new offer, but the delta is recorded. */
async function offer(db: Db, all: readonly Handed[], now: Date): Promise<boolean[]> {
  const rows = await db.many<{ id: string }>(sql`
    with there as (
      select t.project_id, t.device_id, t.state = 'waiting' as is_new, handed.delta_bytes from unnest(
        ${all.map(one => one.projectId)}::text[], ${all.map(one => one.deviceId)}::text[],
        ${all.map(one => one.sequence)}::int[], ${all.map(one => one.deltaBytes ?? null)}::bigint[])
        as handed (project_id, device_id, sequence, delta_bytes)
      join device_targets t on t.project_id = handed.project_id and t.device_id = handed.device_id
        and t.sequence = handed.sequence
      where t.state = 'waiting' or (handed.delta_bytes > 0 and t.delta_bytes is distinct from handed.delta_bytes)
      order by t.device_id for no key update of t)
    update device_targets t set delta_bytes = coalesce(there.delta_bytes, t.delta_bytes),
      state = case when there.is_new then 'offered' else t.state end,
      state_at = case when there.is_new then ${now} else t.state_at end,
      offered_at = coalesce(t.offered_at, ${now}),
      connected_ms = case when there.is_new then 0 else t.connected_ms end,
      counted_at = case when there.is_new then ${now} else t.counted_at end
    from there where t.project_id = there.project_id and t.device_id = there.device_id
    returning t.device_id as id`);
  const ids = new Set(rows.map(({ id }) => id));
  return all.map(({ deviceId }) => ids.has(deviceId));
}
