import { type Db, sql } from '#server/db/sql.ts';
import { GroupCommit } from '#server/pace/groupCommit.ts';
import type { Platform } from '#server/platform.ts';

const itemsMax = 500;

interface Handed {
  projectId: string;
  deviceId: string;
  sequence: number;
}

interface Who {
  projectId: string;
  id: string;
}

/** Notes that devices were handed their target: that they acknowledged it, or fetched it. */
export class HandedTargets {
  readonly #platform: Pick<Platform, 'db' | 'clock' | 'log'>;
  readonly #handed: GroupCommit<Handed, boolean>;
  readonly #changed: (device: Who) => void;

  /** `changed`: a device that was waited for has its offer now. */
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
      // The target stays `waiting` until the device reports, or is handed it again.
      error => this.#platform.log('warn', 'An offer could not be noted', { error: String(error) }),
    );
  }

  stop(): Promise<void> {
    return this.#handed.stop();
  }
}

async function offer(db: Db, all: readonly Handed[], now: Date): Promise<boolean[]> {
  const rows = await db.many<{ id: string }>(sql`
    with there as (
      select t.project_id, t.device_id from unnest(
        ${all.map(one => one.projectId)}::text[], ${all.map(one => one.deviceId)}::text[],
        ${all.map(one => one.sequence)}::int[]) as handed (project_id, device_id, sequence)
      join device_targets t on t.project_id = handed.project_id and t.device_id = handed.device_id
        and t.sequence = handed.sequence
      where t.state = 'waiting' order by t.device_id for no key update of t)
    update device_targets t set state = 'offered', state_at = ${now}, offered_at = coalesce(t.offered_at, ${now}),
      connected_ms = 0, counted_at = ${now}
    from there where t.project_id = there.project_id and t.device_id = there.device_id
    returning t.device_id as id`);
  const ids = new Set(rows.map(({ id }) => id));
  return all.map(({ deviceId }) => ids.has(deviceId));
}
