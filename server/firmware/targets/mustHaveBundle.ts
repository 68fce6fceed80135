import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** Rejects a bundle that the class does not have, and locks an existing one against deletion. */
export async function mustHaveBundle(
  db: Db,
  { projectId, deviceClass, bundleId }: { projectId: string; deviceClass: string; bundleId: string },
  field: string,
): Promise<void> {
  const found = await db.one(sql`
    select 1 as found from bundles
    where project_id = ${projectId} and device_class = ${deviceClass} and id = ${bundleId} for key share`);
  if (!found) throw unknownBundle(field);
}

export const unknownBundle = (field: string) =>
  new Problem('BUNDLE_NOT_FOUND', { fields: { [field]: 'BUNDLE_NOT_FOUND' } });
