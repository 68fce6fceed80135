import type { RolloutState, rolloutSettings } from '#contract/rollout.ts';
import { updateRow } from '#server/infra/db/rows.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

type Settings = { [Name in keyof typeof rolloutSettings]: (typeof rolloutSettings)[Name]['_output'] };

export interface NewRollout extends Settings {
  projectId: string;
  id: string;
  deviceClass: string;
  channelId: string;
  bundleId: string;
  fromBundleId: string | null;
  rollsBack: string | null;
  createdBy: { id: string; name: string };
  now: Date;
}

/** Adds a draft, with the names of its bundles, which are kept even if the bundles are deleted. */
export async function insertRollout(db: Db, given: NewRollout): Promise<void> {
  const nameOf = (id: string | null) =>
    sql`coalesce((select name from bundles where project_id = ${given.projectId} and id = ${id}), '')`;
  await db.run(sql`
    insert into rollouts (project_id, id, device_class, channel_id, bundle_id, bundle_name, from_bundle_id,
      from_bundle_name, state, rolls_back, steps, rate, delay_s, soak_s, failure_percent, gates, leaves_out_downgrades,
      created_by, created_by_name, created_at)
    values (${given.projectId}, ${given.id}, ${given.deviceClass}, ${given.channelId}, ${given.bundleId},
      ${nameOf(given.bundleId)}, ${given.fromBundleId}, ${nameOf(given.fromBundleId)}, 'draft', ${given.rollsBack},
      ${JSON.stringify(given.steps)}, ${given.rate}, ${given.delayS}, ${given.soakS}, ${given.failurePercent},
      ${given.gates}::text[], ${given.leavesOutDowngrades},
      ${given.createdBy.id}, ${given.createdBy.name}, ${given.now})`);
}

const columnOf: Record<keyof Settings, string> = {
  steps: 'steps',
  rate: 'rate',
  delayS: 'delay_s',
  soakS: 'soak_s',
  failurePercent: 'failure_percent',
  gates: 'gates',
  leavesOutDowngrades: 'leaves_out_downgrades',
};

interface Key {
  projectId: string;
  id: string;
}

export async function updateSettings(
  db: Db,
  { projectId, id }: Key,
  { steps, gates, ...edit }: { [Name in keyof Settings]?: Settings[Name] | undefined },
): Promise<void> {
  const kept = { ...edit, steps: steps && JSON.stringify(steps), gates: gates && literal(gates) };
  await updateRow(db, 'rollouts', { project_id: projectId, id }, kept, columnOf);
}

/** A PostgreSQL array literal. The names of gates need no quotes. */
const literal = (names: readonly string[]) => `{${names.join(',')}}`;

export interface SavedCourse {
  state: RolloutState;
  steps: readonly object[];
  step: number;
  settledAt: Date | null;
  pausedBy: string | null;
  pauseCause: string | null;
  stepStartedAt: Date | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  gatesFrom: Date | null;
}

/**
 * Writes the progress of a rollout. The revision increases with its state, because an edit then applies to a different
 * state.
 */
export async function saveCourse(db: Db, { projectId, id }: Key, course: SavedCourse): Promise<void> {
  await db.run(sql`
    update rollouts set state = ${course.state}, steps = ${JSON.stringify(course.steps)}, step = ${course.step},
      settled_at = ${course.settledAt}, paused_by = ${course.pausedBy}, pause_cause = ${course.pauseCause},
      step_started_at = ${course.stepStartedAt}, started_at = ${course.startedAt},
      finished_at = ${course.finishedAt}, gates_from = ${course.gatesFrom},
      revision = revision + (state <> ${course.state})::int
    where project_id = ${projectId} and id = ${id}`);
}

/** Kept until an outcome changes. */
export async function saveFinalCounts(db: Db, { projectId, id }: Key, counts: object): Promise<void> {
  await db.run(sql`
    update rollouts set final_counts = ${JSON.stringify(counts)} where project_id = ${projectId} and id = ${id}`);
}
