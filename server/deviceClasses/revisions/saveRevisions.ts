import { classRevisionsMax } from '#contract/deviceClassRevision.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { actorOf } from '#server/endpoints/audit.ts';
import type { Call } from '#server/endpoints/route.ts';

/** When a class is saved, and by whom; the platform itself is nobody. */
export interface Saving {
  by?: { id: string; name: string };
  now: Date;
}

export function savingOf(call: Call): Saving {
  const { id, displayName } = actorOf(call);
  return { by: { id, name: displayName }, now: call.now };
}

/**
 * Keeps classes as they are now, in the transaction that changed them, and deletes the revisions for which there is no
 * more room. Whoever writes a class calls it, so the current revision is always among those kept.
 */
export async function saveRevisions(
  db: Db,
  projectId: string,
  ids: readonly string[],
  { by, now }: Saving,
): Promise<void> {
  await db.run(sql`
    insert into device_class_revisions
      (project_id, device_class, revision, description, state_schema, event_schemas, command_schemas, offer_minutes,
       download_minutes, install_minutes, reboot_minutes, sends_deltas, changed, bytes, saved_at, saved_by, saved_by_name)
    select c.project_id, c.id, c.revision, c.description, c.state_schema, c.event_schemas, c.command_schemas,
      c.offer_minutes, c.download_minutes, c.install_minutes, c.reboot_minutes, c.sends_deltas,
      case when b.revision is null then '{}' else ${changed} end,
      octet_length(concat(c.description, c.state_schema, c.event_schemas, c.command_schemas)),
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

/** Which fields of `c` differ from those of `b`, the revision before. */
const changed = sql`
  array_remove(array[
    case when c.description <> b.description then 'description' end,
    case when c.state_schema::text is distinct from b.state_schema::text then 'stateSchema' end,
    case when c.event_schemas::text is distinct from b.event_schemas::text then 'eventSchemas' end,
    case when c.command_schemas::text is distinct from b.command_schemas::text then 'commandSchemas' end,
    case when c.offer_minutes <> b.offer_minutes then 'offerMinutes' end,
    case when c.download_minutes <> b.download_minutes then 'downloadMinutes' end,
    case when c.install_minutes <> b.install_minutes then 'installMinutes' end,
    case when c.reboot_minutes <> b.reboot_minutes then 'rebootMinutes' end,
    case when c.sends_deltas <> b.sends_deltas then 'sendsDeltas' end], null)`;
