import type { DesiredChange } from '#contract/desiredChange.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { publishLive } from '#server/api/http/live.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { givesUpRemoval, isLeftToDo, patchBetween, stillAsks } from './patchBetween.ts';
import {
  type DesiredChangeRow,
  endChanges,
  insertChange,
  type OpenChange,
  openChanges,
  toDesiredChange,
} from './store.ts';

type JsonObject = DesiredChange['patch'];

interface Changed {
  projectId: string;
  id: string;
  version: number;
  reported: JsonObject;
  before: JsonObject;
  desired: JsonObject;
}

/** The author of a change, and the call that made it. */
export interface Changer {
  setBy: DesiredChange['setBy'];
  call?: Pick<Call, 'now' | 'from'>;
}

/**
 * Stores a change of a desired state, in the transaction that makes it, with the state locked. Earlier changes that it
 * reverts end with it. Returns the changes to publish to consoles.
 */
export async function storeChange(
  db: Db,
  { projectId, id, version, reported, before, desired }: Changed,
  { setBy, call }: Changer,
  now: Date,
): Promise<DesiredChange[]> {
  const patch = patchBetween(before, desired) as JsonObject;
  const isLeft = isLeftToDo(patch, desired, reported);
  const row: DesiredChangeRow = {
    projectId,
    deviceId: id,
    version,
    patch,
    setBy,
    createdAt: now,
    calledAt: call?.now ?? null,
    requestId: call?.from.requestId ?? null,
    sentAt: null,
    acknowledgedAt: null,
    reportedAt: isLeft ? null : now,
    replacedAt: null,
  };
  const takenBack = (await openChanges(db, [{ projectId, id }])).filter(
    open => !stillAsks(desired, open.patch) || givesUpRemoval(before, desired, open.patch),
  );
  await insertChange(db, row);
  const ended = takenBack.map(open => ({ ...open, at: now }));
  const replaced = ended.length > 0 ? await endChanges(db, 'replaced', ended) : [];
  return [...replaced, row].map(toDesiredChange);
}

export function publishChanges(
  platform: Pick<Platform, 'bus'>,
  projectId: string,
  changes: readonly DesiredChange[],
): void {
  for (const data of changes)
    publishLive(platform, projectId, {
      kind: 'device',
      deviceId: data.deviceId,
      what: 'desiredChange',
      data,
    });
}

/** A device that reported something that is desired. */
export interface Reported {
  device: { projectId: string; id: string };
  reported: Readonly<Record<string, unknown>>;
  desired: Readonly<Record<string, unknown>>;
  at: Date;
}

/**
 * Ends the changes that these devices have reported, in the transaction that stores the reports. `open`: the changes
 * that had not been reported before, whether they end now or not.
 */
export async function endReported(
  db: Db,
  reports: readonly Reported[],
): Promise<{ open: OpenChange[]; ended: DesiredChangeRow[] }> {
  if (reports.length === 0) return { open: [], ended: [] };
  const byDevice = new Map(reports.map(one => [one.device.id, one]));
  const open = await openChanges(
    db,
    reports.map(({ device }) => device),
  );
  const ended = open.flatMap(change => {
    const report = byDevice.get(change.deviceId);
    const isDone = report && !isLeftToDo(change.patch, report.desired, report.reported);
    return isDone ? [{ ...change, at: report.at }] : [];
  });
  return { open, ended: ended.length > 0 ? await endChanges(db, 'reported', ended) : [] };
}
