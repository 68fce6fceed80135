import { Problem } from '#contract/problem.ts';
import { type AlertAsked, reportAlerts } from '#server/alerts/reportAlerts.ts';
import { type Database, type Db, sql } from '#server/db/sql.ts';
import { GroupCommit } from '#server/pace/groupCommit.ts';
import type { Platform } from '#server/platform.ts';
import type { Acting, OnDevice } from './act.ts';
import type { ActionOf } from './actions.ts';
import type { Needs } from './deviceActions.ts';
import { type Act, type ActKey, actKeyOf, doneBefore, rememberActs } from './rememberActs.ts';

/** Number of alerts that are raised and resolved in one transaction. */
const itemsMax = 100;

/** What an action of a run asks of an alert. */
interface Asked extends ActKey {
  alert: AlertAsked;
  acting: Acting;
}

/** The result is undefined if the device does not exist. */
const commits = new WeakMap<Database, GroupCommit<Asked, string | undefined>>();

/**
 * Raises an alert, or resolves it if the condition no longer holds, and records that in the run. Batched with other
 * runs, because a rule acts for many devices at once.
 */
export async function actOnAlert(
  action: ActionOf<'alert'>,
  number: number,
  acting: Acting,
  platform: Platform,
): Promise<string> {
  const commit = commits.get(platform.db) ?? alertCommit(platform);
  commits.set(platform.db, commit);
  const alert = acting.isOver ? resolving(action, acting) : raising(action, acting);
  const { module, runId } = acting;
  const summary = await commit.add({ projectId: module.projectId, runId, number, alert, acting });
  if (summary === undefined) throw new Problem('DEVICE_NOT_FOUND');
  return summary;
}

/** Raises an alert in the caller's transaction. */
export async function raise(
  db: Db,
  action: ActionOf<'alert'>,
  acting: OnDevice,
  { platform }: Needs,
): Promise<void> {
  const [kept] = await reportAlerts(db, platform, [raising(action, acting)]);
  if (!kept) throw new Problem('DEVICE_NOT_FOUND');
}

function alertCommit(platform: Platform): GroupCommit<Asked, string | undefined> {
  return new GroupCommit({
    name: 'module alerts',
    run: asked => platform.db.tx(db => keepAll(db, asked, platform)),
    itemsMax,
  });
}

async function keepAll(db: Db, asked: readonly Asked[], platform: Platform): Promise<(string | undefined)[]> {
  const done = await doneBefore(db, asked);
  const rest = asked.filter(one => !done.has(actKeyOf(one)));
  await tellCauses(db, rest);
  const alerts = rest.map(({ alert }) => alert);
  const acts = (await reportAlerts(db, platform, alerts)).flatMap((kept, at): Act[] => {
    const one = rest[at];
    const summary = one && summaryOf(one.alert, kept);
    if (!one || summary === undefined) return [];
    const { projectId, runId, number, acting } = one;
    return [{ projectId, runId, number, moduleId: acting.module.id, kind: 'alert', summary, at: acting.now }];
  });
  await rememberActs(db, acts);
  for (const act of acts) done.set(actKeyOf(act), act.summary);
  return asked.map(one => done.get(actKeyOf(one)));
}

/** Tells the triggers which runs led to each alert, by its module and device. */
async function tellCauses(db: Db, asked: readonly Asked[]): Promise<void> {
  const causes = asked.map(({ acting: { module, device, causedBy, runId } }) => [
    `${module.id} ${device.id}`,
    [...causedBy, runId],
  ]);
  const text = JSON.stringify(Object.fromEntries(causes));
  await db.run(sql`select set_config('mooring.caused_by_alerts', ${text}, true)`);
}

function summaryOf({ resolved, text }: AlertAsked, kept: { isNew: boolean } | undefined): string | undefined {
  if (resolved) return kept ? 'Alert resolved' : 'There was no alert to resolve';
  if (!kept) return undefined;
  return kept.isNew ? `Raised “${text}”` : `“${text}” counted again`;
}

function raising({ severity, text, key }: ActionOf<'alert'>, acting: OnDevice): AlertAsked {
  const said = { resolved: false, severity, text, hop: acting.causedBy.length } as const;
  return { ...aboutOf(acting, key), ...said };
}

function resolving({ key }: ActionOf<'alert'>, acting: OnDevice): AlertAsked {
  return { ...aboutOf(acting, key), resolved: true, text: 'The condition no longer holds.' };
}

/** The device and module: the alerts of each module are separate. */
const aboutOf = ({ module, device, runId, now }: OnDevice, key: string) => ({
  ...{ projectId: module.projectId, deviceId: device.id, ts: now },
  source: { kind: 'module', moduleId: module.id, runId } as const,
  ...(key !== '' && { key }),
});
