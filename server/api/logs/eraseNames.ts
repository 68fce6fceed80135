import type { Database, Db } from '#server/infra/db/sql.ts';
import { sql } from '#server/infra/db/sql.ts';
import { type Name, type Worded, withMarkers } from './entryNames.ts';
import type { EntryRow } from './store.ts';

const batch = 200;

interface Named extends EntryRow {
  stream: string;
}

/**
 * Erases these people's names from all entries of a log, in batches. The sealed form does not change, so verification
 * still succeeds.
 */
export async function eraseNames(db: Database, projectId: string, people: readonly string[]): Promise<void> {
  while (await db.tx(tx => eraseSome(tx, projectId, people)));
}

/** Returns whether more entries may follow. */
async function eraseSome(tx: Db, projectId: string, people: readonly string[]): Promise<boolean> {
  const rows = await tx.many<Named | { id: null }>(sql`
    with taken as (
      delete from log_people where ctid = any (array(
        select ctid from log_people where project_id = ${projectId} and person = any(${[...people]}) limit ${batch}))
      returning stream, ts, entry_id)
    select e.* from (select distinct * from taken) t
    left join lateral (
      select stream, id, ts, level, subject, actor, action, text, detail, names from log_entries
      where project_id = ${projectId} and stream = t.stream and ts = t.ts and id = t.entry_id limit 1) e on true`);
  const found = rows.filter((row): row is Named => row.id !== null);
  const erased = found.map(row => ({ row, words: erasedFrom(row, people) }));
  await tx.run(sql`
    update log_entries e
    set actor = w.actor::jsonb, text = w.text, detail = w.detail::jsonb, names = w.names::jsonb
    from unnest(
      ${found.map(({ stream }) => stream)}::text[], ${found.map(({ ts }) => ts)}::timestamptz[],
      ${found.map(({ id }) => id)}::text[], ${erased.map(({ words }) => JSON.stringify(words.actor))}::text[],
      ${erased.map(({ words }) => words.text)}::text[],
      ${erased.map(({ words }) => (words.detail ? JSON.stringify(words.detail) : null))}::text[],
      ${erased.map(({ row }) => JSON.stringify(row.names?.filter(name => !people.includes(name.of)) ?? []))}::text[]
    ) as w (stream, ts, id, actor, text, detail, names)
    where e.project_id = ${projectId} and e.stream = w.stream and e.ts = w.ts and e.id = w.id`);
  return rows.length > 0;
}

function erasedFrom({ actor, text, detail, names }: Named, people: readonly string[]): Worded {
  const isErased = ({ of }: Name) => people.includes(of);
  return withMarkers({ actor, text, ...(detail && { detail }) }, names ?? [], isErased);
}
