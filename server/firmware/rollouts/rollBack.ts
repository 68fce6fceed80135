import { Problem } from '#contract/problem.ts';
import { unfinished } from '#contract/rollout.ts';
import { recordEvents } from '#server/firmware/outcomes/recordEvents.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { actOn, type By } from './actOn.ts';
import { addDraft, lockChannel } from './createRollout.ts';
import type { RolloutRecord } from './store.ts';

/**
 * Creates and starts the rollout that takes the devices back, in a single step, because a rollback is urgent. Possible
 * as long as the channel has not moved on to another bundle.
 */
export async function rollBack(
  { db, platform }: { db: Db; platform: Pick<Platform, 'newId'> },
  row: RolloutRecord,
  by: By & { actor: { id: string; name: string } },
): Promise<{ about: { projectId: string; rolloutId: string }; told: string[] }> {
  const { projectId, id, channel, bundle, fromBundle } = row;
  const at = await lockChannel(db, projectId, channel.id);
  const isCurrent = at?.bundleId === bundle.id || at?.bundleId === fromBundle?.id;
  if (
    !fromBundle ||
    fromBundle.isDeleted ||
    bundle.isDeleted ||
    !isCurrent ||
    row.state === 'draft' ||
    row.state === 'superseded'
  )
    throw new Problem('ROLLOUT_STATE');
  const isUnfinished = unfinished.includes(row.state);
  const told = isUnfinished ? await actOn(db, { projectId, rolloutId: id }, 'stop', by) : [];
  const rolloutId = platform.newId('rol', by.now);
  const { rate, delayS, failurePercent, gates } = row;
  await addDraft(db, {
    projectId,
    id: rolloutId,
    channelId: channel.id,
    deviceClass: row.deviceClass,
    bundleId: fromBundle.id,
    fromBundleId: bundle.id,
    rollsBack: id,
    steps: [{ percent: 100, startsBy: 'itself' }],
    rate,
    delayS,
    soakS: 0,
    failurePercent,
    gates,
    leavesOutDowngrades: false,
    createdBy: by.actor,
    now: by.now,
  });
  await actOn(db, { projectId, rolloutId }, 'start', by);
  const text = by.reason ? `Rolled back: ${by.reason}` : 'Rolled back.';
  await recordEvents(db, [
    { projectId, rolloutId: id, kind: 'rolledBack', text, actor: by.actor, at: by.now },
  ]);
  return { about: { projectId, rolloutId }, told };
}
