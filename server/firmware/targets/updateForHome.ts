import type { MyUpdate } from '#contract/appApi/device.ts';
import { byName } from '#server/infra/db/rows.ts';
import { type Db, raw, sql } from '#server/infra/db/sql.ts';
import { answerable } from './answerUpdate.ts';

/**
 * The update of a device, a row of `device_targets t`, as its home sees it: JSON, or null if the device should run
 * nothing. It does not say who answered, which only the team sees.
 */
export const updateAsJson = sql`
  case when t.bundle_id is not null then json_strip_nulls(json_build_object(
    'sequence', t.sequence,
    'versions', (
      select coalesce(json_agg(json_build_object('component', c.name, 'version', v.name) order by ${raw(byName('c.name'))}), '[]')
      from bundle_components b
      join components c on c.project_id = b.project_id and c.id = b.component_id
      join component_versions v on v.project_id = b.project_id and v.id = b.version_id
      where b.project_id = t.project_id and b.bundle_id = t.bundle_id),
    'state', t.state, 'percent', t.percent::float8, 'waitsFor', t.waits_for, 'consent', t.consent - 'by',
    'answerable', t.state = any(${answerable}::text[]))) end`;

/** The update of a device as its home sees it; null if none was assigned. */
export async function updateForHome(
  db: Db,
  { projectId, id }: { projectId: string; id: string },
): Promise<MyUpdate | null> {
  const row = await db.one<{ update: MyUpdate | null }>(sql`
    select ${updateAsJson} as update from device_targets t where t.project_id = ${projectId} and t.device_id = ${id}`);
  return row?.update ?? null;
}
