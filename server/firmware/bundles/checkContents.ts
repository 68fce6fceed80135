import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

interface Contents {
  projectId: string;
  deviceClass: string;
  versionIds: readonly string[];
}

/**
 * Refuses a bundle that devices could not run. The class, the components and the versions stay locked until the bundle
 * is created, so that none can be deleted or renamed in between.
 */
export async function checkContents(db: Db, { projectId, deviceClass, versionIds }: Contents): Promise<void> {
  const found = await db.one(sql`
    select 1 as found from device_classes where project_id = ${projectId} and id = ${deviceClass} for key share`);
  if (!found)
    throw new Problem('DEVICE_CLASS_NOT_FOUND', { fields: { deviceClass: 'DEVICE_CLASS_NOT_FOUND' } });
  const versions = await db.many<{ id: string; componentId: string; state: string }>(sql`
    select v.id, v.component_id as "componentId", v.state from component_versions v
    join components c on c.project_id = v.project_id and c.id = v.component_id
    where v.project_id = ${projectId} and v.id = any(${versionIds}) order by v.id for share`);
  const known = new Set(versions.map(({ id }) => id));
  const unknown = versionIds.filter(id => !known.has(id));
  refuse('COMPONENT_VERSION_NOT_FOUND', unknown);
  refuse(
    'VERSION_NOT_READY',
    versions.filter(({ state }) => state !== 'ready').map(({ id }) => id),
  );
  const components = new Set(versions.map(({ componentId }) => componentId));
  if (components.size < versionIds.length)
    throw new Problem('COMPONENT_TWICE', { fields: { componentVersionIds: 'COMPONENT_TWICE' } });
}

function refuse(
  reason: 'COMPONENT_VERSION_NOT_FOUND' | 'VERSION_NOT_READY',
  versionIds: readonly string[],
): void {
  if (versionIds.length === 0) return;
  throw new Problem(reason, { fields: { componentVersionIds: reason }, context: { versionIds } });
}
