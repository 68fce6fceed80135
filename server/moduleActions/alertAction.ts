import { raiseAlert, resolveAlert } from '#server/alerts/raiseAlert.ts';
import type { Db } from '#server/db/sql.ts';
import type { OnDevice } from './act.ts';
import type { ActionOf } from './actions.ts';
import type { Needs } from './deviceActions.ts';

/** Of which device, by which module: an alert of a module is its own. */
const sourceOf = ({ module, device, runId }: OnDevice) => ({
  projectId: module.projectId,
  deviceId: device.id,
  source: { kind: 'module', moduleId: module.id, runId } as const,
});

export async function raise(
  db: Db,
  { severity, text, key }: ActionOf<'alert'>,
  acting: OnDevice,
  { platform }: Needs,
): Promise<string> {
  const { isNew } = await raiseAlert(db, platform, {
    ...sourceOf(acting),
    ...{ severity, text, ts: acting.now, hop: acting.causedBy.length },
    ...(key !== '' && { key }),
  });
  return isNew ? `Raised “${text}”` : `“${text}” counted once more`;
}

export async function resolve(
  db: Db,
  { key }: ActionOf<'alert'>,
  acting: OnDevice,
  { platform }: Needs,
): Promise<string> {
  const resolved = await resolveAlert(db, platform, {
    ...sourceOf(acting),
    ...{ ts: acting.now, text: 'The condition no longer holds.' },
    ...(key !== '' && { key }),
  });
  return resolved ? 'Alert resolved' : 'There was no alert to resolve';
}
