import { Problem } from '#contract/problem.ts';
import { type EndingAlert, endingAlerts } from '#server/devices/alerts/endingAlerts.ts';
import { type AlertAsked, reportAlerts } from '#server/devices/alerts/reportAlerts.ts';
import { GroupCommit } from '#server/infra/db/groupCommit.ts';
import { type Database, type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { Acting, OnDevice } from './act.ts';
import type { ActionOf } from './actions.ts';
import type { Needs } from './deviceActions.ts';
import { type Act, type ActKey, actKeyOf, doneBefore, rememberActs } from './rememberActs.ts';

/** Number of alerts that are raised and resolved in one transaction. */
const itemsMax = 100;

/** What an action of a run asks of alerts. `alert`: the one it raises; undefined: it resolves those of the condition. */
interface Asked extends ActKey {
  alert: AlertAsked | undefined;
  acting: Acting;
}

/** The result is undefined if the device does not exist. */
const commits = new WeakMap<Database, GroupCommit<Asked, string | undefined>>();

/**
 * Raises an alert and records that in the run. Batched with other runs, because a rule acts for many devices at once.
 */
export function raiseAlert(
  action: ActionOf<'alert'>,
  number: number,
  acting: Acting,
  platform: Platform,
): Promise<string> {
  return reportAlert({ number, alert: raising(action, acting), acting }, platform);
}

/** Resolves the alerts of a condition that no longer holds, and records that as one action of the run. */
export function resolveAlerts(number: number, acting: Acting, platform: Platform): Promise<string> {
  return reportAlert({ number, alert: undefined, acting }, platform);
}

async function reportAlert(
  asked: Pick<Asked, 'number' | 'alert' | 'acting'>,
  platform: Platform,
): Promise<string> {
  const commit = commits.get(platform.db) ?? alertCommit(platform);
  commits.set(platform.db, commit);
  const { module, runId } = asked.acting;
  const summary = await commit.add({ ...asked, projectId: module.projectId, runId });
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
    run: asked => platform.db.tx(db => reportAll(db, asked, platform)),
    itemsMax,
  });
}

async function reportAll(
  db: Db,
  asked: readonly Asked[],
  platform: Platform,
): Promise<(string | undefined)[]> {
  const done = await doneBefore(db, asked);
  const rest = asked.filter(one => !done.has(actKeyOf(one)));
  await setCauses(db, rest);
  const over = rest.filter(({ alert }) => !alert).map(({ acting }) => placeOf(acting));
  const ending = await endingAlerts(db, over);
  const reports = rest.map(one => (one.alert ? [one.alert] : resolving(one.acting, ending)));
  const kept = (await reportAlerts(db, platform, reports.flat())).values();
  const acts = rest.flatMap(({ projectId, runId, number, alert, acting }, at): Act[] => {
    const here = (reports[at] ?? []).flatMap(() => kept.next().value ?? []);
    const summary = alert ? raisedSummary(alert, here[0]) : resolvedSummary(here.length);
    if (summary === undefined) return [];
    return [{ projectId, runId, number, moduleId: acting.module.id, kind: 'alert', summary, at: acting.now }];
  });
  await rememberActs(db, acts);
  for (const act of acts) done.set(actKeyOf(act), act.summary);
  return asked.map(one => done.get(actKeyOf(one)));
}

/** Tells the triggers which runs led to each alert, by its module and device. */
async function setCauses(db: Db, asked: readonly Asked[]): Promise<void> {
  const causes = asked.map(({ acting: { module, device, causedBy, runId } }) => [
    `${module.id} ${device.id}`,
    [...causedBy, runId],
  ]);
  const text = JSON.stringify(Object.fromEntries(causes));
  await db.run(sql`select set_config('mooring.caused_by_alerts', ${text}, true)`);
}

function raisedSummary({ text }: AlertAsked, kept: { isNew: boolean } | undefined): string | undefined {
  if (!kept) return undefined;
  return kept.isNew ? `Raised “${text}”` : `“${text}” counted again`;
}

function resolvedSummary(count: number): string {
  if (count === 0) return 'There was no alert to resolve';
  return count === 1 ? 'Alert resolved' : `${count} alerts resolved`;
}

function raising({ severity, text, key, resolves }: ActionOf<'alert'>, acting: OnDevice): AlertAsked {
  const said = { resolved: false, severity, text, hop: acting.causedBy.length } as const;
  return { ...aboutOf(acting), ...(key !== '' && { key }), ...said, endsWithCondition: resolves };
}

function resolving(acting: OnDevice, ending: readonly EndingAlert[]): AlertAsked[] {
  const { moduleId, deviceId } = placeOf(acting);
  return ending
    .filter(alert => alert.moduleId === moduleId && alert.deviceId === deviceId)
    .map(({ key }) => ({ ...aboutOf(acting), key, resolved: true, text: 'The condition no longer holds.' }));
}

const placeOf = ({ module, device }: OnDevice) => ({
  projectId: module.projectId,
  moduleId: module.id,
  deviceId: device.id,
});

/** The device and module: the alerts of each module are separate. */
const aboutOf = ({ module, device, runId, now }: OnDevice) => ({
  projectId: module.projectId,
  deviceId: device.id,
  ts: now,
  source: { kind: 'module', moduleId: module.id, runId } as const,
});
