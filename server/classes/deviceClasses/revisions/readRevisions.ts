import {
  type DeviceClassRevision,
  type DeviceClassRevisionRow,
  listDeviceClassRevisions,
  readDeviceClassRevision,
} from '#contract/deviceClassRevision.ts';
import { Problem } from '#contract/problem.ts';
import { on, type PageAsked, type Route } from '#server/api/endpoints/route.ts';
import {
  type DefinitionRow,
  definitionColumns,
  eachColumn,
  withoutUnset,
} from '#server/classes/deviceClasses/definition.ts';
import { contains } from '#server/infra/db/contains.ts';
import { pageOf } from '#server/infra/db/rows.ts';
import { type Db, empty, sql } from '#server/infra/db/sql.ts';

/** The calls that read the revisions of a class. */
export const revisionRoutes: Route[] = [
  on(listDeviceClassRevisions, ({ db, row, page }) => revisionsOf(db, row, page)),
  on(readDeviceClassRevision, ({ db, row, params }) => revisionOf(db, row, params.revision)),
];

interface OfClass {
  projectId: string;
  id: string;
}

type Row = Pick<DeviceClassRevisionRow, 'revision' | 'changed' | 'removed'> & {
  savedAt: Date | null;
  savedById: string | null;
  savedByName: string;
};

const columns = sql`
  r.revision, r.changed, r.saved_at as "savedAt", r.saved_by as "savedById", r.saved_by_name as "savedByName",
  array(select name from unnest(r.changed) name
    where case name ${eachColumn((column, field) => `when '${field}' then r.${column} is null`, ' ')} end) as removed`;

function revisionsOf(db: Db, { projectId, id }: OfClass, page: PageAsked) {
  const searched = page.search && contains(sql`search_text(r.saved_by_name)`, page.search);
  return pageOf(db, {
    columns,
    from: sql`device_class_revisions r`,
    where: sql`r.project_id = ${projectId} and r.device_class = ${id} ${searched ? sql`and ${searched}` : empty}`,
    orders: { revision: 'r.revision' },
    key: sql`r.revision`,
    page,
    as: toRow<Row>,
  });
}

async function revisionOf(
  db: Db,
  { projectId, id }: OfClass,
  revision: string,
): Promise<DeviceClassRevision> {
  const row = await db.one<Row & DefinitionRow>(sql`
    select ${columns}, ${definitionColumns('r')} from device_class_revisions r
    where r.project_id = ${projectId} and r.device_class = ${id}
      and r.revision = ${/^\d{1,9}$/.test(revision) ? Number(revision) : 0}`);
  if (!row) throw new Problem('CLASS_REVISION_NOT_FOUND');
  return withoutUnset(toRow(row));
}

function toRow<R extends Row>({ savedAt, savedById, savedByName, ...row }: R) {
  return {
    ...row,
    ...(savedAt && { savedAt: savedAt.toISOString() }),
    ...(savedById !== null && { savedBy: { id: savedById, name: savedByName } }),
  };
}
