import { classRevisionsMax } from '#contract/deviceClassRevision.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { eachColumn } from '#server/classes/deviceClasses/definition.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** When a class is saved, and by whom; nobody if it was the platform itself. */
export interface Saving {
  by?: { id: string; name: string };
  now: Date;
}

export function savingOf(call: Call): Saving {
  const { id, displayName } = actorOf(call);
  return { by: { id, name: displayName }, now: call.now };
}

/**
 * Saves classes as they are now, in the transaction that changed them, and deletes the revisions that exceed the
 * limits. All code that writes a class calls this, so the current revision is always among those kept.
 */
export async function saveRevisions(
  db: Db,
  projectId: string,
  ids: readonly string[],
  { by, now }: Saving,
): Promise<void> {
  await db.run(sql`
    insert into device_class_revisions
      (project_id, device_class, revision, ${eachColumn(column => column)}, changed, bytes, saved_at, saved_by, saved_by_name)
    select c.project_id, c.id, c.revision, ${definition},
      case when b.revision is null then '{}' else ${changed} end, octet_length(concat(${definition})),
      ${now}, ${by?.id ?? null}, ${by?.name ?? ''}
    from device_classes c
    left join device_class_revisions b
      on b.project_id = c.project_id and b.device_class = c.id and b.revision = c.revision - 1
    where c.project_id = ${projectId} and c.id = any(${ids})
    on conflict do nothing`);
  await db.run(sql`
    delete from device_class_revisions r using (
      select device_class, revision, row_number() over newest as nth, sum(bytes) over newest as bytes
      from device_class_revisions where project_id = ${projectId} and device_class = any(${ids})
      window newest as (partition by device_class order by revision desc)) old
    where r.project_id = ${projectId} and r.device_class = old.device_class and r.revision = old.revision
      and old.nth > 1 and (old.nth > ${classRevisionsMax.count} or old.bytes > ${classRevisionsMax.bytes})`);
}

const definition = eachColumn(column => `c.${column}`);

/** The fields of `c` that differ from those of `b`, the previous revision. */
const changed = sql`array_remove(array[${eachColumn(
  (column, field) => `case when c.${column}::text is distinct from b.${column}::text then '${field}' end`,
)}], null)`;
