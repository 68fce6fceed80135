import { Problem } from '#contract/problem.ts';
import { type createRollout, type Rollout, rolloutGates } from '#contract/rollout.ts';
import { rolloutDefaults } from '#rules/firmware/rolloutDefaults.ts';
import { stepsRise } from '#rules/firmware/rolloutSteps.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { chooseDevices } from '#server/firmware/outcomes/chosenDevices.ts';
import { recordEvents } from '#server/firmware/outcomes/recordEvents.ts';
import { insertRollout, type NewRollout } from '#server/firmware/outcomes/rolloutRows.ts';
import { type Db, empty, sql } from '#server/infra/db/sql.ts';
import { actOn } from './actOn.ts';
import { channelKey } from './eligible.ts';
import { lockRollout, readOut } from './store.ts';

export interface FoundChannel {
  id: string;
  projectId: string;
  name: string;
  deviceClass: string;
  bundleId: string | null;
}

export function findChannel(
  db: Db,
  projectId: string,
  id: string,
  { lock = false } = {},
): Promise<FoundChannel | undefined> {
  return db.one<FoundChannel>(sql`
    select id, project_id as "projectId", name, device_class as "deviceClass", bundle_id as "bundleId" from channels
    where project_id = ${projectId} and id = ${id} ${lock ? sql`for no key update` : empty}`);
}

/** Locks the channel, so that its bundle cannot change until the transaction ends. */
export const lockChannel = (db: Db, projectId: string, id: string) =>
  findChannel(db, projectId, id, { lock: true });

export async function create(call: Call<typeof createRollout>): Promise<Rollout> {
  const { db, body, projectId = '', me, now, platform } = call;
  const channel = await lockChannel(db, projectId, body.channelId);
  if (!channel) throw new Problem('CHANNEL_NOT_FOUND');
  const bundle = await bundleOf(db, channel, body.bundleId);
  if (channel.bundleId === bundle.id) throw new Problem('BUNDLE_UNCHANGED');
  const { steps = [...rolloutDefaults.steps] } = body;
  if (!stepsRise(steps)) throw new Problem('STEPS_UNFIT');
  const actor = { id: me.developerId, name: me.name };
  const id = platform.newId('rol', now);
  await addDraft(db, {
    projectId,
    id,
    channelId: channel.id,
    deviceClass: channel.deviceClass,
    bundleId: bundle.id,
    fromBundleId: channel.bundleId,
    rollsBack: null,
    steps,
    ...settingsOf(body),
    createdBy: actor,
    now,
  });
  await choose(call, channel, id);
  if (body.start) await actOn(db, { projectId, rolloutId: id }, 'start', { actor, now });
  call.about = { orgId: me.orgId, fields: { bundleName: bundle.name, channelName: channel.name } };
  const made = await lockRollout(db, { projectId, rolloutId: id });
  if (!made) throw new Error('The rollout was not stored.');
  return readOut(db, made);
}

function settingsOf(body: Call<typeof createRollout>['body']) {
  const { delayS, soakS, failurePercent } = rolloutDefaults;
  return {
    rate: body.rate === undefined ? rolloutDefaults.rate : body.rate,
    delayS: body.delayS ?? delayS,
    soakS: body.soakS ?? soakS,
    failurePercent: body.failurePercent ?? failurePercent,
    gates: body.gates ?? [...rolloutGates],
    leavesOutDowngrades: body.leavesOutDowngrades ?? false,
  };
}

export async function addDraft(db: Db, draft: NewRollout): Promise<void> {
  await insertRollout(db, draft);
  const { projectId, id: rolloutId, createdBy: actor, now: at } = draft;
  await recordEvents(db, [{ projectId, rolloutId, kind: 'created', text: 'Rollout created.', actor, at }]);
}

/** A bundle of the channel's class. */
export async function bundleOf(
  db: Db,
  { projectId, deviceClass }: FoundChannel,
  id: string,
): Promise<{ id: string; name: string }> {
  const bundle = await db.one<{ id: string; name: string }>(sql`
    select id, name from bundles where project_id = ${projectId} and device_class = ${deviceClass} and id = ${id}
    for key share`);
  if (!bundle) throw new Problem('BUNDLE_NOT_FOUND');
  return bundle;
}

async function choose(
  { db, body }: Call<typeof createRollout>,
  { id: channelId, projectId, deviceClass }: FoundChannel,
  rolloutId: string,
): Promise<void> {
  if (!body.deviceIds?.length) return;
  const ids = [...new Set(body.deviceIds)];
  const ofChannel = sql`
    d.device_class = ${deviceClass} and d.channel = (
      select ${channelKey} from channels c where c.project_id = ${projectId} and c.id = ${channelId})`;
  const chosen = await chooseDevices(db, { projectId, rolloutId, ids }, ofChannel);
  const missing = ids.filter(id => !chosen.has(id));
  if (missing.length > 0) throw new Problem('DEVICE_NOT_FOUND', { context: { ids: missing } });
}
